"""Precedence: from the flat sequence of operands and operators that the grammar reads to a tree.

The grammar leaves precedence to this module so that `forall`, `exists` and `if` reach as far right as
possible wherever they stand, and so that a long or deeply nested formula costs one pass and no recursion.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import Literal, NamedTuple, TypeAlias, cast

from pincer.frontends.gcl.syntax import Chain, Infix, Prefix, Tree
from pincer.frontends.source import MisreadError

COMPARISONS = ("=", "!=", "<", "<=", ">", ">=")


class Level(IntEnum):
    """How tightly an operator holds its operands together."""

    LOOSEST = 0
    EQUIVALENCE = 1
    IMPLICATION = 2
    DISJUNCTION = 3
    CONJUNCTION = 4
    NOT = 5
    COMPARISON = 6
    SUM = 7
    PRODUCT = 8
    TIGHT = 9


INFIX_LEVEL: dict[str, Level] = {
    "<=>": Level.EQUIVALENCE,
    "=>": Level.IMPLICATION,
    "||": Level.DISJUNCTION,
    "&&": Level.CONJUNCTION,
    **dict.fromkeys(COMPARISONS, Level.COMPARISON),
    **dict.fromkeys(("+", "-"), Level.SUM),
    **dict.fromkeys(("*", "div", "mod"), Level.PRODUCT),
}


class OperatorToken(NamedTuple):
    text: str
    at: int


class _Pending(NamedTuple):
    """An operator whose right operand is still being read; `cramped`: a `!` right of a tighter operator."""

    text: str
    at: int
    level: Level
    prefix: bool
    cramped: bool = False


Item: TypeAlias = OperatorToken | Tree


def build_tree(items: Sequence[Item]) -> Tree:
    """The tree of operands, each after any number of prefix operators, with infix operators between them."""
    operands: list[Tree] = []
    pending: list[_Pending] = []
    after_operand = False
    for item in items:
        if not isinstance(item, OperatorToken):
            operands.append(item)
            after_operand = True
        elif after_operand:
            _push_infix(item, operands, pending)
            after_operand = False
        else:
            pending.append(_pending_prefix(item, pending[-1] if pending else None))
    while pending:
        _apply(operands, pending)
    return operands[0]


def _pending_prefix(token: OperatorToken, before: _Pending | None) -> _Pending:
    if token.text == "-":
        return _Pending(token.text, token.at, Level.TIGHT, prefix=True)
    cramped = before is not None and (before.level > Level.NOT or before.cramped)
    return _Pending(token.text, token.at, Level.NOT, prefix=True, cramped=cramped)


def _push_infix(token: OperatorToken, operands: list[Tree], pending: list[_Pending]) -> None:
    level = INFIX_LEVEL[token.text]
    right_associative = token.text == "=>"
    while pending and (pending[-1].level > level or (pending[-1].level == level and not right_associative)):
        if level == Level.COMPARISON == pending[-1].level:
            raise MisreadError(token.at, "comparisons do not chain; write `a < b && b < c`, or use parentheses")
        if pending[-1].level == level and token.text in ("&&", "||"):
            break
        _apply(operands, pending)
    if level > Level.NOT and pending and pending[-1].cramped:
        raise MisreadError(pending[-1].at, "put parentheses around the operand of `!`")
    pending.append(_Pending(token.text, token.at, level, prefix=False))


def _apply(operands: list[Tree], pending: list[_Pending]) -> None:
    """Close the operator on top, and for `&&` and `||` all neighbours of the same kind with it."""
    operator = pending.pop()
    if operator.prefix:
        operands.append(Prefix(cast(Literal["!", "-"], operator.text), operands.pop(), operator.at))
        return
    if operator.text not in ("&&", "||"):
        right, left = operands.pop(), operands.pop()
        operands.append(Infix(operator.text, left, right, left.at))
        return
    count = 2
    while pending and not pending[-1].prefix and pending[-1].text == operator.text:
        pending.pop()
        count += 1
    chained = tuple(operands[-count:])
    del operands[-count:]
    operands.append(Chain(cast(Literal["&&", "||"], operator.text), chained, chained[0].at))
