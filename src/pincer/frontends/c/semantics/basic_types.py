"""The types that words name: lists of specifiers, machine modes, and what holds the numbers of an enumeration."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pincer.frontends.c.semantics.types import (
    BOOL,
    CHAR,
    DOUBLE,
    FLOAT,
    INT,
    INT128,
    LONG_LONG,
    SHORT,
    SIGNED_CHAR,
    UNSIGNED_CHAR,
    UNSIGNED_INT,
    UNSIGNED_INT128,
    UNSIGNED_LONG_LONG,
    UNSIGNED_SHORT,
    VOID,
    CType,
    Floating,
    Integer,
    Target,
)

_OPAQUE = {"__float128": 16, "_Float128": 16, "__float80": 16, "_Float16": 2}


_SIGNS = frozenset(("signed", "unsigned"))
_WITHOUT_SIGN = frozenset(("float", "double", "void", "_Bool"))


def basic_type(names: Iterable[str], target: Target) -> CType | None:
    """The type of a list of specifiers in any order."""
    words = sorted(name.strip("_") if name in ("__signed__", "__signed") else name for name in names)
    count = {word: words.count(word) for word in words}
    if count.get("long", 0) > 2 or (_SIGNS & set(count) and _WITHOUT_SIGN & set(count)) or set(count) >= _SIGNS:
        return None
    if "_Complex" in count:
        return Floating("_Complex", 16)
    if "__builtin_va_list" in count:
        return target.argument_list
    for name, size in _OPAQUE.items():
        if name in count:
            return Floating(name, size)
    if "void" in count:
        return VOID
    if "_Bool" in count or words == ["bool"]:
        return BOOL
    if "float" in count or "_Float32" in count:
        return FLOAT
    if "double" in count or "_Float64" in count or "_Float32x" in count:
        return target.long_double if "long" in count else DOUBLE
    return _basic_integer(count, target)


def _basic_integer(count: Mapping[str, int], target: Target) -> Integer | None:
    unsigned = "unsigned" in count or "__uint128_t" in count
    rest = set(count) - {"unsigned", "signed", "int"}
    if rest <= {"char"}:
        if "char" in rest:
            return UNSIGNED_CHAR if unsigned else SIGNED_CHAR if "signed" in count else CHAR
        base: Integer = INT
    elif rest == {"short"}:
        base = SHORT
    elif rest == {"long"}:
        base = LONG_LONG if count["long"] > 1 else target.long
    elif rest <= {"__int128", "__int128_t", "__uint128_t"}:
        base = INT128
    else:
        return None
    return _make_unsigned(base, target) if unsigned else base


def moded(type: Integer, mode: str, target: Target) -> Integer:
    """The integer type of a machine mode, such as `QI`, with the sign of the type that it is an attribute of."""
    choices = {
        "QI": 8,
        "byte": 8,
        "HI": 16,
        "SI": 32,
        "DI": 64,
        "word": target.pointer_bits,
        "pointer": target.pointer_bits,
    }
    bits = choices.get(mode, type.bits)
    for candidate in (SIGNED_CHAR, SHORT, INT, target.long, LONG_LONG):
        if candidate.bits == bits:
            return candidate if type.signed else _make_unsigned(candidate, target)
    return type


def _make_unsigned(type: Integer, target: Target) -> Integer:
    pairs = {
        CHAR: UNSIGNED_CHAR,
        SIGNED_CHAR: UNSIGNED_CHAR,
        SHORT: UNSIGNED_SHORT,
        INT: UNSIGNED_INT,
        target.long: target.unsigned_long,
        LONG_LONG: UNSIGNED_LONG_LONG,
        INT128: UNSIGNED_INT128,
    }
    return pairs.get(type, type)


def holding(numbers: list[int], target: Target, smallest: bool = False) -> Integer:
    """The first type that holds all the numbers of an enumeration."""
    low, high = min(numbers, default=0), max(numbers, default=0)
    sizes = [(UNSIGNED_CHAR, SIGNED_CHAR), (UNSIGNED_SHORT, SHORT)] if smallest else []
    sizes += [(UNSIGNED_INT, INT), (target.unsigned_long, target.long), (UNSIGNED_LONG_LONG, LONG_LONG)]
    for without, with_sign in sizes:
        if low >= 0 and high < 1 << without.bits:
            return without
        if -(1 << with_sign.bits - 1) <= low and high < 1 << with_sign.bits - 1:
            return with_sign
    return LONG_LONG
