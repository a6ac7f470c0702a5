"""Constructors of expressions and formulas that work out what is constant.

Only constants are folded: what depends on a variable stays as the user wrote it, so that messages, predicates
and drawings show the user's own terms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal

from pincer.program.guarded import (
    Arithmetic,
    Comparison,
    Conditional,
    Connective,
    Expression,
    Formula,
    Negate,
    Not,
    Number,
    Truth,
)

ArithmeticOperator = Literal["+", "-", "*", "div", "mod"]
ComparisonOperator = Literal["=", "!=", "<", "<=", ">", ">="]

_ARITHMETIC: dict[ArithmeticOperator, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "div": lambda a, b: a // b,
    "mod": lambda a, b: a % b,
}

_COMPARISON: dict[ComparisonOperator, Callable[[int, int], bool]] = {
    "=": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


def negate(operand: Expression) -> Expression:
    return Number(-operand.value) if isinstance(operand, Number) else Negate(operand)


def arithmetic(operator: ArithmeticOperator, left: Expression, right: Expression) -> Expression:
    if isinstance(left, Number) and isinstance(right, Number):
        return Number(_ARITHMETIC[operator](left.value, right.value))
    return Arithmetic(operator, left, right)


def conditional(condition: Formula, then: Expression, otherwise: Expression) -> Expression:
    if isinstance(condition, Truth):
        return then if condition.value else otherwise
    return Conditional(condition, then, otherwise)


def comparison(operator: ComparisonOperator, left: Expression, right: Expression) -> Formula:
    if isinstance(left, Number) and isinstance(right, Number):
        return Truth(_COMPARISON[operator](left.value, right.value))
    return Comparison(operator, left, right)


def negation(operand: Formula) -> Formula:
    return Truth(not operand.value) if isinstance(operand, Truth) else Not(operand)


def conjunction(operands: Iterable[Formula]) -> Formula:
    return _chain("&&", operands, unit=True)


def disjunction(operands: Iterable[Formula]) -> Formula:
    return _chain("||", operands, unit=False)


def _chain(operator: Literal["&&", "||"], operands: Iterable[Formula], unit: bool) -> Formula:
    kept: list[Formula] = []
    for operand in operands:
        if not isinstance(operand, Truth):
            kept.append(operand)
        elif operand.value is not unit:
            return operand
    if not kept:
        return Truth(unit)
    return kept[0] if len(kept) == 1 else Connective(operator, tuple(kept))


def implication(left: Formula, right: Formula) -> Formula:
    if isinstance(left, Truth):
        return right if left.value else Truth(True)
    if isinstance(right, Truth):
        return right if right.value else negation(left)
    return Connective("=>", (left, right))


def equivalence(left: Formula, right: Formula) -> Formula:
    if isinstance(left, Truth):
        return right if left.value else negation(right)
    if isinstance(right, Truth):
        return left if right.value else negation(left)
    return Connective("<=>", (left, right))


def choice(condition: Formula, then: Formula, otherwise: Formula) -> Formula:
    """The Boolean `if`: both `condition => then` and `!condition => otherwise`."""
    if isinstance(condition, Truth):
        return then if condition.value else otherwise
    return conjunction((implication(condition, then), implication(negation(condition), otherwise)))
