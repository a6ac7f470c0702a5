"""The compiler's builtins: byte swaps, bit counts, overflow tests, hints, questions."""

from __future__ import annotations

import re
from functools import reduce

from pincer.frontends.c.lowering.calls import Known, Site, known
from pincer.frontends.c.lowering.conversions import convert, number, truth_value
from pincer.frontends.c.lowering.expressions import foreseen_value, value
from pincer.frontends.c.lowering.memory import assign, spill
from pincer.frontends.c.lowering.values import MemoryPlace, Value, resized
from pincer.frontends.c.semantics.types import (
    INT,
    UNSIGNED_CHAR,
    UNSIGNED_INT,
    UNSIGNED_INT128,
    UNSIGNED_LONG_LONG,
    UNSIGNED_SHORT,
    Integer,
    Pointer,
)
from pincer.logic import bitvectors, terms
from pincer.logic.terms import Term
from pincer.program.control_flow import Check

_SWAPS = {
    "__builtin_bswap16": UNSIGNED_SHORT,
    "__builtin_bswap32": UNSIGNED_INT,
    "__builtin_bswap64": UNSIGNED_LONG_LONG,
    "__builtin_bswap128": UNSIGNED_INT128,
}
_REVERSED = {8: UNSIGNED_CHAR, 16: UNSIGNED_SHORT, 32: UNSIGNED_INT, 64: UNSIGNED_LONG_LONG}
_OVERFLOW = re.compile(r"__builtin_([su]?)(add|sub|mul)(l{0,2})_overflow(_p)?")
_COUNTED = ("popcount", "parity", "clz", "ctz", "ffs", "clrsb")
_COUNTS = re.compile(rf"__builtin_({'|'.join(_COUNTED)})(l{{0,2}})")


def _swap(site: Site) -> Value:
    type = _SWAPS[site.name]
    term = convert(site.frame, site.values()[0], type).term
    swapped = bitvectors.extract(7, 0, term)
    for low in range(8, type.bits, 8):
        swapped = bitvectors.concat(swapped, bitvectors.extract(low + 7, low, term))
    return Value(type, swapped)


def _reversed(site: Site) -> Value:
    """The bits in the opposite order."""
    type = _REVERSED[int(site.name.removeprefix("__builtin_bitreverse"))]
    term = convert(site.frame, site.values()[0], type).term
    return Value(type, reduce(bitvectors.concat, [bitvectors.extract(bit, bit, term) for bit in range(type.bits)]))


def _counted_type(site: Site, suffix: str) -> Integer:
    return {"": UNSIGNED_INT, "l": site.frame.target.unsigned_long, "ll": UNSIGNED_LONG_LONG}[suffix]


def _count(site: Site) -> Value:
    match = _COUNTS.fullmatch(site.name)
    assert match is not None
    type = _counted_type(site, match[2])
    term = convert(site.frame, site.values()[0], type).term
    kind = match[1]
    if kind in ("clz", "ctz"):
        defined = terms.negate(terms.equal(term, bitvectors.constant(0, type.bits)))
        site.frame.emit(Check("division", defined, f"{site.name} of zero"), site.node)
    return Value(INT, _count_term(kind, term))


def _count_term(kind: str, term: Term) -> Term:
    bits = bitvectors.width(term)
    digits = [bitvectors.extract(i, i, term) for i in range(bits)]
    if kind in ("popcount", "parity"):
        total = bitvectors.constant(0, INT.bits)
        for digit in digits:
            total = bitvectors.binary("bvadd", total, bitvectors.extend(digit, INT.bits - 1, False))
        return total if kind == "popcount" else bitvectors.binary("bvand", bitvectors.constant(1, INT.bits), total)
    if kind == "clrsb":
        folded = bitvectors.binary(
            "bvxor", term, bitvectors.binary("bvashr", term, bitvectors.constant(bits - 1, bits))
        )
        return bitvectors.binary("bvsub", _count_term("clz", folded), bitvectors.constant(1, INT.bits))
    one = bitvectors.constant(1, 1)
    result = bitvectors.constant(0 if kind == "ffs" else bits, INT.bits)
    order = range(bits) if kind == "clz" else range(bits - 1, -1, -1)
    for i in order:
        found = bits - 1 - i if kind == "clz" else i + (kind == "ffs")
        result = terms.conditional(terms.equal(digits[i], one), bitvectors.constant(found, INT.bits), result)
    return result


_OPERATIONS = {"add": "bvadd", "sub": "bvsub", "mul": "bvmul"}
_OVERFLOW_NAMES = [f"__builtin_{op}_overflow{p}" for op in _OPERATIONS for p in ("", "_p")] + [
    f"__builtin_{sign}{op}{size}_overflow" for sign in "su" for op in _OPERATIONS for size in ("", "l", "ll")
]


def _overflow(site: Site) -> Value:
    """The exact result at a width that holds it, stored at the width asked for; true when the two differ."""
    match = _OVERFLOW.fullmatch(site.name)
    assert match is not None
    frame = site.frame
    left, right, third = site.values()[:3]
    tested = match[4] is not None
    type = third.type if tested else third.type.target if isinstance(third.type, Pointer) else None
    if not all(isinstance(part, Integer) and part.bits <= 128 for part in (left.type, right.type, type)):
        frame.unsupported(f"{site.name} on these types", site.node)
        return number(0, INT)
    assert isinstance(type, Integer)
    width = 2 + 2 * max(part.bits for part in (left.type, right.type, type) if isinstance(part, Integer))
    a, b = (resized(part.term, width, isinstance(part.type, Integer) and part.type.signed) for part in (left, right))
    exact = bitvectors.binary(_OPERATIONS[match[2]], a, b)
    kept = resized(exact, type.bits, False)
    differs = terms.negate(terms.equal(resized(kept, width, type.signed), exact))
    if tested:
        return truth_value(differs)
    overflow = spill(frame, truth_value(differs))
    assign(frame, MemoryPlace(type, third.term, site.arguments[2].written, third.origin), Value(type, kept), site.node)
    return overflow


def _hint(site: Site) -> Value:
    given = site.values()[0]
    return given if site.name == "__builtin_assume_aligned" else convert(site.frame, given, site.frame.target.long)


def _is_constant(site: Site) -> Value:
    known = foreseen_value(site.frame, site.arguments[0])
    return number(int(known is not None and known.term.op == "bvconst"), INT)


def _object_size(site: Site) -> Value:
    """Unknown to the compiler: the largest size, or zero when the smallest is asked for."""
    kind = bitvectors.constant_value(value(site.frame, site.arguments[1]).term)
    return number(-1 if kind in (0, 1) else 0, site.frame.target.size_type)


_HINTS = ("__builtin_expect", "__builtin_expect_with_probability")
FUNCTIONS = {
    **{name: Known(_swap, type) for name, type in _SWAPS.items()},
    **known((f"__builtin_{kind}{size}" for kind in _COUNTED for size in ("", "l", "ll")), _count, INT),
    **{f"__builtin_bitreverse{bits}": Known(_reversed, type) for bits, type in _REVERSED.items()},
    **known(_OVERFLOW_NAMES, _overflow, INT),
    **known(_HINTS, _hint, lambda use: use.target.long),
    **known(("__builtin_assume_aligned",), _hint, lambda use: use.arguments[0]),
    **known(("__builtin_constant_p",), _is_constant, INT),
    **known(("__builtin_object_size", "__builtin_dynamic_object_size"), _object_size, lambda use: use.target.size_type),
}
