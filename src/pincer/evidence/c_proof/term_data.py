"""Terms read as data: their parts, what they depend on, the names of their operations.

The meaning of an operation is that of its name in SMT-LIB; a `bvlin` term is the sum of its coefficients times its
factors and its constant, modulo 2**width.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pincer.logic.terms import Term

_ARITHMETIC = ("bvadd", "bvsub", "bvmul", "bvudiv", "bvurem", "bvsdiv", "bvsrem")
BINARY = frozenset((*_ARITHMETIC, "bvand", "bvor", "bvxor", "bvshl", "bvlshr", "bvashr"))
COMPARISON = frozenset(("bvult", "bvule", "bvslt", "bvsle"))


@dataclass(frozen=True, slots=True)
class Reads:
    """What a term depends on."""

    registers: frozenset[str] = frozenset()
    memory: bool = False
    rooms: bool = False


def children(term: Term) -> Iterator[Term]:
    """The terms a term is made of."""
    for arg in term.args:
        if isinstance(arg, Term):
            yield arg
    if term.op == "bvlin":
        for factor, _ in term.args[0]:
            yield factor


class Reader:
    """`Reads` of terms, remembered."""

    def __init__(self) -> None:
        self._known: dict[Term, Reads] = {}

    def reads(self, term: Term) -> Reads:
        pending = [term]
        while pending:
            current = pending[-1]
            waiting = [child for child in children(current) if child not in self._known]
            if current in self._known or not waiting:
                pending.pop()
                self._known.setdefault(current, self._combined(current))
            else:
                pending.extend(waiting)
        return self._known[term]

    def _combined(self, term: Term) -> Reads:
        if term.op == "var":
            return Reads(frozenset((str(term.args[0]),)))
        parts = [self._known[child] for child in children(term)]
        return Reads(
            frozenset().union(*(part.registers for part in parts)),
            term.op == "load" or any(part.memory for part in parts),
            term.op == "room" or any(part.rooms for part in parts),
        )


def variables(term: Term) -> list[Term]:
    """The registers and ghosts that a term mentions."""
    found: dict[Term, None] = {}
    seen: set[Term] = set()
    pending = [term]
    while pending:
        current = pending.pop()
        if current not in seen:
            seen.add(current)
            if current.op == "var":
                found[current] = None
            pending.extend(children(current))
    return list(found)
