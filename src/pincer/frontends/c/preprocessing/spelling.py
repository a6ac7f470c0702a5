"""The numbers that the spellings of constants stand for, whatever types they get."""

from __future__ import annotations

import re

_SIMPLE = {
    "n": 10, "t": 9, "r": 13, "0": 0, "a": 7, "b": 8, "f": 12, "v": 11, "e": 27, "\\": 92, "'": 39, '"': 34, "?": 63,
}  # fmt: skip
_ESCAPE = re.compile(r"\\(x[0-9a-fA-F]+|[0-7]{1,3}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)", re.DOTALL)


def integer_parts(spelling: str) -> tuple[int, str, bool]:
    """The value of an integer constant, its suffix in small letters, and whether it is decimal."""
    body = spelling.lower().replace("'", "")
    digits = body.rstrip("ul")
    return _value(digits), body[len(digits) :], digits[0] != "0" or digits == "0"


def _value(digits: str) -> int:
    if digits.startswith("0x"):
        return int(digits[2:], 16)
    if digits.startswith("0b"):
        return int(digits[2:], 2)
    return int(digits, 8) if digits[0] == "0" and len(digits) > 1 else int(digits)


def character_value(spelling: str) -> tuple[int, str]:
    """The value of a character constant, the last characters counting most, and its prefix."""
    prefix, body = spelling[: spelling.index("'")], spelling[spelling.index("'") + 1 : -1]
    codes = character_codes(body, wide=prefix != "")
    if prefix:
        return codes[0] if codes else 0, prefix
    value = 0
    for code in codes:
        value = value << 8 | code
    return value - 256 if len(codes) == 1 and value >= 128 else value, prefix


def character_codes(body: str, wide: bool, encoding: str = "utf-8") -> list[int]:
    """The codes between quotes: Unicode for wide literals, the bytes of the file's encoding for narrow ones."""
    codes: list[int] = []
    at = 0
    while at < len(body):
        match = _ESCAPE.match(body, at)
        if match is None:
            codes += [ord(body[at])] if wide else list(body[at].encode(encoding, "surrogateescape"))
            at += 1
            continue
        at = match.end()
        codes += _escape(match[1], wide)
    return codes


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
