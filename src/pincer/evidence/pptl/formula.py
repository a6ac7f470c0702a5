"""PPTL formulas for judging words: shared nodes, kept as disjunctions of conjunctions.

That form makes what remains of a formula after more and more letters repeat: without it, what remains of an until would
be nested deeper with every letter.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal[
    "true", "false", "proposition", "empty", "length", "not", "and", "or", "next", "chop", "plus", "until", "project"
]


@dataclass(slots=True, eq=False, repr=False)
class Formula:
    """Made by the functions below; equal formulas are one object. A length has its number of steps in `steps`."""

    kind: Kind
    parts: tuple[Formula, ...]
    name: str
    steps: int
    number: int


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


class TooManyCases(Exception):
    """A formula has more cases than can be kept."""


_MOST_CASES = 2_000


def not_(body: Formula) -> Formula:
    match body.kind:
        case "true" | "false":
            return FALSE if body is TRUE else TRUE
        case "not":
            return body.parts[0]
        case "and":
            return or_(map(not_, body.parts))
        case "or":
            return and_(map(not_, body.parts))
    return _shared("not", body)


def or_(parts: Iterable[Formula]) -> Formula:
    """Without cases that another one covers; one part and its negation make the truth."""
    found = {case for part in parts for case in cases(part)}
    if any(len(case) == 1 and frozenset(map(not_, case)) in found for case in found):
        return TRUE
    if len(found) > _MOST_CASES:
        raise TooManyCases
    kept = [case for case in found if not any(other < case for other in found)]
    return _joined("or", map(_conjunction, kept), FALSE)


def and_(parts: Iterable[Formula]) -> Formula:
    found: set[frozenset[Formula]] = {frozenset()}
    for part in parts:
        joined = {case | more for case in found for more in cases(part)}
        found = {case for case in joined if not any(one.kind == "not" and one.parts[0] in case for one in case)}
        if len(found) > _MOST_CASES:
            raise TooManyCases
    return or_(map(_conjunction, found))


def cases(formula: Formula) -> list[frozenset[Formula]]:
    """The conjunctions of which the formula is the disjunction, as sets of literals."""
    if formula is FALSE:
        return []
    options = formula.parts if formula.kind == "or" else (formula,)
    return [frozenset(one.parts if one.kind == "and" else () if one is TRUE else (one,)) for one in options]


def _conjunction(case: frozenset[Formula]) -> Formula:
    return _joined("and", case, TRUE)


def _joined(kind: Literal["and", "or"], parts: Iterable[Formula], unit: Formula) -> Formula:
    ordered = sorted(parts, key=lambda part: part.number)
    if len(ordered) <= 1:
        return ordered[0] if ordered else unit
    return _shared(kind, *ordered)


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


def propositions(formula: Formula) -> list[str]:
    """All propositions of a formula, in order."""
    seen = {formula}
    pending = [formula]
    while pending:
        fresh = set(pending.pop().parts) - seen
        seen |= fresh
        pending += fresh
    return sorted(part.name for part in seen if part.kind == "proposition")
