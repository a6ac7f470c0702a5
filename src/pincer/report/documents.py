"""Reports about all files of a call in one document: SARIF, JUnit XML, a page to look at."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from pincer.errors import Mistake, PincerError
from pincer.report.file_report import Context, FileReport

_ENDINGS = (".html", ".htm", ".json")
_SKIPPED = "not looked at: the check was interrupted before"


def document(form: str, reports: Sequence[FileReport], skipped: Sequence[str], exit_status: int) -> str:
    """The text of a document of the form `sarif` or `junit`; files that an interrupt left out are in it, too."""
    missed = [FileReport(Context(file), mistakes=[Mistake("unsupported", _SKIPPED, file)]) for file in skipped]
    programs = [*reports, *missed]
    if form == "sarif":
        from pincer.report.sarif import sarif_log

        return json.dumps(sarif_log(programs, exit_status), indent=1)
    from pincer.report.junit import junit_xml

    return junit_xml(programs)


def check_place(output: str) -> None:
    """Refuse a place where no report can be written, or a name that says it is none, before any work is done."""
    ending = Path(output).suffix
    if ending not in _ENDINGS:
        fitting = str(Path(output).with_suffix(".html")) if Path(output).name else "out.html"
        raise PincerError(
            f"--report writes a page, and {output} does not end in .html (or .json, for the data behind it); "
            f"name it {fitting}"
        )
    folder = Path(output).absolute().parent
    if not folder.is_dir():
        raise PincerError(f"there is no folder {folder} for the report; make it, or name another place")


def write_report(output: str, call: str, reports: Sequence[FileReport], elapsed: float) -> None:
    """Write the page of a call, or the data behind it where the name ends with `.json`."""
    from pincer.report.report_data import report_data

    data = report_data(call, reports, elapsed)
    if output.endswith(".json"):
        text = json.dumps(data) + "\n"
    else:
        from pincer.report.page import render

        text = render(data)
    try:
        Path(output).write_text(text, encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        raise PincerError(f"cannot write the report {output}: {error.strerror}") from error
