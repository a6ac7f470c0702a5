"""Formulas and expressions as text that reads back as the same."""

from __future__ import annotations

import random

import pytest

from pincer.frontends.gcl import expression_text, formula_text, parse_formula
from pincer.program.guarded import (
    Arithmetic,
    Comparison,
    Conditional,
    Connective,
    Deadlock,
    Expression,
    FiniteType,
    Formula,
    GuardedChoice,
    Negate,
    Not,
    Number,
    Truth,
    VariableRef,
)
from tests.frontends.gcl.gcl_samples import PROGRAM, parse


def test_expressions_have_a_text() -> None:
    program = parse(
        "var x, y : int; var b : bool; trans t: true -> x := -(x - (y - 2*x)) div 3 + (if b then 1 else y);"
    )
    (_, value) = program.transitions[0].assignments[0]
    assert not isinstance(value, GuardedChoice)
    assert expression_text(value, program) == "-(x - (y - 2 * x)) div 3 + (if b then 1 else y)"


INTEGERS = ("x", "y", "a[-1]", "a[1]", "r")

FINITE = ("b", "f[1]", "pc[1]", "pc[2]", "other", "r")


class Formulas:
    """Random formulas. The plain ones hold nothing constant to fold; the wild ones are any formula at all."""

    def __init__(self, seed: int, wild: bool) -> None:
        self.random = random.Random(seed)
        self.wild = wild

    def formula(self, depth: int) -> Formula:
        kind = self.random.randrange(9 if self.wild else 8) if depth else 0
        if kind < 3:
            return self.comparison(depth)
        if kind < 5:
            return Not(self.formula(depth - 1))
        if kind < 7:
            operands = (self.formula(depth - 1), self.formula(depth - 1))
            return Connective(self.random.choice(("=>", "<=>")), operands)
        if kind < 8:
            count = self.random.randint(2, 4)
            return Connective(self.random.choice(("&&", "||")), tuple(self.formula(depth - 1) for _ in range(count)))
        return Truth(self.random.random() < 0.5)

    def comparison(self, depth: int) -> Comparison:
        if self.random.random() < 0.4:
            variable = PROGRAM.variable(self.random.choice(FINITE))
            assert isinstance(variable.type, FiniteType)
            value = Number(self.random.randint(variable.type.low, variable.type.high))
            return Comparison(self.random.choice(("=", "!=", "<=")), VariableRef(variable.name), value)
        left, right = self.varying(depth), self.expression(depth)
        return Comparison(self.random.choice(("=", "!=", "<", "<=", ">", ">=")), left, right)

    def expression(self, depth: int) -> Expression:
        return Number(self.random.randint(-9, 9)) if self.random.random() < 0.3 else self.varying(depth)

    def varying(self, depth: int) -> Expression:
        """An expression with a variable in it, unless wild."""
        kind = self.random.randrange(7) if depth else 0
        if kind < 2:
            return VariableRef(self.random.choice(INTEGERS + (FINITE if self.wild else ())))
        if kind < 3:
            return Negate(self.expression(depth - 1) if self.wild else self.varying(depth - 1))
        if kind < 5:
            return Arithmetic(self.random.choice(("+", "-")), self.expression(depth - 1), self.varying(depth - 1))
        if kind < 6:
            number = Number(self.random.randint(1, 5))
            return Arithmetic(self.random.choice(("*", "div", "mod")), self.varying(depth - 1), number)
        return Conditional(self.formula(depth - 1), self.expression(depth - 1), self.expression(depth - 1))


def holds(formula: Formula, state: dict[str, int]) -> bool:
    match formula:
        case Truth(value):
            return value
        case Not(operand):
            return not holds(operand, state)
        case Connective("&&", operands):
            return all(holds(operand, state) for operand in operands)
        case Connective("||", operands):
            return any(holds(operand, state) for operand in operands)
        case Connective("=>", (left, right)):
            return not holds(left, state) or holds(right, state)
        case Connective("<=>", (left, right)):
            return holds(left, state) == holds(right, state)
        case Comparison(operator, left, right):
            a, b = evaluate(left, state), evaluate(right, state)
            return {"=": a == b, "!=": a != b, "<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[operator]
    raise AssertionError(formula)


def evaluate(expression: Expression, state: dict[str, int]) -> int:
    match expression:
        case Number(value):
            return value
        case VariableRef(name):
            return state[name]
        case Negate(operand):
            return -evaluate(operand, state)
        case Conditional(condition, then, otherwise):
            return evaluate(then if holds(condition, state) else otherwise, state)
        case Arithmetic(operator, left, right):
            a, b = evaluate(left, state), evaluate(right, state)
            if operator in ("div", "mod"):
                return a // b if operator == "div" else a % b
            return {"+": a + b, "-": a - b, "*": a * b}[operator]


def some_state(source: random.Random) -> dict[str, int]:
    return {
        v.name: source.randint(v.type.low, v.type.high) if isinstance(v.type, FiniteType) else source.randint(-6, 6)
        for v in PROGRAM.variables
    }


@pytest.mark.parametrize("seed", range(150))
def test_text_reads_back_as_the_same_formula(seed: int) -> None:
    formula = Formulas(seed, wild=False).formula(4)
    text = formula_text(formula, PROGRAM)
    assert parse_formula(text, PROGRAM) == formula, text


@pytest.mark.parametrize("seed", range(150))
def test_text_of_any_formula_reads_back_as_an_equivalent_one(seed: int) -> None:
    formulas = Formulas(seed, wild=True)
    formula = formulas.formula(4)
    text = formula_text(formula, PROGRAM)
    again = parse_formula(text, PROGRAM)
    for _ in range(20):
        state = some_state(formulas.random)
        assert holds(formula, state) == holds(again, state), (text, state)


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("a[1]<=x+1&&(2*x-y) mod 3=1", "a[1] <= x + 1 && (2 * x - y) mod 3 = 1"),
        ("pc[1] = crit || other != crit", "pc[1] = crit || other != crit"),
        ("b && !f[2]", "b && !f[2]"),
        ("b = false", "b = false"),
        ("b = 1", "b"),
        ("pc[1] = 2", "pc[1] = crit"),
        ("pc[N] < 2", "pc[2] < 2"),
        ("pc[1] = 7", "pc[1] = 7"),
        ("b + x <= 3", "b + x <= 3"),
        ("a[0 - 1] = 3", "a[-1] = 3"),
        ("x - -3 = -y", "x - -3 = -y"),
        ("!(x = 1)", "!(x = 1)"),
        ("forall i in 1..2 : pc[i] = idle", "pc[1] = idle && pc[2] = idle"),
    ],
)
def test_formulas_have_a_normal_text(text: str, normal: str) -> None:
    assert formula_text(parse_formula(text, PROGRAM), PROGRAM) == normal


def test_deadlock_has_a_text() -> None:
    assert formula_text(Not(Deadlock()), PROGRAM) == "!deadlock"
