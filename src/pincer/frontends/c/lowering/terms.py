"""Small questions about terms, and constructors for what C needs often."""

from __future__ import annotations

from pincer.logic import bitvectors, terms
from pincer.logic.terms import Term


def reads_memory(term: Term) -> bool:
    return any(part.op == "load" for part in bitvectors.state_reads(term))


def reads_room(term: Term) -> bool:
    return any(part.op == "room" for part in bitvectors.state_reads(term))


def flag(condition: Term, bits: int) -> Term:
    """1 where the condition holds, 0 elsewhere."""
    return terms.conditional(condition, bitvectors.constant(1, bits), bitvectors.constant(0, bits))


def resized(term: Term, bits: int, keep_sign: bool) -> Term:
    """Truncated or extended to a width."""
    width = bitvectors.width(term)
    if bits < width:
        return bitvectors.extract(bits - 1, 0, term)
    return bitvectors.extend(term, bits - width, keep_sign)
