"""The table and the summary say what was measured, what was published, and what is wrong."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import replace
from rich.console import Console

from pincer.bench.ase_rows import ase_rows
from pincer.bench.measurement import Measurement
from pincer.bench.rows import CQuestion, Row, matching
from pincer.bench.table import Column, TableLayout, count_differences, print_counts, print_summary, print_table

(TICKET,) = matching(ase_rows(), "ticket2")
AS_EXPECTED = Measurement(
    "ticket2",
    "ase",
    "safe",
    "safe",
    0.5,
    {"iterations": 4, "queries": 99, "predicates": 8, "states": 22, "abstract_states": 9, "check": "SF"},
    evidence="certified",
    evidence_s=0.1,
)
SPACER = Measurement("ticket2", "spacer", "safe", "safe", 0.2)
FLOPPY = Row(
    "floppy SpinLock",
    "drivers",
    Path("floppy.c"),
    "safe",
    CQuestion(),
    {"pincer": {"iterations": 826, "time_s": 14.17}},
)
OURS = Measurement(
    FLOPPY.name, "pincer", "safe", "safe", 1.25, {"iterations": 400, "wall_s": 2.5}, evidence="certified"
)
THEIRS = Measurement(FLOPPY.name, "cbmc", "safe", "safe", 5.5, {"iterations": 8, "wall_s": 5.5})
LAYOUT = TableLayout(
    (Column.named("iter", "iterations"), Column.named("states", "states"), Column.named("check", "check"))
)


def printed(*measurements: Measurement, counts: bool = False, startup: float | None = None) -> str:
    console = Console(width=200, highlight=False)
    rows = [TICKET, FLOPPY]
    with console.capture() as capture:
        print_table(console, rows, measurements, replace(LAYOUT, counts=counts))
        started = None if startup is None else {"pincer": startup, "cbmc": startup}
        print_summary(console, measurements, started, started)
        if counts:
            print_counts(console, rows, measurements)
    return capture.get()


def test_our_figures_stand_beside_the_published_ones() -> None:
    text = printed(AS_EXPECTED, OURS)
    for figures in ("22 (22)", "0.500 (0.609)", "SF (SF)", "certified 0.100 s", "400 (826)", "1.25 (14.2)"):
        assert figures in text
    assert "ticket2 EXACT" in text


def test_counts_are_compared_in_paper_mode() -> None:
    assert count_differences(TICKET, AS_EXPECTED) == []
    assert count_differences(FLOPPY, OURS) is None
    other = replace(AS_EXPECTED, figures={**AS_EXPECTED.figures, "states": 23})
    assert count_differences(TICKET, other) == ["states 23 instead of 22"]
    assert "reproduced: 1 of 1" in printed(AS_EXPECTED, counts=True)
    text = printed(other, counts=True)
    assert "reproduced: 0 of 1" in text
    assert "ticket2 (EXACT), ase: states 23 instead of 22" in text


def test_totals_count_verdicts_and_evidence() -> None:
    text = printed(OURS, startup=0.5)
    assert "pincer: 1 rows, 1 right, 0 wrong, 0 undecided; 2.5 s for those that are right" in text
    assert "of which starting up 0.50 s each; 1 of 1 proofs checked" in text
    assert "1 decided without an expected verdict" in printed(replace(OURS, expected=None))


def test_a_wrong_verdict_is_shouted() -> None:
    text = printed(replace(OURS, expected="unsafe"))
    assert "safe WRONG" in text
    assert "WRONG: floppy SpinLock, pincer: safe, but unsafe is expected" in text


def test_rejected_evidence_is_shouted_with_its_reason() -> None:
    text = printed(replace(OURS, evidence="rejected", remark="obligation 3 fails"))
    assert "WRONG: floppy SpinLock, pincer: safe, obligation 3 fails" in text


def test_a_violation_that_was_not_confirmed_is_named() -> None:
    loose = replace(OURS, status="unsafe", expected="unsafe", evidence="not confirmed", remark="no compiler")
    assert "not confirmed: floppy SpinLock: no compiler" in printed(loose)


def test_an_undecided_row_gives_its_reason_and_a_long_one_does_not_break_the_table() -> None:
    assert "too hard" in printed(replace(OURS, status="unknown", evidence="", reason="too hard"))
    text = printed(replace(OURS, status="unknown", evidence="", reason="too hard " * 100))
    assert max(map(len, text.splitlines())) <= 200
    assert "..." in text


def test_tools_are_compared_on_what_both_decide_without_their_start() -> None:
    text = " ".join(printed(OURS, THEIRS, startup=0.5).split())
    assert "right by both pincer and cbmc 1, only pincer 0, only cbmc 0; on those of both" in text
    assert "pincer 2.00 s, cbmc 5.00 s, in sum 0.40 times: in the mean pincer takes 0.40 times as long" in text
    assert "of processor time" not in text
    assert "right by both ase and spacer 0, only ase 1" in printed(AS_EXPECTED, replace(SPACER, status="time"))


def test_processor_time_is_compared_where_it_is_known_of_both() -> None:
    ours, theirs = (replace(m, figures={**m.figures, "cpu_s": seconds}) for m, seconds in ((OURS, 1.5), (THEIRS, 4.5)))
    told = "of processor time pincer 1.00 s, cbmc 4.00 s, in sum 0.25 times"
    assert told in " ".join(printed(ours, theirs, startup=0.5).split())
    assert "of processor time" not in " ".join(printed(ours, THEIRS, startup=0.5).split())


def test_groups_are_sections() -> None:
    rows: Sequence[str] = printed(AS_EXPECTED, SPACER, OURS).splitlines()
    [at] = [number for number, line in enumerate(rows) if "floppy SpinLock" in line and "WRONG" not in line]
    assert not rows[at - 1].strip()
