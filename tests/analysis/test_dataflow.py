"""Facts that flow along edges: here the sets of lines that were passed, on all ways or on some."""

from __future__ import annotations

from pathlib import Path

from pincer.analysis.dataflow import forward
from pincer.program.control_flow import Edge
from tests.analysis.threaded_programs import analysed, line_of

TEXT = """
int g;
int main(void) {
  if (g)
    g = 3; /* SOMETIMES */
  g = 4; /* ALWAYS */
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
    all_ways = forward(main, NOTHING, passed, lambda one, other: one & other)[main.exit]
    sometimes, always = line_of(TEXT, "SOMETIMES"), line_of(TEXT, "ALWAYS")
    assert {sometimes, always} <= some
    assert always in all_ways and sometimes not in all_ways


def test_nothing_goes_on_where_an_edge_lets_nothing_through(tmp_path: Path) -> None:
    main = analysed(tmp_path, TEXT).program.procedures["main"]
    assert forward(main, NOTHING, lambda edge, before: None, lambda one, other: one) == {main.entry: NOTHING}
