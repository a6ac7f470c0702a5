"""The values of C constants and string literals."""

from __future__ import annotations

import re
import struct

from pincer.frontends.c.preprocessing.spelling import character_codes, character_value, integer_parts
from pincer.frontends.c.semantics.types import (
    CHAR,
    DOUBLE,
    FLOAT,
    INT,
    LONG_LONG,
    UNSIGNED_INT,
    UNSIGNED_LONG_LONG,
    UNSIGNED_SHORT,
    Floating,
    Integer,
    Target,
)

_FRAGMENT = re.compile(r'(u8|u|U|L)?"((?:[^"\\]|\\.)*)"', re.DOTALL)


def integer(spelling: str, target: Target) -> tuple[int, Integer]:
    """The value of an integer constant and the first type of its list that holds it."""
    value, suffix, decimal = integer_parts(spelling)
    for candidate in _candidates(suffix, decimal, target):
        limit = candidate.bits - candidate.signed
        if value < 1 << limit:
            return value, candidate
    return value & (1 << 64) - 1, UNSIGNED_LONG_LONG


def _candidates(suffix: str, decimal: bool, target: Target) -> list[Integer]:
    pairs = [(INT, UNSIGNED_INT), (target.long, target.unsigned_long), (LONG_LONG, UNSIGNED_LONG_LONG)]
    pairs = pairs[suffix.count("l") :]
    if "u" in suffix:
        return [pair[1] for pair in pairs]
    return [pair[0] for pair in pairs] if decimal else [type for pair in pairs for type in pair]


def floating(spelling: str, target: Target) -> tuple[int, Floating]:
    """The bits of a floating constant; those of a long double are not modelled and come out as zero."""
    body = spelling.lower()
    hexadecimal = body.startswith("0x")
    suffix = body[-1] if body[-1] == "l" or (body[-1] == "f" and not (hexadecimal and "p" not in body)) else ""
    digits = body[: len(body) - len(suffix)]
    number = float.fromhex(digits) if hexadecimal else float(digits)
    if suffix == "l":
        return 0, target.long_double
    return (float_bits(number, FLOAT), FLOAT) if suffix == "f" else (float_bits(number, DOUBLE), DOUBLE)


def float_bits(number: float, type: Floating) -> int:
    """The IEEE bits of a number, rounded to the type."""
    if type.size == 8:
        return int.from_bytes(struct.pack("<d", number), "little")
    try:
        return int.from_bytes(struct.pack("<f", number), "little")
    except OverflowError:
        return 0x7F800000 if number > 0 else 0xFF800000


def float_number(bits: int, type: Floating) -> float:
    """The number that IEEE bits stand for."""
    number: float = struct.unpack("<d" if type.size == 8 else "<f", bits.to_bytes(type.size, "little"))[0]
    return number


def character(spelling: str) -> tuple[int, Integer]:
    """The value of a character constant: an int; L'..' is a wchar_t."""
    value, prefix = character_value(spelling)
    return value, _unit_type(prefix) if prefix else INT


def _unit_type(prefix: str) -> Integer:
    return {"L": INT, "U": UNSIGNED_INT, "u": UNSIGNED_SHORT, "u8": CHAR, "": CHAR}[prefix]


def string(spelling: str, encoding: str = "utf-8") -> tuple[bytes, Integer]:
    """The bytes of a string literal with its terminating zero, and the type of its characters."""
    fragments = [(match[1] or "", match[2]) for match in _FRAGMENT.finditer(spelling)]
    prefix = next((prefix for prefix, _ in fragments if prefix), "")
    type = _unit_type(prefix)
    size = type.bits // 8
    units = [unit for _, body in fragments for unit in character_codes(body, size > 1, encoding)] + [0]
    return b"".join((unit & (1 << type.bits) - 1).to_bytes(size, "little") for unit in units), type
