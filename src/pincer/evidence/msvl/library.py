"""The C library functions that programs may call; output has no effect on states."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from pincer.errors import UnsupportedError
from pincer.evidence.msvl.forms import BeyondForms, LinearForm
from pincer.evidence.msvl.machine import ReplayMachine
from pincer.evidence.msvl.memory import CellAddress, Datum, NoState

_LARGEST_ALLOCATION = 1 << 24
_DIRECTIVE = re.compile(r"%([-+ 0#]*\d*(?:\.\d+)?)[lh]*(.)?")


def library_call(m: ReplayMachine, name: str, arguments: list[Datum]) -> Datum:
    """The effect of a call at this state, and its result."""
    if any(isinstance(argument, LinearForm) for argument in arguments):
        raise BeyondForms(f"`{name}` is called with what depends on a variable")
    first = arguments[0]
    match name:
        case "printf":
            return len(_formatted(m, _text(m, first), arguments[1:]))
        case "puts":
            _text(m, first)
            return 1
        case "putchar":
            return _integer(first)
        case "strlen":
            return len(_text(m, first))
        case "strcmp":
            left, right = _text(m, first), _text(m, arguments[1])
            return (left > right) - (left < right)
        case "strcpy":
            return _copied(m, first, _text(m, arguments[1]))
        case "malloc":
            size = _integer(first)
            if not 0 < size <= _LARGEST_ALLOCATION:
                raise NoState(f"malloc of {size} bytes")
            return CellAddress(m.memory.new("malloc", None, size), 0, None, 0, size)
        case "free":
            return _freed(m, first)
        case "abs" | "labs":
            return abs(_integer(first))
        case "fabs":
            return abs(_float(first))
        case "sqrt":
            if _float(first) < 0:
                raise NoState("the square root of a negative number")
            return math.sqrt(_float(first))
    raise NoState(f"there is no library function `{name}`")


def _integer(value: Datum) -> int:
    if not isinstance(value, int):
        raise NoState("an integer is expected")
    return value


def _float(value: Datum) -> float:
    if not isinstance(value, int | float):
        raise NoState("a number is expected")
    return float(value)


def _text(m: ReplayMachine, value: Datum) -> str:
    """The text that a string or an address of characters holds."""
    return value if isinstance(value, str) else "".join(_characters(m, value))


def _characters(m: ReplayMachine, value: Datum) -> Iterator[str]:
    if not isinstance(value, CellAddress) or value.variable is None or not m.exists(value.variable):
        raise NoState("a text is expected")
    for offset in range(value.offset, value.high):
        code = m.read(value.variable, offset)
        if not isinstance(code, int) or not 0 <= code < 0x110000:
            raise NoState("the array holds something that is no character")
        if code == 0:
            return
        yield chr(code)
    raise NoState("the text is not closed by a zero inside its array")


def _formatted(m: ReplayMachine, pattern: str, values: list[Datum]) -> str:
    left = list(values)

    def shown(found: re.Match[str]) -> str:
        flags, letter = found[1], found[2]
        if letter == "%":
            return "%"
        if not left:
            raise NoState("printf has fewer values than its format asks for")
        value = left.pop(0)
        match letter:
            case "d" | "i" | "u" | "x" | "X" | "o":
                return f"%{flags}{'d' if letter == 'u' else letter}" % _integer(value)
            case "f" | "g" | "e":
                return f"%{flags}{letter}" % _float(value)
            case "c":
                return chr(_integer(value) % 0x110000)
            case "s":
                return f"%{flags}s" % _text(m, value)
        raise UnsupportedError(f"printf with `%{letter or ''}` is not modelled")

    return _DIRECTIVE.sub(shown, pattern)


def _copied(m: ReplayMachine, target: Datum, text: str) -> Datum:
    if not isinstance(target, CellAddress) or target.variable is None or target.offset + len(text) >= target.high:
        raise NoState("strcpy needs an array of characters that is large enough")
    for offset, code in enumerate((*map(ord, text), 0), start=target.offset):
        m.write(target.variable, offset, code)
    return target


def _freed(m: ReplayMachine, pointer: Datum) -> int:
    if not isinstance(pointer, CellAddress):
        raise NoState("free needs an address")
    variable = pointer.variable
    if variable is None:
        return 0
    if not variable.there or variable.name != "malloc" or pointer.offset:
        raise NoState("free needs an address that malloc gave and nobody freed")
    m.memory.release(variable)
    return 0
