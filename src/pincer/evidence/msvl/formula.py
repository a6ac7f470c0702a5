"""PPTL formulas for judging words: shared nodes, simplified only where that is plain to see."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal[
    "true", "false", "proposition", "empty", "length", "not", "and", "or", "next", "chop", "plus", "until", "project"
]


class Formula:
    """Made by the functions below; equal formulas are one object. A length has its number of steps in `steps`."""

    __slots__ = ("kind", "name", "number", "parts", "steps")

    def __init__(self, kind: Kind, parts: tuple[Formula, ...], name: str, steps: int, number: int) -> None:
        self.kind = kind
        self.parts = parts
        self.name = name
        self.steps = steps
        self.number = number


_table: dict[tuple[Kind, tuple[Formula, ...], str, int], Formula] = {}


def _shared(kind: Kind, *parts: Formula, name: str = "", steps: int = 0) -> Formula:
    key = (kind, parts, name, steps)
    found = _table.get(key)
    if found is None:
        found = _table[key] = Formula(kind, parts, name, steps, len(_table))
    return found


TRUE = _shared("true")
FALSE = _shared("false")
EMPTY = _shared("empty")


def proposition(name: str) -> Formula:
    return _shared("proposition", name=name)


def length(steps: int) -> Formula:
    return _shared("length", steps=steps) if steps else EMPTY


def not_(body: Formula) -> Formula:
    if body is TRUE or body is FALSE:
        return FALSE if body is TRUE else TRUE
    return body.parts[0] if body.kind == "not" else _shared("not", body)


def and_(parts: Iterable[Formula]) -> Formula:
    return _joined("and", parts, TRUE, FALSE)


def or_(parts: Iterable[Formula]) -> Formula:
    return _joined("or", parts, FALSE, TRUE)


def _joined(kind: Literal["and", "or"], parts: Iterable[Formula], unit: Formula, zero: Formula) -> Formula:
    """Without repetitions and units; one part and its negation make the zero."""
    flat: dict[Formula, None] = {}
    for part in parts:
        flat |= dict.fromkeys(part.parts if part.kind == kind else (part,))
    flat.pop(unit, None)
    if zero in flat or any(part.kind == "not" and part.parts[0] in flat for part in flat):
        return zero
    if len(flat) <= 1:
        return next(iter(flat), unit)
    return _shared(kind, *sorted(flat, key=lambda part: part.number))


def next_(body: Formula) -> Formula:
    return FALSE if body is FALSE else _shared("next", body)


def chop(first: Formula, second: Formula) -> Formula:
    if first is FALSE or second is FALSE:
        return FALSE
    if first is EMPTY:
        return second
    if second is TRUE and first is TRUE:
        return TRUE
    return _shared("chop", first, second)


def plus(body: Formula) -> Formula:
    return body if body in (TRUE, FALSE, EMPTY) or body.kind == "plus" else _shared("plus", body)


def until(before: Formula, then: Formula) -> Formula:
    return then if then in (TRUE, FALSE) else _shared("until", before, then)


def project(parts: tuple[Formula, ...], projected: Formula) -> Formula:
    """`(parts) prj projected`."""
    if not parts:
        return projected
    if FALSE in parts or projected is FALSE:
        return FALSE
    return chain(parts) if projected is EMPTY else _shared("project", *parts, projected)


def chain(parts: tuple[Formula, ...]) -> Formula:
    """`p ; q ; ...`."""
    total = parts[-1]
    for part in reversed(parts[:-1]):
        total = chop(part, total)
    return total


def sometimes(body: Formula) -> Formula:
    return chop(TRUE, body)


def always(body: Formula) -> Formula:
    return not_(sometimes(not_(body)))


def implies(left: Formula, right: Formula) -> Formula:
    return or_((not_(left), right))


def iff(left: Formula, right: Formula) -> Formula:
    return or_((and_((left, right)), and_((not_(left), not_(right)))))
