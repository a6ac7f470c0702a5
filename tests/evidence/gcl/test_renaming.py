"""Obligations with other names: equal keys only where one becomes the other by renaming."""

from __future__ import annotations

from itertools import permutations, product
from random import Random

import pytest

from pincer.evidence.gcl.interpreter import compile_expression, compile_formula
from pincer.evidence.gcl.literals import Union, Vocabulary
from pincer.evidence.gcl.obligations import GuardedObligation, GuardedSteps
from pincer.evidence.gcl.renaming import RenamingKeys
from pincer.frontends.gcl import parse_formula, parse_program
from pincer.program.guarded import Expression, GuardedProgram, VariableRef

PROGRAM = parse_program(
    "program p; var x, y, z : int; trans t: true -> x := y; safety s: true;",
    "p.gcl",
)


class Words:
    """Obligations from text."""

    def __init__(self, program: GuardedProgram = PROGRAM) -> None:
        self.program = program
        self.vocabulary = Vocabulary(program)
        self.steps = GuardedSteps(self.vocabulary)
        self.keys = RenamingKeys(self.vocabulary)

    def union(self, text: str) -> Union:
        return self.vocabulary.union(self.vocabulary.disjuncts(parse_formula(text, self.program)))

    def key(self, before: str, guard: str, updates: dict[str, Expression], after: str) -> object:
        condition = self.vocabulary.cube(parse_formula(guard, self.program))
        assert condition is not None
        union = self.union(before)
        alternatives = ((frozenset[int](), self.union(after)),)
        obligation = GuardedObligation(union, self.steps.step(condition, updates), alternatives)
        return self.keys.key(obligation, union.cubes)


X, Y, Z = VariableRef("x"), VariableRef("y"), VariableRef("z")


def test_names_make_no_difference() -> None:
    words = Words()
    first = words.key("x <= y || y = 3 && x > 0", "x < y", {"x": Y}, "x = y || y - x <= 2")
    second = words.key("y <= z || z = 3 && y > 0", "y < z", {"y": Z}, "y = z || z - y <= 2")
    assert first == second


@pytest.mark.parametrize(
    ("written", "otherwise"),
    [("x < y", "y > x"), ("x <= y", "!(y < x)"), ("x < y", "x + 1 <= y"), ("x = y", "y = x"), ("x != 2", "!(2 = x)")],
)
def test_the_way_a_comparison_is_written_makes_no_difference(written: str, otherwise: str) -> None:
    words = Words()
    assert words.key(written, "true", {"z": X}, "x <= z") == words.key(otherwise, "true", {"z": X}, "x <= z")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (("x <= y", "true", {"x": Y}, "x <= y"), ("x <= y", "true", {"y": X}, "x <= y")),
        (("x <= y", "true", {"x": Y}, "x <= y"), ("x < y", "true", {"x": Y}, "x <= y")),
        (("x <= y", "x = 0", {"x": Y}, "x <= y"), ("x <= y", "y = 0", {"x": Y}, "x <= y")),
        (("x <= y", "true", {}, "x <= y"), ("x <= y", "true", {}, "y <= x")),
        (("x <= y", "true", {}, "x = 1"), ("x <= y", "true", {}, "x = 0 - 1")),
        (("x = y", "true", {"x": Z}, "x = 1"), ("x = y", "true", {"x": Y}, "x = 1")),
        (("x mod 2 = 0", "true", {}, "y = 1"), ("y mod 2 = 0", "true", {}, "y = 1")),
    ],
)
def test_what_is_said_of_other_places_makes_a_difference(
    first: tuple[str, str, dict[str, Expression], str], second: tuple[str, str, dict[str, Expression], str]
) -> None:
    words = Words()
    assert words.key(*first) != words.key(*second)


def test_equal_keys_mean_equal_answers() -> None:
    """Where keys of random obligations are equal, some renaming makes the failing states of one those of the other."""
    rng, words = Random(5), Words()
    atoms = ["x <= y", "y <= x", "x = y", "y = z", "z < x", "x = 1", "y = 1", "z >= 1", "(x + y) mod 2 = 0"]
    values: list[Expression] = [X, Y, Z]
    seen: dict[object, list[set[tuple[int, ...]]]] = {}
    shared = 0
    for _ in range(400):
        before, after = rng.choice(atoms), " || ".join(rng.sample(atoms, rng.randint(1, 2)))
        target, value = rng.choice("xyz"), rng.choice(values)
        key = words.key(before, "true", {target: value}, after)
        failing = _failing(words.program, before, target, value, after)
        for other in seen.setdefault(key, []):
            shared += 1
            assert any(
                {tuple(state[i] for i in order) for state in failing} == other for order in permutations(range(3))
            )
        seen[key] = [failing]
    assert shared > 50


def _failing(program: GuardedProgram, before: str, target: str, value: Expression, after: str) -> set[tuple[int, ...]]:
    given = compile_formula(parse_formula(before, program), program)
    wanted = compile_formula(parse_formula(after, program), program)
    new = compile_expression(value, program)
    found = set()
    for numbers in product(range(-1, 3), repeat=3):
        state = dict(zip("xyz", numbers, strict=True))
        if given(state) and not wanted({**state, target: new(state)}):
            found.add(numbers)
    return found
