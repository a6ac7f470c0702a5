"""Floating-point inputs: what people read, and how a compiled test gets their very bits."""

from __future__ import annotations

import struct

_CODES = {32: ("f", "I", "float"), 64: ("d", "Q", "double")}


def number_text(pattern: int, width: int) -> str:
    """The shortest decimal text that stands for the number; `inf`, `nan`, with their signs."""
    if width not in _CODES:
        return hex(pattern)
    code, whole, _ = _CODES[width]
    (number,) = struct.unpack(f"<{code}", struct.pack(f"<{whole}", pattern))
    if number != number:
        return "-nan" if pattern >> (width - 1) else "nan"
    if width == 64 or number in (float("inf"), float("-inf")):
        return repr(number)
    texts = (f"{number:.{digits}g}" for digits in range(1, 10))
    return repr(float(next(text for text in texts if _pattern(float(text)) == pattern)))


def _pattern(number: float) -> int | None:
    try:
        return int(struct.unpack("<I", struct.pack("<f", number))[0])
    except OverflowError:
        return None


def type_name(width: int) -> str | None:
    """The C type of a number of so many bits."""
    return _CODES[width][2] if width in _CODES else None


def input_function(name: str, type: str, take: str) -> str:
    """A function that returns an input, which `take` gives as bits."""
    if type.endswith("__int128"):
        words = f'unsigned __int128 low = {take}("{name}"), high = {take}("{name}");'
        return f"{type} {name}() {{ {words} return ({type})(high << 64 | low); }}"
    if type not in ("float", "double"):
        return f'{type} {name}() {{ return ({type}){take}("{name}"); }}'
    return (
        f"{type} {name}() {{ union {{ unsigned long long bits; {type} number; }} input; "
        f'input.bits = {take}("{name}"); return input.number; }}'
    )
