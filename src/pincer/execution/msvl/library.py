"""Stubs of C library functions: their effect at the current state, on concrete values."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator

from pincer.errors import UnsupportedError
from pincer.execution.msvl.machine import Machine
from pincer.execution.msvl.records import NullPointer, OutOfBounds, OutputText, UndefinedValue, WrongType
from pincer.execution.msvl.store import ObjectInfo
from pincer.execution.msvl.values import NIL_VALUE, Concrete, PointerValue, Value

_LARGEST_ALLOCATION = 1 << 24
_Arguments = tuple[Concrete, ...]


def library_call(m: Machine, name: str, arguments: tuple[Value, ...], at: int) -> Value:
    """The result of a call; symbolic arguments become concrete."""
    if any(argument.symbolic is not None for argument in arguments):
        m.concretise(at, f"a call of {name}")
    return Value(_STUBS[name](m, tuple(argument.concrete for argument in arguments), at))


def _characters(m: Machine, concrete: Concrete, at: int) -> str:
    """The text that a string or a pointer to characters holds."""
    if isinstance(concrete, str):
        return concrete
    return "".join(_pointed(m, concrete, at))


def _pointed(m: Machine, pointer: Concrete, at: int) -> Iterator[str]:
    if not isinstance(pointer, PointerValue):
        raise m.error(WrongType, at, "a text is expected here")
    if not m.exists(pointer.object, pointer.generation):
        raise m.error(NullPointer, at, "the pointer is NULL or its target is gone")
    for offset in range(pointer.offset, pointer.high):
        value = m.load((pointer.object, offset))
        if value is NIL_VALUE:
            raise m.error(UndefinedValue, at, "the text contains characters without a value")
        if value.symbolic is not None:
            m.concretise(at, "the characters of a text")
        if not isinstance(value.concrete, int) or not 0 <= value.concrete < 0x110000:
            raise m.error(WrongType, at, "the array holds something that is no character")
        if value.concrete == 0:
            return
        yield chr(value.concrete)
    raise m.error(OutOfBounds, at, "the text is not closed by a zero inside its array")


def _integer(m: Machine, concrete: Concrete, at: int) -> int:
    if not isinstance(concrete, int):
        raise m.error(WrongType, at, "an integer is expected here")
    return concrete


def _float(m: Machine, concrete: Concrete, at: int) -> float:
    if not isinstance(concrete, int | float):
        raise m.error(WrongType, at, "a number is expected here")
    return float(concrete)


def _printf(m: Machine, arguments: _Arguments, at: int) -> Concrete:
    pattern = _characters(m, arguments[0], at)
    values = list(arguments[1:])
    shown = re.sub(r"%([-+ 0#]*\d*(?:\.\d+)?)[lh]*(.)?", lambda found: _formatted(m, found, values, at), pattern)
    m.outputs.append(OutputText(shown, m.state))
    return len(shown)


def _formatted(m: Machine, found: re.Match[str], values: list[Concrete], at: int) -> str:
    flags, letter = found[1], found[2]
    if letter == "%":
        return "%"
    if not values:
        raise m.error(WrongType, at, "printf has fewer values than its format asks for")
    value = values.pop(0)
    if letter in ("d", "i", "u", "x", "X", "o"):
        return f"%{flags}{'d' if letter == 'u' else letter}" % _integer(m, value, at)
    if letter in ("f", "g", "e"):
        return f"%{flags}{letter}" % _float(m, value, at)
    if letter == "c":
        return chr(_integer(m, value, at) % 0x110000)
    if letter == "s":
        return f"%{flags}s" % _characters(m, value, at)
    raise UnsupportedError(f"printf with `%{letter or ''}` is not modelled", m.program.source.position(at))


def _puts(m: Machine, arguments: _Arguments, at: int) -> Concrete:
    m.outputs.append(OutputText(_characters(m, arguments[0], at) + "\n", m.state))
    return 1


def _putchar(m: Machine, arguments: _Arguments, at: int) -> Concrete:
    code = _integer(m, arguments[0], at)
    m.outputs.append(OutputText(chr(code % 256), m.state))
    return code


def _strcmp(m: Machine, arguments: _Arguments, at: int) -> Concrete:
    left, right = (_characters(m, argument, at) for argument in arguments)
    return (left > right) - (left < right)


def _strcpy(m: Machine, arguments: _Arguments, at: int) -> Concrete:
    target = arguments[0]
    text = _characters(m, arguments[1], at)
    if not isinstance(target, PointerValue) or target.object not in m.store.objects:
        raise m.error(NullPointer, at, "strcpy needs an array of characters to write to")
    if target.offset + len(text) >= target.high:
        raise m.error(OutOfBounds, at, f"{len(text)} characters and a closing zero do not fit")
    for i, code in enumerate((*map(ord, text), 0)):
        m.write((target.object, target.offset + i), Value(code), at)
    return target


def _malloc(m: Machine, arguments: _Arguments, at: int) -> Concrete:
    size = _integer(m, arguments[0], at)
    if not 0 < size <= _LARGEST_ALLOCATION:
        raise m.error(
            OutOfBounds, at, f"malloc of {size} bytes; ask for a positive number, at most {_LARGEST_ALLOCATION}"
        )
    number = m.store.allocate(ObjectInfo("malloc", None, size, True, True))
    return PointerValue(number, 0, None, 0, size, m.store.generations[number])


def _free(m: Machine, arguments: _Arguments, at: int) -> Concrete:
    pointer = arguments[0]
    if not isinstance(pointer, PointerValue):
        raise m.error(WrongType, at, "free needs a pointer")
    if pointer.object == 0:
        return 0
    info = m.store.objects.get(pointer.object)
    known = info is not None and m.store.generations[pointer.object] == pointer.generation
    if info is None or not known or info.name != "malloc" or pointer.offset != 0:
        raise m.error(NullPointer, at, "free needs a pointer that malloc gave and nobody freed")
    m.store.release(pointer.object)
    return 0


def _sqrt(m: Machine, arguments: _Arguments, at: int) -> Concrete:
    value = _float(m, arguments[0], at)
    if value < 0:
        raise m.error(OutOfBounds, at, "the square root of a negative number")
    return math.sqrt(value)


_STUBS: dict[str, Callable[[Machine, _Arguments, int], Concrete]] = {
    "printf": _printf,
    "puts": _puts,
    "putchar": _putchar,
    "strlen": lambda m, a, at: len(_characters(m, a[0], at)),
    "strcmp": _strcmp,
    "strcpy": _strcpy,
    "malloc": _malloc,
    "free": _free,
    "abs": lambda m, a, at: abs(_integer(m, a[0], at)),
    "labs": lambda m, a, at: abs(_integer(m, a[0], at)),
    "fabs": lambda m, a, at: abs(_float(m, a[0], at)),
    "sqrt": _sqrt,
}
