"""Reports about all files of a call in one document: SARIF and JUnit XML."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pincer.report.checked import checked_program
from pincer.report.mistakes import Mistake

if TYPE_CHECKING:
    from pincer.cli.file_report import FileReport

_SKIPPED = "not looked at: the check was interrupted before"


def document(form: str, reports: Sequence[FileReport], skipped: Sequence[str], exit_status: int) -> str:
    """The text of a document of the form `sarif` or `junit`; files that an interrupt left out are in it, too."""
    programs = [checked_program(report.file, report.program, report.ordered(), report.mistakes) for report in reports]
    programs += [checked_program(file, None, (), [Mistake("unsupported", _SKIPPED, file)]) for file in skipped]
    if form == "sarif":
        from pincer.report.sarif import sarif_log

        return json.dumps(sarif_log(programs, exit_status), indent=1)
    from pincer.report.junit import junit_xml

    return junit_xml(programs)
