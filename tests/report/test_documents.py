"""One document about all files of a call, and a page where it can be written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pincer.errors import PincerError
from pincer.report.documents import check_place, document, write_report
from tests.report.violations import GUARDED, HOLDS, checked


def test_files_that_an_interrupt_left_out_are_named() -> None:
    log = json.loads(document("sarif", [checked("p.gcl", HOLDS)], ["q.gcl"], 3))
    [notification] = log["runs"][0]["invocations"][0]["toolExecutionNotifications"]
    assert notification["message"]["text"] == "not looked at: the check was interrupted before"
    assert 'name="q.gcl"' in document("junit", [checked("p.gcl", HOLDS)], ["q.gcl"], 3)


def test_the_name_says_whether_a_page_or_its_data_are_written(tmp_path: Path) -> None:
    reports = [checked("p.gcl", GUARDED)]
    write_report(str(tmp_path / "out.html"), "pincer check p.gcl", reports, 1.0)
    write_report(str(tmp_path / "out.json"), "pincer check p.gcl", reports, 1.0)
    assert (tmp_path / "out.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    data = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    assert data["files"][0]["properties"][0]["timeline"]["steps"][1]["number"] == 1


def test_a_place_where_nothing_can_be_written_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PincerError, match="there is no folder"):
        check_place(str(tmp_path / "none" / "out.html"))
    with pytest.raises(PincerError, match="cannot write"):
        write_report(str(tmp_path), "call", [], 1.0)
