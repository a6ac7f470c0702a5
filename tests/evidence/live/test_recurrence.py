"""Runs that never repeat a state: confirmed, and refused where they are not what they say."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from pincer.engines.task import Refuted
from pincer.evidence.live.recurrence import FORMAT, check_recurrence, recurrence_file
from pincer.evidence.live.trace import Recurrence
from pincer.evidence.live.witness import property_of
from pincer.frontends.gcl import parse_program
from pincer.program.guarded import GuardedProgram
from tests.evidence.live.live_samples import decided

APERIODIC = """
var x, y : int = 1;
trans a: x > 0 && y < x -> y := y + 1;
trans b: x > 0 && y >= x -> x := x + 1, y := 1;
temporal ends: <>empty;
"""
SERVICE = """
var x, done : int = 0;
process P { ask: x = done -> x := x + 1; }
process Q { serve: x > done -> done := done + 1; }
FAIRNESS
temporal served: <>[]{x = done};
"""


def _found(text: str) -> tuple[GuardedProgram, Recurrence]:
    program, claim = decided(text)
    assert isinstance(claim, Refuted), claim
    assert isinstance(claim.run, Recurrence)
    return program, claim.run


def _reason(program: GuardedProgram, found: Recurrence) -> str:
    return check_recurrence(program, program.temporal[0], found).reason


def test_an_aperiodic_run_is_confirmed_and_survives_its_file() -> None:
    program, found = _found(APERIODIC)
    assert _reason(program, found) == ""
    kept = FORMAT.value(FORMAT.data(recurrence_file(program, program.temporal[0], found)))
    assert kept.of(program) == found
    assert check_recurrence(program, property_of(kept, program), kept.of(program), "z3").ok


_BROKEN: dict[str, tuple[Callable[[Recurrence], Recurrence], str]] = {
    "target left out": (lambda r: replace(r, targets=tuple(t[:1] for t in r.targets)), "may lead somewhere else"),
    "no targets": (lambda r: replace(r, targets=tuple(() for _ in r.targets)), "may lead somewhere else"),
    "another transition": (lambda r: replace(r, transitions=r.transitions[::-1]), "need not be enabled"),
    "wider regions": (
        lambda r: replace(r, regions=tuple(replace(region, formula="true") for region in r.regions)),
        "need not be enabled",
    ),
    "elsewhere": (
        lambda r: replace(r, regions=tuple(replace(region, formula="x = 7") for region in r.regions)),
        "does not lead into the first region",
    ),
    "no acceptance": (
        lambda r: replace(r, automaton=replace(r.automaton, accepting=(False,))),
        "it is not shown that the formula is violated",
    ),
    "out of bounds": (lambda r: replace(r, targets=tuple((9,) for _ in r.targets)), "not well formed"),
    "unknown transition": (lambda r: replace(r, transitions=(7, 7)), "not well formed"),
}


@pytest.mark.parametrize("name", _BROKEN)
def test_a_broken_recurrence_is_refused(name: str) -> None:
    program, found = _found(APERIODIC)
    broken, reason = _BROKEN[name]
    assert reason in _reason(program, broken(found))


def test_an_automaton_that_accepts_too_much_is_refused() -> None:
    """The regions of a run that never ends, as if that violated another formula."""
    _, found = _found(APERIODIC)
    other = parse_program(APERIODIC.replace("<>empty", "[]more"), "sample.gcl")
    assert "may accept runs that satisfy" in _reason(other, found)


@pytest.mark.parametrize("fairness", ["", "fairness weak P, Q;", "fairness strong P, Q;"])
def test_fairness_is_a_duty(fairness: str) -> None:
    program, found = _found(SERVICE.replace("FAIRNESS", fairness))
    assert _reason(program, found) == ""


def test_an_unfair_recurrence_is_refused() -> None:
    program, found = _found(APERIODIC)
    text = APERIODIC + "process Q { nothing: true -> x := x; } fairness weak Q;"
    other = parse_program(text, "sample.gcl")
    assert "need not be fair to Q" in _reason(other, found)
    assert program.fairness == ()
