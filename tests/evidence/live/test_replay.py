"""Runs that violate temporal properties: executed, and judged for their shape, their fairness and the formula."""

from __future__ import annotations

from msgspec.structs import replace

from pincer.evidence.gcl.trace import Step
from pincer.evidence.live.replay import letters, replay_run
from pincer.evidence.live.trace import LiveTrace
from pincer.frontends.gcl import parse_program
from pincer.program.guarded import GuardedProgram
from tests.evidence.live.live_samples import PETERSON, SEMAPHORE, fair, refuted

STOPS = "var x : 0..3 = 0; trans up: x < 3 -> x := x + 1; temporal t: <>{x = 7};"
SPINS = "var x : 0..1 = 0; trans flip: true -> x := 1 - x; temporal t: <>[]{x = 0};"
LOST = "var x : 0..9 = 0; trans up: x < 9 -> x := x + 1; temporal t: []{x < 2};"


def _reason(program: GuardedProgram, run: LiveTrace) -> str:
    return replay_run(program, program.temporal[0], run).reason


def test_each_kind_of_run_is_accepted() -> None:
    for text, kind in ((STOPS, "end"), (SPINS, "lasso"), (LOST, "prefix")):
        program, run = refuted(text)
        assert run.kind == kind
        assert replay_run(program, program.temporal[0], run).ok


def test_a_run_that_goes_on_does_not_end() -> None:
    program, run = refuted(STOPS)
    short = replace(run, trace=replace(run.trace, steps=run.trace.steps[:-1]))
    assert _reason(program, short) == "the run does not end in its last state"


def test_a_loop_must_close() -> None:
    program, run = refuted(SPINS)
    open_ = replace(run, trace=replace(run.trace, steps=run.trace.steps[:-1]))
    assert "does not lead back" in _reason(program, open_)
    assert "where its loop begins" in _reason(program, replace(run, loop_from=None))
    assert "where its loop begins" in _reason(program, replace(run, loop_from=len(run.trace.steps)))


def test_steps_must_be_possible() -> None:
    program, run = refuted(STOPS)
    wrong = Step(run.trace.steps[0].transition, {"x": 3})
    broken = replace(run, trace=replace(run.trace, steps=(wrong, *run.trace.steps[1:])))
    assert "gives x the value 1" in _reason(program, broken)


def test_the_formula_must_be_false() -> None:
    _, run = refuted(SPINS)
    other = parse_program(SPINS.replace("<>[]", "[]<>"), "sample.gcl")
    assert _reason(other, run) == "the formula holds on the run"
    _, stopped = refuted(STOPS)
    other = parse_program(STOPS.replace("x = 7", "x = 3"), "sample.gcl")
    assert _reason(other, stopped) == "the formula holds on the run"
    _, lost = refuted(LOST)
    other = parse_program(LOST.replace("[]{x < 2}", "<>{x = 3}"), "sample.gcl")
    assert "may still hold" in _reason(other, lost)


def test_fairness_disabled_groups_owe_nothing_and_steps_are_enough() -> None:
    """The lasso without fairness is refused where the group that waits is enabled all the time."""
    _, spins = refuted(fair(PETERSON, ""))
    weak = parse_program(fair(PETERSON, "fairness weak P1, P2;"), "sample.gcl")
    assert "is enabled all the time and never steps" in _reason(weak, spins)
    _, starves = refuted(fair(SEMAPHORE, "fairness weak A, B;"))
    strong = parse_program(fair(SEMAPHORE, "fairness strong A, B;"), "sample.gcl")
    assert "A is enabled in it and never steps" in _reason(strong, starves)
    again = parse_program(fair(SEMAPHORE, "fairness weak A, B;"), "sample.gcl")
    assert replay_run(again, again.temporal[0], starves).ok


def test_letters_of_states() -> None:
    program = parse_program(LOST, "sample.gcl")
    assert letters(program, program.temporal[0], [{"x": 1}, {"x": 2}]) == [frozenset({"$1"}), frozenset()]
