"""Constants are worked out and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from math import floor

import pytest

from pincer.frontends.gcl import folding
from pincer.program.guarded import Arithmetic, Comparison, Connective, Formula, Not, Number, Truth, VariableRef
from tests.frontends.gcl.gcl_samples import guard, is_


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2 * 3 - 1 = 5", Truth(True)),
        ("-7 div 2 = -4", Truth(True)),
        ("-7 mod 2 = 1", Truth(True)),
        ("-(7 div 2) = -3", Truth(True)),
        ("x = 2 + 3 * 4", is_("x", 14)),
        ("true && x = 1", is_("x", 1)),
        ("x = 1 && false", Truth(False)),
        ("x = 1 || true", Truth(True)),
        ("x = 1 => false", Not(is_("x", 1))),
        ("x = 1 <=> false", Not(is_("x", 1))),
        ("true <=> x = 1", is_("x", 1)),
        ("!true", Truth(False)),
        ("(if 1 < 2 then x else y) = 1", is_("x", 1)),
        ("exists i in 1..3 : x = i && i > 2", is_("x", 3)),
        ("forall i in 1..1 : i = 2", Truth(False)),
        ("x + 0 = 1", Comparison("=", Arithmetic("+", VariableRef("x"), Number(0)), Number(1))),
    ],
)
def test_constants_are_folded_and_nothing_else(text: str, expected: Formula) -> None:
    assert guard(text) == expected


ARITHMETIC: dict[folding.ArithmeticOperator, Callable[[int, int], int]] = {
    "+": int.__add__,
    "-": int.__sub__,
    "*": int.__mul__,
    "div": lambda a, b: floor(Fraction(a, b)),
    "mod": lambda a, b: a - b * floor(Fraction(a, b)),
}
TRUTHS: tuple[Formula, ...] = (Truth(True), Truth(False), Comparison("<", VariableRef("x"), Number(0)))


@pytest.mark.parametrize("operator", ARITHMETIC)
def test_numbers_are_worked_out(operator: folding.ArithmeticOperator) -> None:
    for a in range(-7, 8):
        for b in range(1, 5):
            assert folding.arithmetic(operator, Number(a), Number(b)) == Number(ARITHMETIC[operator](a, b))
        assert folding.arithmetic(operator, VariableRef("x"), Number(2)) == Arithmetic(
            operator, VariableRef("x"), Number(2)
        )


def value(formula: Formula, x: bool) -> bool:
    """The truth of a formula over the one comparison of `TRUTHS`."""
    match formula:
        case Truth(known):
            return known
        case Comparison():
            return x
        case Not(operand):
            return not value(operand, x)
        case Connective(operator, operands):
            left, *rest = (value(operand, x) for operand in operands)
            match operator:
                case "&&":
                    return left and all(rest)
                case "||":
                    return left or any(rest)
                case "=>":
                    return not left or rest[0]
                case "<=>":
                    return left == rest[0]
    raise AssertionError(formula)


def test_connectives_keep_their_truth_and_lose_their_constants() -> None:
    for a, b, c in product(TRUTHS, repeat=3):
        for formula in (folding.conjunction((a, b, c)), folding.disjunction((a, b, c)), folding.choice(a, b, c)):
            assert not any(isinstance(part, Truth) for part in getattr(formula, "operands", ()))
        for x in (False, True):
            p, q, r = (value(part, x) for part in (a, b, c))
            assert value(folding.conjunction((a, b, c)), x) == (p and q and r)
            assert value(folding.disjunction((a, b, c)), x) == (p or q or r)
            assert value(folding.implication(a, b), x) == (not p or q)
            assert value(folding.equivalence(a, b), x) == (p == q)
            assert value(folding.choice(a, b, c), x) == (q if p else r)
