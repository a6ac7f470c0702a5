"""Proofs whose nodes are single states."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from pincer.evidence.live.certificate import LiveState
from pincer.evidence.live.checker import check_live
from pincer.evidence.live.nodes import Obligated
from pincer.evidence.live.prover import Prover
from pincer.evidence.live.states import StateNodes
from pincer.frontends.gcl import parse_program
from pincer.runtime.run import Run
from tests.evidence.live.live_samples import SEMAPHORE, fair, proved

DOWN = "var x : 0..3; trans down: x > 0 -> x := x - 1; temporal t: <>{x = 0};"


def test_edges_are_worked_out() -> None:
    program, certificate = proved(DOWN)
    nodes = StateNodes(program, program.temporal[0], certificate.automaton, certificate.states, Prover("cvc5", Run()))
    values = {state.values[0] for state in certificate.states}
    assert values == {0, 1, 2, 3}
    assert len(nodes.steps()) == 3
    top = next(number for number, state in enumerate(certificate.states) if state.values == (3,))
    bottom = next(number for number, state in enumerate(certificate.states) if state.values == (0,))
    assert nodes.enables(top, {0})
    assert not nodes.enables(bottom, {0})


def test_states_must_give_all_variables_values() -> None:
    program, certificate = proved(DOWN)
    report = check_live(program, replace(certificate, states=(LiveState(0, ()),)))
    assert "every variable" in report.reason


def test_a_run_that_ends_wrongly_is_noticed() -> None:
    """The states of a program in which the formula holds, shown for one that stops too early."""
    _, certificate = proved(DOWN)
    stops = parse_program(DOWN.replace("x > 0 ->", "x > 1 ->"), "sample.gcl")
    report = check_live(stops, replace(certificate, sha256=stops.sha256))
    assert "violates the formula ends where x = 1" in report.reason


def test_free_choices_are_refused() -> None:
    program = parse_program("var x : int = 0; trans any: true -> x := nondet; temporal t: []{x = 0};", "sample.gcl")
    _, certificate = proved(fair(SEMAPHORE, "fairness strong A, B;"))
    nodes = StateNodes(program, program.temporal[0], certificate.automaton, (), Prover("cvc5", Run()))
    with pytest.raises(Obligated, match="chooses x freely"):
        nodes.steps()


def test_leaving_a_type_is_noticed() -> None:
    program, certificate = proved("var x : 0..3 = 0; trans up: x < 3 -> x := x + 1; temporal t: <>{x = 3};")
    beyond = parse_program("var x : 0..3 = 0; trans up: x <= 3 -> x := x + 1; temporal t: <>{x = 3};", "sample.gcl")
    assert check_live(program, certificate).ok
    report = check_live(beyond, replace(certificate, sha256=beyond.sha256))
    assert "leaves the type" in report.reason
