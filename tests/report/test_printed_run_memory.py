"""A run over thousands of programs keeps a short record of each, however large its evidence was."""

from __future__ import annotations

import tracemalloc

import pytest
from msgspec.structs import replace

from pincer.checking.messages import Decided
from pincer.checking.supervise import Ending
from pincer.report.file_report import Context, FileReport
from pincer.report.printed_run import PrintedForm, PrintedRun
from tests.checking.scripted_worker import SAFE, UNSAFE, program_read

MOST_BYTES = 2_500


def printed(programs: int, evidence: int) -> PrintedRun:
    run = PrintedRun(PrintedForm("text", quiet=True, keep=False), programs)
    for number in range(programs):
        run.begin(FileReport(Context(f"p{number}.gcl")))
        run.note(number, program_read("mutex", "order"))
        run.note(number, Decided(replace(SAFE, proof={"text": f"{number}" * evidence})))
        run.note(number, Decided(UNSAFE))
        run.note(number, Ending())
    return run


@pytest.mark.parametrize("evidence", [1, 20_000])
def test_the_parent_stays_small(evidence: int, capsys: pytest.CaptureFixture[str]) -> None:
    printed(10, evidence)
    capsys.readouterr()
    tracemalloc.start()
    try:
        run = printed(5_000, evidence)
        capsys.readouterr()
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(run.reports) == 5_000
    assert kept / 5_000 < MOST_BYTES


def test_what_does_not_hold_is_still_told_at_the_end(capsys: pytest.CaptureFixture[str]) -> None:
    run = PrintedRun(PrintedForm("text", keep=False), 2)
    for number in range(2):
        run.begin(FileReport(Context(f"p{number}.gcl")))
        run.note(number, program_read("order"))
        run.note(number, Decided(UNSAFE))
        run.note(number, Ending())
    capsys.readouterr()
    run.sum_up(1.0)
    out = capsys.readouterr().out
    assert "VIOLATED   p0.gcl: order" in out
    assert "VIOLATED   p1.gcl: order" in out
    assert "2 violated" in out
