"""PPTL formulas: interned, and equal up to propositional reasoning.

A formula is a decision diagram over *atoms*: the propositions, `empty`, and the formulas whose outermost operator is
temporal. So the Boolean simplifications (units, complements, absorption, De Morgan, double negation and all the
others) hold by construction, a formula and its derivatives have finitely many shapes, and `is` decides equality.

The order of the atoms depends on their structure alone, not on what was built before: the same formula has the same
diagram, and is printed the same, in every run. Outer operators come before inner ones and long lengths before short
ones: derivatives then keep the order of their atoms, and diagrams of nested formulas stay small.

`empty` comes first in that order. On an interval of one state every temporal operator collapses to a Boolean
combination of propositions (`at_end`), so the `empty` side of a diagram contains propositions only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from hashlib import blake2b
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal["prop", "empty", "len", "next", "chop", "plus", "until", "prj"]


class Atom:
    """A proposition, `empty`, or a temporal operator applied to formulas. Made by `pincer.temporal.operators`.

    `parts` are the operands; of a projection, the projected formula is the last. `name` belongs to propositions and
    `length` to `len(n)`, n >= 1.
    """

    __slots__ = ("depth", "key", "kind", "length", "name", "parts", "span")

    kind: Kind
    name: str
    length: int
    parts: tuple[Formula, ...]
    key: bytes
    depth: int
    span: int

    def __repr__(self) -> str:
        return f"Atom({self.kind}, {self.name or self.length or self.parts})"


class Formula:
    """`if atom then high else low`, or one of the two constants. Never construct one directly."""

    __slots__ = ("atom", "depth", "high", "key", "low", "span")

    atom: Atom | None
    high: Formula
    low: Formula
    key: bytes
    depth: int
    span: int

    def __repr__(self) -> str:
        from pincer.temporal.text import formula_text

        return f"Formula({formula_text(self)})"

    def __reduce__(self) -> tuple[object, ...]:
        raise TypeError("formulas are interned in one process and cannot be sent to another")


def _digest(*parts: bytes) -> bytes:
    return blake2b(b"".join(parts), digest_size=16).digest()


def _constant(key: bytes) -> Formula:
    formula = Formula()
    formula.atom = None
    formula.high = formula.low = formula
    formula.key = _digest(key)
    formula.depth = formula.span = 0
    return formula


TRUE = _constant(b"true")
FALSE = _constant(b"false")

_atoms: dict[tuple[Kind, str, int, tuple[Formula, ...]], Atom] = {}
_nodes: dict[tuple[Atom, Formula, Formula], Formula] = {}
_choices: dict[tuple[Formula, Formula, Formula], Formula] = {}
_negations: dict[Formula, Formula] = {TRUE: FALSE, FALSE: TRUE}
_ends: dict[Formula, Formula] = {TRUE: TRUE, FALSE: FALSE}


def make_atom(kind: Kind, name: str = "", length: int = 0, parts: tuple[Formula, ...] = ()) -> Atom:
    spelled = (kind, name, length, parts)
    atom = _atoms.get(spelled)
    if atom is None:
        atom = Atom()
        atom.kind, atom.name, atom.length, atom.parts = spelled
        atom.depth = 1 + max((part.depth for part in parts), default=0)
        atom.span = length + max((part.span for part in parts), default=0)
        atom.key = _order_key(atom)
        _atoms[spelled] = atom
    return atom


def _order_key(atom: Atom) -> bytes:
    if atom.kind == "empty":
        return b"\0"
    if atom.kind == "prop":
        return b"\1" + atom.name.encode("utf-8", "surrogatepass")
    structure = _digest(atom.kind.encode(), str(atom.length).encode(), *(part.key for part in atom.parts))
    return b"\2" + (_LAST - atom.depth).to_bytes(8) + (_LAST - atom.span).to_bytes(8) + structure


_LAST = 2**63
EMPTY_ATOM = make_atom("empty")


def _node(atom: Atom, high: Formula, low: Formula) -> Formula:
    if atom is EMPTY_ATOM:
        high = at_end(high)
        if high is at_end(low):
            return low
    if high is low:
        return low
    spelled = (atom, high, low)
    formula = _nodes.get(spelled)
    if formula is None:
        formula = Formula()
        formula.atom, formula.high, formula.low = spelled
        formula.key = _digest(atom.key, high.key, low.key)
        formula.depth = max(atom.depth, high.depth, low.depth)
        formula.span = max(atom.span, high.span, low.span)
        _nodes[spelled] = formula
        if len(_nodes) % _WATCH_EVERY == 0 and _watchers:
            _watchers[-1]()
    return formula


_WATCH_EVERY = 512
_watchers: list[Callable[[], None]] = []


@contextmanager
def watched(watcher: Callable[[], None]) -> Iterator[None]:
    """Calls the watcher now and then while diagrams grow; it may raise, the tables stay consistent."""
    _watchers.append(watcher)
    try:
        yield
    finally:
        _watchers.pop()


def diagram_size() -> int:
    """How many diagram nodes exist, to see growth."""
    return len(_nodes)


def choice(condition: Formula, then: Formula, otherwise: Formula) -> Formula:
    """`if condition then .. else ..`, the operation from which the other Boolean ones follow."""
    if condition is TRUE or then is otherwise:
        return then
    if condition is FALSE:
        return otherwise
    if then is TRUE and otherwise is FALSE:
        return condition
    asked = (condition, then, otherwise)
    result = _choices.get(asked)
    if result is None:
        atom = min((part.atom for part in asked if part.atom is not None), key=_atom_key)
        high = choice(*(part.high if part.atom is atom else part for part in asked))
        low = choice(*(part.low if part.atom is atom else part for part in asked))
        result = _choices[asked] = _node(atom, high, low)
    return result


def _atom_key(atom: Atom) -> bytes:
    return atom.key


def literal(atom: Atom, positive: bool = True) -> Formula:
    return _node(atom, TRUE, FALSE) if positive else _node(atom, FALSE, TRUE)


def not_(formula: Formula) -> Formula:
    result = _negations.get(formula)
    if result is None:
        assert formula.atom is not None
        result = _node(formula.atom, not_(formula.high), not_(formula.low))
        _negations[formula] = result
        _negations[result] = formula
    return result


def and_(left: Formula, right: Formula) -> Formula:
    return choice(left, right, FALSE) if left.key <= right.key else choice(right, left, FALSE)


def or_(left: Formula, right: Formula) -> Formula:
    return choice(left, TRUE, right) if left.key <= right.key else choice(right, TRUE, left)


def implies(left: Formula, right: Formula) -> Formula:
    return choice(left, right, TRUE)


def iff(left: Formula, right: Formula) -> Formula:
    return choice(left, right, not_(right))


def conjunction(formulas: Iterable[Formula]) -> Formula:
    result = TRUE
    for formula in _last_atom_first(formulas):
        result = and_(result, formula)
    return result


def disjunction(formulas: Iterable[Formula]) -> Formula:
    result = FALSE
    for formula in _last_atom_first(formulas):
        result = or_(result, formula)
    return result


def _last_atom_first(formulas: Iterable[Formula]) -> list[Formula]:
    """The order in which diagrams grow at their top, not somewhere inside."""
    return sorted(formulas, key=lambda formula: formula.atom.key if formula.atom is not None else b"", reverse=True)


def at_end(formula: Formula) -> Formula:
    """What the formula says about an interval of one state: a Boolean combination of propositions."""
    result = _ends.get(formula)
    if result is None:
        assert formula.atom is not None
        result = choice(_atom_at_end(formula.atom), at_end(formula.high), at_end(formula.low))
        _ends[formula] = result
    return result


def _atom_at_end(atom: Atom) -> Formula:
    match atom.kind:
        case "prop":
            return literal(atom)
        case "empty":
            return TRUE
        case "len" | "next":
            return FALSE
        case "until":
            return at_end(atom.parts[1])
        case "chop" | "plus" | "prj":
            return conjunction(at_end(part) for part in atom.parts)


EMPTY = literal(EMPTY_ATOM)
MORE = not_(EMPTY)


def single_atom(formula: Formula) -> Atom | None:
    """The atom when the formula is nothing else."""
    return formula.atom if formula.high is TRUE and formula.low is FALSE else None


_state_formulas: dict[Formula, bool] = {TRUE: True, FALSE: True}


def is_state_formula(formula: Formula) -> bool:
    """Whether the formula speaks about the first state only."""
    result = _state_formulas.get(formula)
    if result is None:
        assert formula.atom is not None
        result = formula.atom.kind == "prop" and is_state_formula(formula.high) and is_state_formula(formula.low)
        _state_formulas[formula] = result
    return result
