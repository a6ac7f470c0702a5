"""Visiting the states of a product."""

from __future__ import annotations

from pincer.engines.guarded.verify import transition_system
from pincer.engines.live.question import question
from pincer.engines.live.states import StateGraph, StateStepper, explore
from pincer.frontends.gcl import parse_program
from pincer.logic.queries import Queries
from pincer.logic.z3_solver import Z3Solver
from pincer.runtime.run import Run


def _explored(text: str, most: int = 1_000) -> StateGraph:
    program = parse_program(text, "s.gcl")
    queries = Queries(Z3Solver(), Run())
    return explore(question(program, program.temporal[0]), transition_system(program, queries), queries, most)


def test_a_finite_program_is_visited_whole() -> None:
    graph = _explored("var x : 0..4; trans down: x > 0 -> x := x - 1; temporal t: <>empty;")
    assert graph.complete
    assert sorted(state for (state,), _ in graph.nodes) == [0, 1, 2, 3, 4]
    assert len(graph.edges) == 4


def test_unbounded_choices_and_initial_values_are_sampled() -> None:
    graph = _explored("var x : int = 0; trans any: true -> x := nondet; temporal t: []<>{x = 0};")
    assert not graph.complete
    assert len(graph.nodes) > 1
    assert not _explored("var x : int; trans stay: true -> x := x; temporal t: <>{x = 0};").complete


def test_bounded_choices_are_all_tried() -> None:
    graph = _explored("var x : int = 0; trans any: true -> x := nondet(1..3); temporal t: <>empty;")
    assert graph.complete
    assert {state for (state,), _ in graph.nodes} == {0, 1, 2, 3}


def test_the_limit_holds() -> None:
    graph = _explored("var x : int = 0; trans up: true -> x := x + 1; temporal t: <>empty;", 50)
    assert not graph.complete
    assert len(graph.nodes) == 50
    live = graph.live(question(parse_program("temporal t: <>empty;\nvar x: int;", "s.gcl"), _ANY))
    assert all(edge.target < len(graph.enabled) for edge in live.edges)


_ANY = parse_program("temporal t: <>empty;\nvar x: int;", "s.gcl").temporal[0]


def test_the_first_violation_without_a_cycle_ends_the_search() -> None:
    stops = _explored("var x : 0..4 = 0; trans up: x < 4 -> x := x + 1; temporal t: <>{x = 7};")
    assert stops.ended is not None
    assert stops.nodes[stops.ended][0] == (4,)
    assert [edge.transition for edge in stops.path(stops.ended)] == [0, 0, 0, 0]
    lost = _explored("var x : 0..9 = 0; trans up: x < 9 -> x := x + 1; temporal t: []{x < 2};")
    assert lost.certain is not None


def test_steps_out_of_a_type_are_noticed() -> None:
    graph = _explored("var x : 0..4 = 0; trans up: true -> x := x + 1; temporal t: []<>{x = 0};")
    assert graph.out_of_range == (4,)


def test_the_automaton_follows_letters() -> None:
    program = parse_program("var x : 0..1 = 0; trans flip: true -> x := 1 - x; temporal t: []{x = 0};", "s.gcl")
    queries = Queries(Z3Solver(), Run())
    asked = question(program, program.temporal[0])
    stepper = StateStepper(asked, transition_system(program, queries))
    assert stepper.letter((0,)) == {"$1"}
    assert stepper.letter((1,)) == frozenset()
    assert stepper.successors((0,)) == ([(0, (1,))], True)
    assert stepper.enabled((0,)) == {0}
