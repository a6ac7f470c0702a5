"""The table and the summary say what was measured, what was published, and what is wrong."""

from __future__ import annotations

import io
from dataclasses import replace

from rich.console import Console

from pincer.bench.measure import Measurement
from pincer.bench.rows import Figures, load_rows
from pincer.bench.table import count_differences, print_summary, print_table

(ROW,) = load_rows("ticket2")
AS_EXPECTED = Measurement(
    row="ticket2",
    tool="ase",
    status="safe",
    expected="safe",
    figures=Figures(4, queries=99, predicates=8, states=22, abstract_states=9, check="SF", time_s=0.5),
    solver_s=0.25,
    evidence="certified",
    evidence_s=0.1,
)
SPACER = Measurement("ticket2", "spacer", "safe", "safe", Figures(time_s=0.2))


def _printed(measurements: list[Measurement], paper: bool) -> str:
    console = Console(file=io.StringIO(), width=200)
    print_table(console, [ROW], measurements, paper)
    print_summary(console, [ROW], measurements, paper)
    text = console.file.getvalue()  # type: ignore[attr-defined]
    assert isinstance(text, str)
    return text


def test_our_figures_stand_beside_the_published_ones() -> None:
    text = _printed([AS_EXPECTED], paper=False)
    assert "22/9 (22/9)" in text
    assert "0.500 (0.609)" in text
    assert "SF (SF)" in text
    assert "50%" in text
    assert "certified 0.100 s" in text


def test_counts_are_compared_in_paper_mode() -> None:
    assert count_differences(ROW, AS_EXPECTED) == []
    other = replace(AS_EXPECTED, figures=replace(AS_EXPECTED.figures, states=23))
    assert count_differences(ROW, other) == ["states 23 instead of 22"]
    assert "reproduced: 1 of 1" in _printed([AS_EXPECTED], paper=True)
    text = _printed([other], paper=True)
    assert "reproduced: 0 of 1" in text
    assert "ticket2 (EXACT), ase: states 23 instead of 22" in text


def test_a_wrong_verdict_and_rejected_evidence_are_wrong() -> None:
    assert not AS_EXPECTED.wrong
    assert replace(AS_EXPECTED, status="unsafe").wrong
    assert replace(AS_EXPECTED, evidence="rejected").wrong
    assert not replace(AS_EXPECTED, status="time").wrong
    assert "WRONG: ticket2, ase" in _printed([replace(AS_EXPECTED, status="unsafe")], paper=False)


def test_the_summary_compares_tools_on_the_rows_both_solve() -> None:
    text = _printed([AS_EXPECTED, SPACER], paper=False)
    assert "ase: 1 of 1 rows solved in 0.50 s, evidence checked for 1" in text
    assert "on the 1 rows that both solve: ase 0.50 s, spacer 0.20 s" in text
    assert "both solve" not in _printed([AS_EXPECTED, replace(SPACER, status="time")], paper=False)
