"""Writing the report of a call: a page, or the data behind it where the name ends with `.json`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pincer.errors import PincerError
from pincer.report.checked import checked_program
from pincer.report.report_data import ReportedFile, report_data

if TYPE_CHECKING:
    from pincer.cli.file_report import FileReport


def check_place(output: str) -> None:
    """Refuse a place where no report can be written, before any work is done."""
    folder = Path(output).absolute().parent
    if not folder.is_dir():
        raise PincerError(f"there is no folder {folder} for the report; make it, or name another place")


def write_report(output: str, call: str, reports: Sequence[FileReport], elapsed: float) -> None:
    data = report_data(call, [_reported(report) for report in reports], elapsed)
    if output.endswith(".json"):
        text = json.dumps(data) + "\n"
    else:
        from pincer.report.page import render

        text = render(data)
    try:
        Path(output).write_text(text, encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        raise PincerError(f"cannot write the report {output}: {error.strerror}") from error


def _reported(report: FileReport) -> ReportedFile:
    checked = checked_program(report.file, report.program, report.ordered(), report.mistakes)
    return ReportedFile(checked, report.context(), report.details, report.history.to_json())
