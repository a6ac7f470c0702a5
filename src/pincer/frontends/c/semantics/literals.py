"""The values of C constants and string literals."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

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
from pincer.logic.machine_floats import from_ratio, number

_LARGEST_EXPONENT = 10_000
"""Powers of ten beyond any format: such constants are infinite or zero."""
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


@dataclass(frozen=True, slots=True)
class FloatingNumber:
    """A value of a floating type, by its pattern; it counts as true unless it is a zero."""

    pattern: int
    bits: int

    def __bool__(self) -> bool:
        return bool(self.pattern & ((1 << self.bits - 1) - 1))


def floating(spelling: str, target: Target) -> tuple[int, Floating]:
    """The pattern of a floating constant, rounded once from what is written."""
    body = spelling.lower()
    hexadecimal = body.startswith("0x")
    suffix = body[-1] if body[-1] == "l" or (body[-1] == "f" and not (hexadecimal and "p" not in body)) else ""
    digits = body[: len(body) - len(suffix)]
    type = target.long_double if suffix == "l" else FLOAT if suffix == "f" else DOUBLE
    return from_ratio(_ratio(digits, hexadecimal), type.pattern_bits or 0), type


def _ratio(digits: str, hexadecimal: bool) -> Fraction:
    """The exact value of a constant; one far beyond all formats is replaced by one that rounds alike."""
    base, mark = (16, "p") if hexadecimal else (10, "e")
    mantissa, _, power = digits.removeprefix("0x").partition(mark)
    whole, _, part = mantissa.partition(".")
    if not whole + part:
        raise ValueError(f"{digits} has no digits")
    value = Fraction(int(whole + part, base), base ** len(part))
    scale = max(-_LARGEST_EXPONENT, min(_LARGEST_EXPONENT, int(power or "0")))
    factor: int = (2 if hexadecimal else 10) ** abs(scale)
    return value * factor if scale >= 0 else value / factor


def float_number(bits: int, type: Floating) -> float:
    """The number that the pattern of a float or a double stands for."""
    return number(bits, 8 * type.size)


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
