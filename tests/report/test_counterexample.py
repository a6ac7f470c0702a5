"""A counterexample shows who did what, where, and only what changed."""

from __future__ import annotations

from dataclasses import replace

from pincer.report.counterexample import trace_table
from pincer.report.finding import TraceRow
from pincer.report.terminal import Look

RUN = (
    TraceRow(0, "", "", None, (("s", "0"), ("pc[1]", "idle"))),
    TraceRow(1, "P[1]", "take[1]", 12, (("pc[1]", "wait"),)),
    TraceRow(2, "P[2]", "take[2]", 12, ()),
)


def long_run(steps: int) -> tuple[TraceRow, ...]:
    return tuple(TraceRow(n, "", f"t{n}", 1, (("x", str(n)),)) for n in range(steps + 1))


def test_the_counterexample_lists_changes_with_transition_and_line() -> None:
    assert trace_table(RUN, Look(), verbose=False) == [
        "",
        "  step  process  transition  line  changes",
        "     0           (initial)         s = 0, pc[1] = idle",
        "     1  P[1]     take[1]       12  pc[1] = wait",
        "     2  P[2]     take[2]       12  nothing",
        "",
    ]


def test_processes_are_not_shown_when_there_is_only_one() -> None:
    assert "process" not in trace_table(RUN[:2], Look(), verbose=False)[1]


def test_the_middle_of_a_long_run_is_left_out_unless_asked_for() -> None:
    short = trace_table(long_run(1000), Look(), verbose=False)
    assert len(short) < 50
    assert any("961 steps left out" in line for line in short)
    assert short[-2].split()[:2] == ["1000", "t1000"]
    assert len(trace_table(long_run(1000), Look(), verbose=True)) == 1004


def test_long_names_do_not_push_the_changes_off_the_screen() -> None:
    rows = tuple(replace(row, transition="t" * 50) for row in long_run(3))
    many = replace(rows[1], changes=tuple((f"variable[{n}]", str(n)) for n in range(30)))
    lines = trace_table((rows[0], many), Look(), verbose=False)
    assert max(map(len, lines)) <= 80
