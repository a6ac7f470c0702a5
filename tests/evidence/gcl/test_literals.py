"""Literals, cubes and unions, each once."""

from __future__ import annotations

from pincer.evidence.gcl.literals import EMPTY_CUBE, Vocabulary, contradict, join
from pincer.frontends.gcl import parse_formula, parse_program

PROGRAM = parse_program(
    "program p;\nvar x : int = 0;  var y : int = 0;\ntrans t: x < 3 -> x := x + 1;\nsafety s: x <= 3;\n", "p.gcl"
)
WORDS = Vocabulary(PROGRAM)


def literal(text: str) -> int:
    return WORDS.literal(parse_formula(text, PROGRAM))


def cube(text: str) -> frozenset[int]:
    found = WORDS.cube(parse_formula(text, PROGRAM))
    assert found is not None
    return found


def test_a_comparison_and_its_opposite_are_one_atom() -> None:
    assert literal("x < y") == -literal("x >= y")
    assert literal("x <= y") == -literal("x > y")
    assert literal("x = y") == -literal("x != y") == -literal("!(x = y)")


def test_cubes_join_unless_they_contradict() -> None:
    assert join([cube("x < y"), cube("y < 3")]) == cube("x < y && y < 3")
    assert join([cube("x < y"), cube("x >= y")]) is None
    assert join([cube("x < y"), None]) is None
    assert contradict(cube("x < y"), cube("x >= y && y = 1"))
    assert not contradict(cube("x < y"), cube("y = 1"))


def test_a_formula_is_split_at_its_outermost_disjunctions() -> None:
    parts = WORDS.disjuncts(parse_formula("!(x < 1 && y < 1)", PROGRAM))
    assert parts == {cube("x >= 1"), cube("y >= 1")}
    assert WORDS.disjuncts(parse_formula("false", PROGRAM)) == frozenset()


def test_unions_are_kept_once_and_know_their_points() -> None:
    point, free = cube("x = 1 && y = 2"), cube("x < y")
    union = WORDS.union(frozenset((point, free)))
    assert union is WORDS.union(frozenset((free, point)))
    assert union.points == {(1, 2)}
    assert union.open == (free,)
    assert WORDS.union(frozenset((EMPTY_CUBE, free))).cubes == (EMPTY_CUBE,)
