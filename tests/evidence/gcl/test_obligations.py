"""Obligations of certificates: what is plain to see needs no solver, the rest is refuted by one."""

from __future__ import annotations

import pytest
import z3

from pincer.evidence.gcl.literals import Union, Vocabulary
from pincer.evidence.gcl.obligations import GuardedObligation, GuardedObligations, GuardedSteps, Step, unsettled
from pincer.frontends.gcl import parse_formula, parse_program
from pincer.program.guarded import GuardedChoice

PROGRAM = parse_program(
    "program p;\nvar x : int = 0;  var y : int = 0;\n"
    "trans up: x < 3 -> x := x + 1;\ntrans other: true -> y := y - x;\nsafety s: x <= 3;\n",
    "p.gcl",
)
WORDS = Vocabulary(PROGRAM)
STEPS = GuardedSteps(WORDS)


def union(text: str) -> Union:
    return WORDS.union(WORDS.disjuncts(parse_formula(text, PROGRAM)))


def step(name: str) -> Step:
    transition = next(transition for transition in PROGRAM.transitions if transition.name == name)
    guard = WORDS.cube(transition.guard)
    assert guard is not None
    return STEPS.step(guard, {n: v for n, v in transition.assignments if not isinstance(v, GuardedChoice)})


def obligation(before: str, name: str, after: str) -> GuardedObligation:
    return GuardedObligation(union(before), step(name), ((frozenset(), union(after)),))


@pytest.mark.parametrize(
    ("before", "name", "after"),
    [
        ("x >= 3", "up", "false"),
        ("y > 7", "up", "y > 7"),
        ("x = 1 && y = 5", "other", "y = 4"),
        ("x = 3 && y = 5", "up", "false"),
    ],
)
def test_what_is_plain_to_see_is_settled(before: str, name: str, after: str) -> None:
    assert unsettled(obligation(before, name, after), WORDS) == ()


@pytest.mark.parametrize(
    ("before", "name", "after", "holds"),
    [
        ("x <= 3", "up", "x <= 3", True),
        ("x <= 3", "up", "x <= 2", False),
        ("y <= x", "other", "y <= 0", True),
        ("y <= x || y = 9", "other", "y <= 0", False),
    ],
)
def test_the_rest_is_satisfiable_exactly_if_the_obligation_fails(
    before: str, name: str, after: str, holds: bool
) -> None:
    asked = obligation(before, name, after)
    left = unsettled(asked, WORDS)
    assert left
    writer = GuardedObligations(WORDS)
    formula = writer.refutation(asked, left)
    solver = z3.Solver()
    solver.from_string(f"{writer.definitions()}\n(assert {formula})")
    assert solver.check() == (z3.unsat if holds else z3.sat)


def test_equal_steps_are_one_and_equal_obligations_have_one_key() -> None:
    assert step("up") is step("up") and step("up") is not step("other")
    assert obligation("x <= 3", "up", "x <= 3").key() == obligation("x <= 3", "up", "x <= 3").key()
    assert obligation("x <= 3", "up", "x <= 3").key() != obligation("x <= 3", "up", "x <= 2").key()
