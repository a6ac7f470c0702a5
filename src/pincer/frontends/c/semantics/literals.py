"""The values of C constants and string literals."""

from __future__ import annotations

import re
import struct

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

_SIMPLE = {
    "n": 10,
    "t": 9,
    "r": 13,
    "0": 0,
    "a": 7,
    "b": 8,
    "f": 12,
    "v": 11,
    "e": 27,
    "\\": 92,
    "'": 39,
    '"': 34,
    "?": 63,
}
_ESCAPE = re.compile(r"\\(x[0-9a-fA-F]+|[0-7]{1,3}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)", re.DOTALL)
_FRAGMENT = re.compile(r'(u8|u|U|L)?"((?:[^"\\]|\\.)*)"', re.DOTALL)


def integer(spelling: str, target: Target) -> tuple[int, Integer]:
    """The value of an integer constant and the first type of its list that holds it."""
    body = spelling.lower().replace("'", "")
    digits = body.rstrip("ul")
    suffix = body[len(digits) :]
    value = _digits(digits)
    decimal = digits[0] != "0" or digits == "0"
    for candidate in _candidates(suffix, decimal, target):
        limit = candidate.bits - candidate.signed
        if value < 1 << limit:
            return value, candidate
    return value & (1 << 64) - 1, UNSIGNED_LONG_LONG


def _digits(digits: str) -> int:
    if digits.startswith("0x"):
        return int(digits[2:], 16)
    if digits.startswith("0b"):
        return int(digits[2:], 2)
    return int(digits, 8) if digits[0] == "0" and len(digits) > 1 else int(digits)


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


def character(spelling: str, target: Target) -> tuple[int, Integer]:
    """The value of a character constant: an int, the last characters counting most; L'..' is a wchar_t."""
    prefix, body = spelling[: spelling.index("'")], spelling[spelling.index("'") + 1 : -1]
    units = _units(body, wide=prefix != "")
    if prefix:
        return units[0] if units else 0, _unit_type(prefix, target)
    value = 0
    for unit in units:
        value = value << 8 | unit
    if len(units) == 1 and value >= 128:
        value -= 256
    return value, INT


def _unit_type(prefix: str, target: Target) -> Integer:
    return {"L": INT, "U": UNSIGNED_INT, "u": UNSIGNED_SHORT, "u8": CHAR, "": CHAR}[prefix]


def string(spelling: str, target: Target, encoding: str = "utf-8") -> tuple[bytes, Integer]:
    """The bytes of a string literal with its terminating zero, and the type of its characters."""
    fragments = [(match[1] or "", match[2]) for match in _FRAGMENT.finditer(spelling)]
    prefix = next((prefix for prefix, _ in fragments if prefix), "")
    type = _unit_type(prefix, target)
    size = type.bits // 8
    units = [unit for _, body in fragments for unit in _units(body, size > 1, encoding)] + [0]
    return b"".join((unit & (1 << type.bits) - 1).to_bytes(size, "little") for unit in units), type


def _units(body: str, wide: bool, encoding: str = "utf-8") -> list[int]:
    """Character codes: Unicode for wide literals, the bytes of the file's encoding for narrow ones."""
    units: list[int] = []
    at = 0
    while at < len(body):
        match = _ESCAPE.match(body, at)
        if match is None:
            units += [ord(body[at])] if wide else list(body[at].encode(encoding, "surrogateescape"))
            at += 1
            continue
        at = match.end()
        units += _escape(match[1], wide)
    return units


def _escape(code: str, wide: bool) -> list[int]:
    if code[0] == "x":
        value = int(code[1:], 16)
        return [value if wide else value & 0xFF]
    if code[0] in "01234567":
        return [int(code, 8) & (0xFFFFFFFF if wide else 0xFF)]
    if code[0] in "uU":
        value = int(code[1:], 16)
        return [value] if wide else list(chr(value).encode("utf-8"))
    return [_SIMPLE.get(code, ord(code))]
