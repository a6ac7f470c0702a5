"""Small questions about terms, and constructors that simplify what C produces often."""

from __future__ import annotations

from pincer.logic import bitvectors, terms
from pincer.logic.terms import Term

_reads: dict[Term, tuple[bool, bool]] = {}


def _leaves(term: Term) -> tuple[bool, bool]:
    """Whether a term reads memory, and whether it reads the size of an object."""
    known = _reads.get(term)
    if known is None:
        memory, room = term.op == "load", term.op == "room"
        if term.op != "var":
            for child in term.args:
                if isinstance(child, Term):
                    inner = _leaves(child)
                    memory, room = memory or inner[0], room or inner[1]
        known = _reads[term] = (memory, room)
    return known


def reads_memory(term: Term) -> bool:
    return _leaves(term)[0]


def reads_room(term: Term) -> bool:
    return _leaves(term)[1]


def is_temporary(term: Term) -> bool:
    """Whether a term is a register that the lowering introduced for one value."""
    return term.op == "var" and term.args[0].rpartition("::$")[2].isdigit()


def flag(condition: Term, bits: int) -> Term:
    """1 where the condition holds, 0 elsewhere."""
    return terms.conditional(condition, bitvectors.constant(1, bits), bitvectors.constant(0, bits))


def same(left: Term, right: Term) -> Term:
    """Equality; with a constant it is pushed through conditionals and extensions."""
    if right.op != "bvconst":
        left, right = right, left
    if right.op != "bvconst" or left.op == "bvconst":
        return terms.equal(left, right)
    value: int = right.args[0]
    if left.op == "ite":
        condition, then, otherwise = left.args
        if then.op == "bvconst" or otherwise.op == "bvconst":
            return terms.conditional(condition, same(then, right), same(otherwise, right))
    if left.op in ("zero_extend", "sign_extend"):
        inner = left.args[1]
        narrow = bitvectors.constant(value, bitvectors.width(inner))
        back = bitvectors.extend(narrow, left.args[0], left.op == "sign_extend")
        return same(inner, narrow) if back is right else terms.FALSE
    return terms.equal(left, right)


def resized(term: Term, bits: int, keep_sign: bool) -> Term:
    """Truncated or extended to a width."""
    width = bitvectors.width(term)
    if bits < width:
        return _truncated(term, bits)
    if bits > width and term.op == "ite" and term.args[1].op == term.args[2].op == "bvconst":
        condition, then, otherwise = term.args
        return terms.conditional(
            condition, resized(then, bits, keep_sign), resized(otherwise, bits, keep_sign)
        )
    return bitvectors.extend(term, bits - width, keep_sign)


def _truncated(term: Term, bits: int) -> Term:
    if term.op in ("zero_extend", "sign_extend"):
        inner = term.args[1]
        return resized(inner, bits, term.op == "sign_extend")
    if term.op == "ite" and term.args[1].op == term.args[2].op == "bvconst":
        condition, then, otherwise = term.args
        return terms.conditional(condition, _truncated(then, bits), _truncated(otherwise, bits))
    return bitvectors.extract(bits - 1, 0, term)
