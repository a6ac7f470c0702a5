"""printf and its relatives where the format is known: each piece of it is a step of its own.

What is read by `%s` must be there. What goes into memory, and how many characters there are if that is asked for, is
made by functions of `printing.c`, one call for each piece. Other formats are left to the bodies there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pincer.frontends.c.library.bodies import FORMATS
from pincer.frontends.c.library.formats import STAR, Conversion, Piece, pieces
from pincer.frontends.c.library.reading import read_text, use_stream
from pincer.frontends.c.lowering.calls import Site, enter, known
from pincer.frontends.c.lowering.conditions import only_if
from pincer.frontends.c.lowering.conversions import convert, number, zero
from pincer.frontends.c.lowering.memory import spill
from pincer.frontends.c.lowering.values import Value
from pincer.frontends.c.semantics.bounds import array_member
from pincer.frontends.c.semantics.types import (
    CHAR,
    DOUBLE,
    INT,
    LONG_LONG,
    SHORT,
    SIGNED_CHAR,
    UNSIGNED_CHAR,
    UNSIGNED_INT,
    UNSIGNED_LONG_LONG,
    UNSIGNED_SHORT,
    VOID,
    Integer,
    Pointer,
    Target,
)
from pincer.logic import bitvectors, terms
from pincer.logic.terms import Term
from pincer.program.control_flow import Assign, Check, Input

_INTO_MEMORY = {"sprintf": None, "snprintf": 1}
"""Which argument is the size of the memory; without one there is no end to it."""
_ALIASES = {"__builtin_printf": 0, "__printf_chk": 1, "__fprintf_chk": 2, "printk": 0, "warn": 0, "warnx": 0}
_FLAGS = {"-": 1, "0": 2, "+": 4, " ": 8, "#": 16, "'": 0}
_UPPER = 32
_BASES = {"u": 10, "o": 8, "x": 16, "X": 16}
_PRINTED = "failure of printing"


@dataclass(frozen=True, slots=True)
class _Sink:
    """Where characters go: a target of a size, behind those that are there already."""

    site: Site
    target: Value
    size: Value


def _print(site: Site) -> Value | None:
    """A function that prints by a format that is known."""
    which = FORMATS.get(site.name, _ALIASES.get(site.name))
    assert which is not None
    format = site.literal(which)
    if format is None:
        return _unknown_format(site, which)
    found = pieces(format)
    taken = None if found is None else list(_with_arguments(found, len(site.arguments) - which - 1))
    if taken is None or any(arguments is None for _, arguments in taken):
        site.frame.unsupported(f"a format of {site.name} that does not fit its arguments", site.node)
        return zero(site.frame, site.type.result)
    given = [(piece, [which + 1 + index for index in arguments or ()]) for piece, arguments in taken]
    if site.name in ("fprintf", "__fprintf_chk"):
        use_stream(site, 0)
    if site.name in _INTO_MEMORY:
        return _into_memory(site, given)
    return _to_a_stream(site, given)


def _unknown_format(site: Site, which: int) -> Value | None:
    """Left to the body, if there is one; a format that is all that is printed is read, and converts nothing."""
    if site.name in site.frame.unit.program.definitions:
        return None
    site.frame.unsupported(f"a format of {site.name} that is no literal", site.node)
    return zero(site.frame, site.type.result)


def _with_arguments(found: Sequence[Piece], count: int) -> Iterator[tuple[Piece, range | None]]:
    """Each piece with the arguments that it takes, counted from the first after the format; None: there are none."""
    at = 0
    for piece in found:
        taken = piece.arguments if isinstance(piece, Conversion) else 0
        yield piece, range(at, at + taken) if at + taken <= count else None
        at += taken


def _to_a_stream(site: Site, given: Sequence[tuple[Piece, list[int]]]) -> Value:
    """Texts are read; the number of characters is found only if it is wanted."""
    frame = site.frame
    if not site.wanted or site.type.result == VOID:
        _read(site, given)
        return zero(frame, site.type.result)
    nowhere = convert(frame, number(0, INT), Pointer(CHAR))
    sink = _Sink(site, nowhere, number(0, frame.target.size_type))
    count = spill(frame, _put_all(sink, given))
    failure = frame.temporary(INT.bits)
    frame.emit(Input(failure, _PRINTED, "external", signed=True), site.node)
    result = frame.temporary(INT.bits)
    frame.emit(Assign(result, convert(frame, count, INT).term), site.node)
    with only_if(frame, bitvectors.compare("bvslt", failure, bitvectors.constant(0, INT.bits)), site.node):
        frame.emit(Assign(result, bitvectors.constant(-1, INT.bits)), site.node)
    return Value(INT, result)


def _read(site: Site, given: Sequence[tuple[Piece, list[int]]]) -> None:
    """What is read through pointers by a function whose result nobody looks at."""
    texts = [(piece, taken) for piece, taken in given if isinstance(piece, Conversion) and piece.letter in "snS"]
    if not texts:
        site.run_effects()
        return
    for piece, taken in texts:
        if piece.letter != "s" or piece.length or not isinstance(site.values()[taken[-1]].type, Pointer):
            site.frame.unsupported(f"%{piece.length}{piece.letter} of {site.name} here", site.node)
            continue
        most = None if piece.precision is None else _limit(site, piece, taken)
        read_text(site, taken[-1], most)


def _limit(site: Site, piece: Conversion, taken: Sequence[int]) -> Term:
    """The most characters that a precision lets be read; a negative one is none: as many as there are addresses."""
    given = _number(site, piece.precision, taken[-2] if piece.precision == STAR else 0, -1)
    return bitvectors.extend(given.term, site.frame.target.pointer_bits - INT.bits, True)


def _into_memory(site: Site, given: Sequence[tuple[Piece, list[int]]]) -> Value:
    """The text must end inside of the member that it is written to, if one is named."""
    frame, size_type = site.frame, site.frame.target.size_type
    which = _INTO_MEMORY[site.name]
    size = number(-1, size_type) if which is None else convert(frame, site.values()[which], size_type)
    target = site.pointer(0)
    sink = _Sink(site, spill(frame, target), spill(frame, size))
    at = spill(frame, _put_all(sink, given))
    array = array_member(site.arguments[0])
    room = None if array is None else frame.target.size(array)
    if room is not None:
        most = bitvectors.constant(room, size_type.bits)
        ends = (bitvectors.compare("bvult", at.term, most), bitvectors.compare("bvule", sink.size.term, most))
        message = f"{site.name} writes beyond the {room} bytes of {site.spelled(0)}"
        frame.emit(Check("bounds", terms.disjunction(*ends), message), site.node)
    return _call(sink, "end", [sink.target, sink.size, at])


def _put_all(sink: _Sink, given: Sequence[tuple[Piece, list[int]]]) -> Value:
    """The number of characters after all pieces."""
    site = sink.site
    site.values()
    at = number(0, site.frame.target.size_type)
    for piece, taken in given:
        at = _put_plain(sink, at, piece) if isinstance(piece, str) else _put(sink, at, piece, taken)
    return at


def _call(sink: _Sink, what: str, arguments: Sequence[Value]) -> Value:
    definition = sink.site.frame.unit.program.definitions[f"__pincer_put_{what}"]
    return enter(sink.site.frame, definition, arguments, sink.site.node, True)


def _put_plain(sink: _Sink, at: Value, text: str) -> Value:
    frame = sink.site.frame
    contents = text.encode(frame.unit.program.encoding, "surrogateescape")
    size_type = frame.target.size_type
    if bitvectors.constant_value(sink.size.term) == 0:
        length = bitvectors.constant(len(contents), size_type.bits)
        return Value(size_type, bitvectors.binary("bvadd", at.term, length))
    address = Value(Pointer(CHAR), frame.unit.string_address(contents + b"\0"))
    return _call(sink, "bytes", [sink.target, sink.size, at, address, number(len(contents), size_type)])


def _put(sink: _Sink, at: Value, piece: Conversion, taken: Sequence[int]) -> Value:
    site = sink.site
    stars = list(taken[:-1])
    width = _number(site, piece.width, stars.pop(0) if piece.width == STAR else 0, 0)
    precision = _number(site, piece.precision, stars.pop(0) if piece.precision == STAR else 0, -1)
    given = site.values()[taken[-1]]
    flags = sum(_FLAGS[flag] for flag in set(piece.flags))
    start = [sink.target, sink.size, at]
    left = number(flags & 1, INT)
    if piece.letter == "c" and not piece.length and isinstance(given.type, Integer):
        return _call(sink, "character", [*start, convert(site.frame, given, INT), left, width])
    if piece.letter == "s" and not piece.length and isinstance(given.type, Pointer):
        return _call(sink, "text", [*start, given, left, width, precision])
    if piece.letter in "fegFEG" and piece.length in ("", "l") and given.type == DOUBLE:
        flags |= _UPPER if piece.letter.isupper() else 0
        rest = [number(ord(piece.letter.lower()), INT), number(flags, INT), width, precision]
        return _call(sink, "floating", [*start, given, *rest])
    type = _integer(piece, site.frame.target)
    if type is None or not isinstance(given.type, Integer | Pointer):
        site.frame.unsupported(f"%{piece.length}{piece.letter} of {site.name}", site.node)
        return at
    converted = convert(site.frame, convert(site.frame, given, type), LONG_LONG if type.signed else UNSIGNED_LONG_LONG)
    if type.signed:
        return _call(sink, "signed", [*start, converted, number(flags, INT), width, precision])
    flags = flags & ~16 if piece.letter == "u" else flags | (_UPPER if piece.letter == "X" else 0)
    rest = [number(0, INT), number(_BASES[piece.letter], INT), number(flags, INT), width, precision]
    return _call(sink, "digits", [*start, converted, *rest])


def _number(site: Site, given: int | str | None, argument: int, missing: int) -> Value:
    if given == STAR:
        return convert(site.frame, site.values()[argument], INT)
    assert not isinstance(given, str)
    return number(missing if given is None else given, INT)


def _integer(piece: Conversion, target: Target) -> Integer | None:
    """The type of the number that a conversion prints."""
    signed = piece.letter in "di"
    if not signed and piece.letter not in _BASES:
        return None
    table: Mapping[str, tuple[Integer, Integer]] = {
        "hh": (SIGNED_CHAR, UNSIGNED_CHAR),
        "h": (SHORT, UNSIGNED_SHORT),
        "": (INT, UNSIGNED_INT),
        "l": (target.long, target.unsigned_long),
        "ll": (LONG_LONG, UNSIGNED_LONG_LONG),
        "q": (LONG_LONG, UNSIGNED_LONG_LONG),
        "j": (LONG_LONG, UNSIGNED_LONG_LONG),
        "z": (target.long, target.unsigned_long),
        "t": (target.long, target.unsigned_long),
    }
    return table[piece.length][0 if signed else 1] if piece.length in table else None


FUNCTIONS = known((*FORMATS, *_ALIASES), _print)
