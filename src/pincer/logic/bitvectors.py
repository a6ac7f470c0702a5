"""Bit-vector terms: machine integers of a fixed width, in the same table as all other terms.

Values are unsigned integers below 2**width; `signed` reads one in two's complement. Division by zero follows SMT-LIB:
the quotient is all ones (unsigned) and the remainder is the dividend. Build terms with the functions here and with
`terms.equal` and `terms.conditional`; all of them simplify (see `bitvector_sums`, `bitvector_words` and
`bitvector_relations`).
"""

from __future__ import annotations

from collections.abc import Callable

from pincer.logic import floating_point, terms
from pincer.logic.bitvector_relations import compare, equal
from pincer.logic.bitvector_sums import (
    combination,
    conditional,
    constant,
    constant_value,
    linear_parts,
    negative,
    sort,
    variable,
    width,
)
from pincer.logic.bitvector_words import binary, concat, extend, extract, invert, load, room
from pincer.logic.machine_arithmetic import BINARY, COMPARISON, signed
from pincer.logic.terms import Term

__all__ = [
    "binary",
    "combination",
    "compare",
    "concat",
    "constant",
    "constant_value",
    "extend",
    "extract",
    "invert",
    "linear_parts",
    "load",
    "negative",
    "rebuild",
    "room",
    "signed",
    "sort",
    "state_reads",
    "variable",
    "width",
]


def rebuild(term: Term, visit: Callable[[Term], Term]) -> Term:
    """The same operation on visited arguments, normalised again."""
    op = term.op
    if op == "bvlin":
        return combination([(visit(factor), c) for factor, c in term.args[0]], term.args[1], width(term))
    if op in BINARY:
        return binary(op, *map(visit, term.args))
    if op in COMPARISON:
        return compare(op, *map(visit, term.args))
    if op == "concat":
        return concat(*map(visit, term.args))
    if op == "extract":
        return extract(term.args[0], term.args[1], visit(term.args[2]))
    if op in ("zero_extend", "sign_extend"):
        return extend(visit(term.args[1]), term.args[0], op == "sign_extend")
    if op == "load":
        return load(visit(term.args[0]), term.args[1])
    if op == "room":
        return room(visit(term.args[0]))
    return floating_point.rebuild(term, visit) if op.startswith("fp") else term


terms.install_bitvectors(equal, conditional, rebuild)


_reads: dict[Term, tuple[Term, ...]] = {}


def state_reads(term: Term) -> tuple[Term, ...]:
    """All `load` and `room` subterms, each after those that its address depends on."""
    found = _reads.get(term)
    if found is None:
        found = _reads[term] = tuple(part for part in terms.postorder(term) if part.op in ("load", "room"))
    return found
