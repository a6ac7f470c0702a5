"""Numbers, characters and texts as written in a program, and back."""

from __future__ import annotations

import re

from pincer.frontends.gcl.source import MisreadError

_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}
_BACK = {value: key for key, value in _ESCAPES.items()} | {"\\": "\\", '"': '"', "'": "'"}
_ESCAPE = re.compile(r"\\(x[0-9a-fA-F]{1,2}|[0-7]{1,3}|.)", re.DOTALL)


def number_value(written: str) -> int | float:
    if written[:2] in ("0x", "0X"):
        return int(written.rstrip("uUlL"), 16)
    digits = written.rstrip("uUlLfF")
    return int(digits) if digits.isdigit() and "f" not in written.lower() else float(digits)


def text_value(written: str) -> str:
    """The characters between the quotes, escapes replaced."""
    return _ESCAPE.sub(_unescape, written[1:-1])


def character_value(written: str, at: int) -> int:
    value = text_value(written)
    if len(value) != 1:
        raise MisreadError(at, "a character literal holds exactly one character; texts stand between double quotes")
    return ord(value)


def quoted(value: str, quote: str) -> str:
    """`value` as a literal that reads back as the same characters."""
    other = '"' if quote == "'" else "'"
    return quote + "".join(_escaped(c) if c != other else c for c in value) + quote


def _unescape(match: re.Match[str]) -> str:
    body = match[1]
    if body[0] == "x" and len(body) > 1:
        return chr(int(body[1:], 16))
    if body[0] in "01234567":
        return chr(int(body, 8))
    return _ESCAPES.get(body, body)


def _escaped(character: str) -> str:
    if character in _BACK:
        return "\\" + _BACK[character]
    return f"\\{ord(character):03o}" if ord(character) < 32 else character
