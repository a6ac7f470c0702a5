"""The table of `bench dash` shows verdicts beside what was published, and shouts when one is wrong."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from rich.console import Console

from pincer.bench.dash_measure import DashMeasurement
from pincer.bench.dash_rows import DashRow, Published
from pincer.bench.dash_table import print_dash_summary, print_dash_table

ROW = DashRow("floppy SpinLock", "drivers", Path("floppy.c"), "safe", published=Published(6500, 826, 14.17))
OURS = DashMeasurement(
    "floppy SpinLock", "pincer", "safe", "safe", 2.5, 1.25, 400, 400, 90, 12, 700, 650, evidence="certified"
)
THEIRS = DashMeasurement("floppy SpinLock", "cbmc", "safe", "safe", 5.5, iterations=8)


def printed(*measurements: DashMeasurement, startup: float = 0.5) -> str:
    console = Console(width=200, highlight=False)
    with console.capture() as capture:
        print_dash_table(console, [ROW], measurements)
        print_dash_summary(console, measurements, {"pincer": startup, "cbmc": startup})
    return capture.get()


def test_our_figures_stand_beside_the_published_ones() -> None:
    text = printed(OURS)
    assert "400 (826)" in text
    assert "1.25 (14.2)" in text
    assert "certified" in text


def test_totals_count_verdicts_and_evidence() -> None:
    text = printed(OURS)
    assert "pincer: 1 rows, 1 right, 0 wrong, 0 undecided" in text
    assert "0 of 0 violations confirmed, 1 of 1 proofs certified" in text
    assert "starting up 0.50 s each" in text


def test_a_wrong_verdict_is_shouted() -> None:
    text = printed(replace(OURS, expected="unsafe"))
    assert "safe WRONG" in text
    assert "WRONG: floppy SpinLock, pincer: safe, but unsafe is expected" in text


def test_a_violation_that_was_not_confirmed_is_named() -> None:
    loose = replace(OURS, status="unsafe", expected="unsafe", evidence="not confirmed", remark="no compiler")
    assert "not confirmed: floppy SpinLock: no compiler" in printed(loose)


def test_an_undecided_row_gives_its_reason() -> None:
    assert "too hard" in printed(replace(OURS, status="unknown", evidence="", reason="too hard"))


def test_a_long_reason_does_not_break_the_table() -> None:
    text = printed(replace(OURS, status="unknown", evidence="", reason="too hard " * 100))
    assert max(map(len, text.splitlines())) <= 200
    assert "..." in text


def test_tools_are_compared_on_what_both_decide_without_their_start() -> None:
    text = printed(OURS, THEIRS)
    assert "decided rightly by both 1, only pincer 0, only cbmc 0" in text
    assert "pincer takes 0.40 times as long as cbmc" in text
