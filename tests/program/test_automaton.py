"""Automata as data."""

from __future__ import annotations

from pincer.program.automaton import ALWAYS, Automaton, AutomatonEdge, holds

P = ((("p", True),),)
NOT_P = ((("p", False),),)


def test_a_guard_holds_where_one_of_its_cubes_does() -> None:
    guard = ((("p", True), ("q", False)), (("q", True),))
    assert holds(guard, frozenset("p"))
    assert holds(guard, frozenset("pq"))
    assert not holds(guard, frozenset())
    assert holds(ALWAYS, frozenset())
    assert not holds((), frozenset("p"))


def test_the_certain_node_accepts_all_that_follows() -> None:
    waits, lost = AutomatonEdge(0, ALWAYS, 0), AutomatonEdge(1, ALWAYS, 1)
    step = AutomatonEdge(0, NOT_P, 1)
    assert Automaton(("p",), (0,), (False, True), (NOT_P, ALWAYS), (waits, step, lost)).certain() == 1
    assert Automaton(("p",), (0,), (False, True), (NOT_P, P), (waits, step, lost)).certain() is None
    assert Automaton(("p",), (0,), (False, False), (NOT_P, ALWAYS), (waits, step, lost)).certain() is None
    assert Automaton(("p",), (0,), (False, True), (NOT_P, ALWAYS), (waits, step)).certain() is None


def test_edges_by_their_source() -> None:
    edges = (AutomatonEdge(0, P, 1), AutomatonEdge(1, P, 0), AutomatonEdge(0, NOT_P, 0))
    assert Automaton(("p",), (0,), (True, True), ((), ()), edges).leaving(0) == (edges[0], edges[2])
