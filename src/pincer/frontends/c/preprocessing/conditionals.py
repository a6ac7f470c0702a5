"""The values of `#if` expressions: integers of 64 bits, signed or unsigned, as C17 6.10.1 and gcc have them."""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec import Struct

from pincer.frontends.c.preprocessing.spelling import character_value, integer_parts

_TOKEN = re.compile(
    r"""\s*(?:
    (?P<number>\.?\d(?:[\w.']|(?<=[eEpP])[+-])*)
  | (?P<character>(?:u8|[uUL])?'(?:[^'\\\n]|\\.)+')
  | (?P<name>[A-Za-z_$]\w*)
  | (?P<operator>\|\||&&|<<|>>|[=!<>]=|[-+*/%&|^<>!~?:,()])
  | (?P<other>\S)
)""",
    re.VERBOSE,
)
_INTEGER = re.compile(r"(?:0[xX][0-9a-fA-F]+|0[bB][01]+|0[0-7]*|[1-9][0-9]*)(?:[uU](?:l|L|ll|LL)?|(?:l|L|ll|LL)[uU]?)?")
_LEVELS = (
    ("||",), ("&&",), ("|",), ("^",), ("&",), ("==", "!="), ("<", ">", "<=", ">="), ("<<", ">>"), ("+", "-"),
    ("*", "/", "%"),
)  # fmt: skip
_MASK = (1 << 64) - 1


class NoExpression(Exception):
    """What is wrong with an expression, as a sentence."""


class _Number(Struct, frozen=True):
    """A value in the range of its type."""

    value: int
    unsigned: bool = False


def evaluate(text: str) -> bool:
    """Whether the condition of an `#if` holds, all macros being expanded. Raises NoExpression."""
    reader = _Reader(text)
    found = reader.comma(True)
    if reader.current != "":
        raise NoExpression(f"there is an operator missing before `{reader.current}`")
    return found.value != 0


class _Reader:
    """Recursive descent; what is not `live` (behind `0 &&`) is read but may divide by zero."""

    def __init__(self, text: str) -> None:
        self._tokens = [(match.lastgroup or "", match[0].strip()) for match in _TOKEN.finditer(text)]
        self._at = 0

    @property
    def current(self) -> str:
        return self._tokens[self._at][1] if self._at < len(self._tokens) else ""

    def _take(self, *wanted: str) -> str | None:
        if self.current not in wanted or not self.current:
            return None
        self._at += 1
        return self._tokens[self._at - 1][1]

    def _expect(self, wanted: str) -> None:
        if self._take(wanted) is None:
            raise NoExpression(f"`{wanted}` is missing")

    def comma(self, live: bool) -> _Number:
        found = self._conditional(live)
        while self._take(","):
            found = self._conditional(live)
        return found

    def _conditional(self, live: bool) -> _Number:
        condition = self._binary(0, live)
        if not self._take("?"):
            return condition
        then = self.comma(live and condition.value != 0)
        self._expect(":")
        otherwise = self._conditional(live and condition.value == 0)
        chosen = then if condition.value else otherwise
        return _wrapped(chosen.value, then.unsigned or otherwise.unsigned)

    def _binary(self, level: int, live: bool) -> _Number:
        if level == len(_LEVELS):
            return self._unary(live)
        left = self._binary(level + 1, live)
        while operator := self._take(*_LEVELS[level]):
            if operator in ("&&", "||"):
                decided = bool(left.value) == (operator == "||")
                right = self._binary(level + 1, live and not decided)
                left = _truth(bool(left.value) if decided else bool(right.value))
            else:
                left = _applied(operator, left, self._binary(level + 1, live), live)
        return left

    def _unary(self, live: bool) -> _Number:
        operator = self._take("!", "~", "-", "+")
        if operator is None:
            return self._primary(live)
        operand = self._unary(live)
        if operator == "!":
            return _truth(operand.value == 0)
        value = {"~": ~operand.value, "-": -operand.value, "+": operand.value}[operator]
        return _wrapped(value, operand.unsigned)

    def _primary(self, live: bool) -> _Number:
        if self._take("("):
            found = self.comma(live)
            self._expect(")")
            return found
        kind, text = self._tokens[self._at] if self._at < len(self._tokens) else ("", "")
        self._at += 1
        if kind == "number":
            return _number(text)
        if kind == "character":
            value, prefix = character_value(text)
            return _Number(value, prefix in ("u", "U"))
        if kind == "name":
            return _Number(0)
        raise NoExpression(f"`{text}` is no operand" if text else "an operand is missing")


def _number(text: str) -> _Number:
    if not _INTEGER.fullmatch(text):
        raise NoExpression(f"`{text}` is no integer constant")
    value, suffix, _ = integer_parts(text)
    return _Number(value & _MASK, "u" in suffix or value >> 63 != 0)


def _wrapped(value: int, unsigned: bool) -> _Number:
    value &= _MASK
    return _Number(value if unsigned or value >> 63 == 0 else value - (1 << 64), unsigned)


def _truth(value: bool) -> _Number:
    return _Number(int(value))


_COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "==": lambda a, b: a == b, "!=": lambda a, b: a != b, "<": lambda a, b: a < b,
    ">": lambda a, b: a > b, "<=": lambda a, b: a <= b, ">=": lambda a, b: a >= b,
}  # fmt: skip
_ARITHMETIC: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b,
    "&": lambda a, b: a & b, "|": lambda a, b: a | b, "^": lambda a, b: a ^ b,
}  # fmt: skip


def _applied(operator: str, left: _Number, right: _Number, live: bool) -> _Number:
    if operator in ("<<", ">>"):
        return _shifted(left, right.value if operator == "<<" else -right.value)
    unsigned = left.unsigned or right.unsigned
    a, b = _wrapped(left.value, unsigned).value, _wrapped(right.value, unsigned).value
    if operator in _COMPARISONS:
        return _truth(_COMPARISONS[operator](a, b))
    if operator in _ARITHMETIC:
        return _wrapped(_ARITHMETIC[operator](a, b), unsigned)
    if b == 0:
        if live:
            raise NoExpression("a division by zero")
        return _Number(0, unsigned)
    quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    return _wrapped(quotient if operator == "/" else a - quotient * b, unsigned)


def _shifted(number: _Number, places: int) -> _Number:
    """To the left, or for a negative number of places to the right, as gcc does."""
    places = max(-64, min(places, 64))
    value = number.value << places if places >= 0 else number.value >> -places
    return _wrapped(value, number.unsigned)
