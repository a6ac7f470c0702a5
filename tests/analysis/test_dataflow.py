"""Facts that flow along edges: here the sets of lines that were passed, on all ways or on some."""

from __future__ import annotations

from pathlib import Path

from pincer.analysis.dataflow import Summaries, forward
from pincer.program.control_flow import Call, Edge
from tests.analysis.threaded_programs import analysed, line_of

TEXT = """
int g;
void deeper(void) { g = 1; } /* DEEPER */
void below(int n) {
  if (n) deeper();
  g = 2; /* BELOW */
}
void never(void) { for (;;) g++; }
int main(void) {
  if (g) g = 3; /* SOMETIMES */
  below(g);
  return 0;
}
"""
Lines = frozenset[int]
NOTHING: Lines = frozenset()


def passed(edge: Edge, before: Lines) -> Lines:
    return before | {edge.position.line}


def test_ways_are_joined_where_they_meet(tmp_path: Path) -> None:
    main = analysed(tmp_path, TEXT).program.procedures["main"]
    some = forward(main, NOTHING, passed, lambda one, other: one | other)[main.exit]
    sometimes = line_of(TEXT, "SOMETIMES")
    assert sometimes in some
    none = forward(main, NOTHING, lambda edge, before: None, lambda one, other: one)
    assert none == {main.entry: NOTHING}


def test_summaries_go_through_calls(tmp_path: Path) -> None:
    facts = analysed(tmp_path, TEXT)
    found = Summaries(facts.calls, NOTHING, lambda one, other: one & other)

    def after(edge: Edge, before: Lines) -> Lines | None:
        if not isinstance(edge.label, Call):
            return passed(edge, before)
        known = [summary for summary in found.called(edge) if summary is not None]
        return before.union(*known) if known else None

    found.solve(after)
    whole = found.whole["main"]
    assert whole is not None
    assert line_of(TEXT, "BELOW") in whole and line_of(TEXT, "DEEPER") not in whole
    entries = found.entries("main", NOTHING, lambda entry, fact: entry | fact, lambda one, other: one & other)
    assert entries.keys() == {"main", "below", "deeper"}
    assert line_of(TEXT, "BELOW") not in entries["deeper"]


def test_what_does_not_return_has_no_summary(tmp_path: Path) -> None:
    facts = analysed(tmp_path, TEXT.replace("below(g);", "never();"))
    found = Summaries(facts.calls, NOTHING, lambda one, other: one & other)
    found.solve(lambda edge, before: before)
    assert found.whole["never"] is None
