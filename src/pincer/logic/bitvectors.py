"""Bit-vector terms: machine integers of a fixed width, in the same table as all other terms.

Values are unsigned integers below 2**width; `signed` reads one in two's complement. Division by zero follows SMT-LIB:
the quotient is all ones (unsigned) and the remainder is the dividend. Build terms with the functions here and with
`terms.equal` and `terms.conditional`; all of them simplify (see `bitvector_sums`, `bitvector_words` and
`bitvector_relations`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pincer.logic import terms
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
from pincer.logic.machine_arithmetic import BINARY, COMPARISON, binary_value, signed
from pincer.logic.terms import Term

__all__ = [
    "apply",
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
    "registers",
    "room",
    "signed",
    "sort",
    "state_reads",
    "variable",
    "width",
]


def apply(term: Term, args: Sequence[int]) -> int:
    """The value of a bit-vector operation on the values of its arguments (of its factors, for a sum)."""
    op = term.op
    if op == "bvlin":
        coefficients, total = term.args
        for (_, c), value in zip(coefficients, args, strict=True):
            total += c * value
        return int(total & ((1 << width(term)) - 1))
    if op == "bvconst":
        return int(args[0])
    if op in BINARY:
        return binary_value(op, args[0], args[1], width(term))
    if op in COMPARISON:
        return int(COMPARISON[op](args[0], args[1], width(term.args[0])))
    if op == "concat":
        return args[0] << width(term.args[1]) | args[1]
    if op == "extract":
        return args[2] >> args[1] & ((1 << width(term)) - 1)
    if op == "zero_extend":
        return args[1]
    if op == "sign_extend":
        return signed(args[1], width(term.args[1])) & ((1 << width(term)) - 1)
    raise ValueError(f"no value for {op}")


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
    return term


terms.install_bitvectors(equal, conditional, rebuild)


def registers(term: Term) -> frozenset[Term]:
    """The registers that a term reads, in addresses too."""
    return term.variables


_reads: dict[Term, tuple[Term, ...]] = {}


def state_reads(term: Term) -> tuple[Term, ...]:
    """All `load` and `room` subterms, each after those that its address depends on."""
    found = _reads.get(term)
    if found is None:
        found = _reads[term] = tuple(part for part in terms.postorder(term) if part.op in ("load", "room"))
    return found
