"""Claims of runs without an end are looked at anew."""

from __future__ import annotations

import pytest

from pincer.evidence.thread_proof.endless_check import check_endless_threads
from pincer.evidence.threads.trace import ChosenInput, ThreadRounds
from pincer.program.control_flow import ControlFlowProgram, Input
from pincer.program.property import Fairness

from .ending_programs import LOCKED_SET, SET, SPIN, STARVED, ending_program


def rounds(fairness: Fairness = "weak", *chosen: ChosenInput) -> ThreadRounds:
    return ThreadRounds(0, 1, 0, fairness, chosen=chosen)


@pytest.mark.parametrize(
    ("worker", "first", "fairness", "accepted"),
    [
        (SPIN, "", "strong", True),
        (SPIN, SET, "weak", False),
        (SPIN, SET, "none", True),
        (STARVED, LOCKED_SET, "weak", True),
        (STARVED, LOCKED_SET, "strong", False),
    ],
)
def test_the_checker_finds_a_run_by_itself(worker: str, first: str, fairness: Fairness, accepted: bool) -> None:
    assert check_endless_threads(ending_program(worker, first), rounds(fairness)).accepted == accepted


def _input_of(program: ControlFlowProgram) -> tuple[str, int]:
    [place] = [
        (procedure.name, number)
        for procedure in program.procedures.values()
        for number, edge in enumerate(procedure.edges)
        if isinstance(edge.label, Input)
    ]
    return place


def test_inputs_are_those_of_the_claim() -> None:
    program = ending_program(SPIN, f"if (__VERIFIER_nondet_int() != 77) {SET}")
    name, edge = _input_of(program)
    assert check_endless_threads(program, rounds("weak", ChosenInput(name, edge, 77))).accepted
    assert not check_endless_threads(program, rounds("weak", ChosenInput(name, edge, 78))).accepted
    for wrong in (ChosenInput(name, edge, 1 << 40), ChosenInput(name, 0, 1), ChosenInput("nobody", edge, 1)):
        assert not check_endless_threads(program, rounds("weak", wrong)).accepted
