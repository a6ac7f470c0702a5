"""Paths become executions that replay, with numbers people can read."""

from __future__ import annotations

from pincer.evidence.gcl.replay import replay
from pincer.execution.paths import concrete_trace, solve_path
from pincer.frontends.gcl import parse_program
from pincer.logic.queries import Queries
from pincer.logic.z3_solver import Z3Solver
from pincer.program.guarded import GuardedProgram
from pincer.program.lowering import lower

TEXT = """
var x, y : int; control pc : {run, bad} = run; init x >= 2 && y = 2 * x;
trans pick: pc = run -> y := nondet;
trans near: pc = run -> x := nondet(-3..-1);
trans half: pc = run && y mod 2 = 1 -> x := y div 2;
trans stop: pc = run && x + y = 7 -> pc := bad;
safety ok: pc != bad;
safety far: x < 1000;
"""


def program() -> GuardedProgram:
    return parse_program(TEXT, "paths.gcl")


def indices(names: str) -> list[int]:
    system = lower(program())
    return [next(t.index for t in system.transitions if t.name == name) for name in names.split()]


def test_a_feasible_path_gives_a_trace_that_replays() -> None:
    system = lower(program())
    for path in ("pick stop", "near pick stop", "pick half pick stop", "pick near pick half pick near pick stop"):
        trace = solve_path(system, system.properties[0], (0,), indices(path), Queries(Z3Solver()))
        assert trace is not None
        assert [step.transition for step in trace.steps] == path.split()
        assert replay(program(), trace).ok
        assert all(abs(value) <= 100 for state in trace.states for value in state.values())


def test_an_infeasible_path_gives_none() -> None:
    system = lower(program())
    queries = Queries(Z3Solver())
    assert solve_path(system, system.properties[0], (0,), indices("stop"), queries) is None
    assert solve_path(system, system.properties[0], (0,), indices("pick"), queries) is None
    assert solve_path(system, system.properties[0], (1,), [], queries) is None


def test_numbers_are_large_only_where_they_must_be() -> None:
    system = lower(program())
    trace = solve_path(system, system.properties[1], (0,), [], Queries(Z3Solver()))
    assert trace is not None and trace.initial["x"] >= 1000
    assert replay(program(), trace).ok


def test_a_concrete_path_is_named_in_the_programs_order() -> None:
    system = lower(program())
    trace = concrete_trace(system, system.properties[0], [(0, 2, 4), (0, 2, 5), (1, 2, 5)], indices("pick stop"))
    assert trace.initial == {"x": 2, "y": 4, "pc": 0}
    assert list(trace.initial) == ["x", "y", "pc"]
    assert replay(program(), trace).ok
