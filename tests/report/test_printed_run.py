"""Programs that are decided side by side are printed one after the other, in their order."""

from __future__ import annotations

import json

import pytest

from pincer.checking.messages import Decided
from pincer.checking.supervise import Ending
from pincer.report.file_report import Context, FileReport
from pincer.report.printed_run import PrintedForm, PrintedRun
from tests.checking.scripted_worker import SAFE, UNSAFE, program_read


def run_of(form: PrintedForm, *files: str) -> PrintedRun:
    made = PrintedRun(form, len(files))
    for file in files:
        made.begin(FileReport(Context(file, one_of_many=True)))
    return made


def test_a_later_program_waits_for_its_turn(capsys: pytest.CaptureFixture[str]) -> None:
    run = run_of(PrintedForm("text", quiet=True), "a.gcl", "b.gcl")
    run.note(1, program_read("mutex"))
    run.note(1, Decided(SAFE))
    run.note(1, Ending())
    assert capsys.readouterr().out == ""
    run.note(0, program_read("order"))
    run.note(0, Decided(UNSAFE))
    assert capsys.readouterr().out == "VIOLATED   a.gcl: order\n"
    run.note(0, Ending())
    assert capsys.readouterr().out == "HOLDS      b.gcl: mutex\n"


def test_what_is_known_about_the_next_program_comes_with_its_turn(capsys: pytest.CaptureFixture[str]) -> None:
    run = run_of(PrintedForm("text", quiet=True), "a.gcl", "b.gcl")
    run.note(1, program_read("mutex", "order"))
    run.note(1, Decided(SAFE))
    run.note(0, program_read())
    run.note(0, Ending())
    assert capsys.readouterr().out == "HOLDS      b.gcl: mutex\n"
    run.note(1, Decided(UNSAFE))
    assert capsys.readouterr().out == "VIOLATED   b.gcl: order\n"


def test_json_comes_in_the_order_of_the_programs(capsys: pytest.CaptureFixture[str]) -> None:
    run = run_of(PrintedForm("json"), "a.gcl", "b.gcl", "c.gcl")
    for number in (2, 1, 0):
        run.note(number, program_read("mutex"))
        run.note(number, Decided(SAFE))
        run.note(number, Ending())
    lines = capsys.readouterr().out.splitlines()
    assert [json.loads(line)["file"] for line in lines] == ["a.gcl", "b.gcl", "c.gcl"]


@pytest.mark.parametrize("keep", [True, False])
def test_evidence_that_nobody_asks_for_again_is_let_go(keep: bool) -> None:
    run = run_of(PrintedForm("text", quiet=True, keep=keep), "a.gcl")
    run.note(0, program_read("mutex"))
    run.note(0, Decided(SAFE))
    run.note(0, Ending())
    [report] = run.reports
    assert (report.findings["mutex"].certificate is not None) is keep
    assert report.findings["mutex"].verdict == "safe"
