"""scanf and fscanf: what they read are inputs, numbers and characters of texts.

A result says how many conversions took place. A text is read character by character, none of them a space, up to the
width of its conversion or as far as the input goes, which may be further than there is room.
"""

from __future__ import annotations

import re

from msgspec import Struct

from pincer.frontends.c.library.reading import use_stream
from pincer.frontends.c.library.stdio import keep_in_range
from pincer.frontends.c.lowering.calls import Site, any_value, known
from pincer.frontends.c.lowering.conditions import decide, only_if, unwritten
from pincer.frontends.c.lowering.conversions import convert, number, zero
from pincer.frontends.c.lowering.frame import Frame
from pincer.frontends.c.lowering.memory import assign
from pincer.frontends.c.lowering.values import MemoryPlace, Value
from pincer.frontends.c.semantics.tree import Written
from pincer.frontends.c.semantics.types import INT, VOID, CType, Floating, Integer, Pointer, is_scalar
from pincer.logic import bitvectors, terms
from pincer.logic.terms import Term
from pincer.program.control_flow import Assign, Assume, Input

_SCANNERS = {"scanf": 1, "fscanf": 2, "__isoc99_scanf": 1, "__isoc99_fscanf": 2}
_CONVERSION = re.compile(r"%(?P<flags>[-+ #0-9.*']*)(?P<length>hh|h|ll|l|j|z|t|q|L)?(?P<letter>.)", re.DOTALL)
_NUMBERS = "aefgAEFG"
_END = -1
_SPACES = (9, 13, 32)
"""The first and the last of the control characters that are spaces, and the space."""


class _NumberField(Struct, frozen=True):
    """Where a number goes, and of how many characters it may consist at most."""

    place: MemoryPlace
    most: int | None


class _Text(Struct, frozen=True):
    """Where the characters of a text go, and how many there may be at most."""

    type: Integer
    start: Term
    written: Written
    most: int | None


def _scan(site: Site) -> Value:
    """The first of what is asked for is read, as much as the result says."""
    frame = site.frame
    if _SCANNERS[site.name] == 2:
        use_stream(site, 0)
    wanted = _places(site)
    if wanted is None:
        frame.unsupported(f"what {site.name} reads here", site.node)
        return zero(frame, INT)
    result = Value(INT, frame.temporary(INT.bits))
    frame.emit(Input(result.term, site.name, "external", signed=True, usual=len(wanted)), site.node)
    keep_in_range(site, result, -1, len(wanted))
    for number_, place in enumerate(wanted):
        more = bitvectors.compare("bvslt", bitvectors.constant(number_, INT.bits), result.term)
        with only_if(frame, more, site.node):
            if isinstance(place, _Text):
                _read_text(site, place)
            else:
                _read_number(site, place)
    return result


def _read_number(site: Site, wanted: _NumberField) -> None:
    """Any number of the type; one of few characters is small."""
    frame, type = site.frame, wanted.place.type
    found = any_value(frame, type, f"number read by {site.name}", "external", site.node)
    if wanted.most is not None and 10**wanted.most < 1 << (frame.target.bits(type) - 1):
        keep_in_range(site, found, 1 - 10 ** (wanted.most - 1), 10**wanted.most - 1)
    assign(frame, wanted.place, found, site.node)


def _places(site: Site) -> list[_NumberField | _Text] | None:
    """Where things go; None when something else is read, or a pointer is of another type than its conversion."""
    first = _SCANNERS[site.name]
    format = site.literal(first - 1)
    if format is None:
        return None
    conversions = [part for part in _CONVERSION.finditer(format) if part["letter"] != "%"]
    stored = [part for part in conversions if "*" not in part["flags"]]
    pointers = site.values()[first:]
    if len(stored) != len(pointers) or any(part["letter"] not in f"diuoxXcs{_NUMBERS}" for part in conversions):
        return None
    places: list[_NumberField | _Text] = []
    for which, (part, pointer) in enumerate(zip(stored, pointers, strict=True), first):
        target = pointer.type.target if isinstance(pointer.type, Pointer) else VOID
        written = site.arguments[which].written
        if not _fits(part, target, site.frame):
            return None
        most = int(part["flags"]) if part["flags"] else None
        if part["letter"] == "s" and isinstance(target, Integer):
            places.append(_Text(target, pointer.term, written, most))
        else:
            places.append(_NumberField(MemoryPlace(target, pointer.term, written, pointer.origin), most))
    return places


def _fits(part: re.Match[str], target: CType, frame: Frame) -> bool:
    """Whether a conversion stores what a pointer points to, and what a width says of it is known."""
    letter, width = part["letter"], part["flags"]
    if width and not (letter in "ds" and width.isdecimal() and int(width)):
        return False
    if letter in _NUMBERS:
        return isinstance(target, Floating) and target.pattern_bits == {None: 32, "l": 64}.get(part["length"])
    if not is_scalar(target) or not isinstance(target, Integer) or target.boolean:
        return False
    return frame.target.bits(target) // 8 == _bytes(part, frame) and not (letter == "s" and part["length"])


def _bytes(conversion: re.Match[str], frame: Frame) -> int:
    if conversion["letter"] in "cs":
        return 1
    word = frame.target.pointer_bytes
    sizes = {"hh": 1, "h": 2, None: 4, "l": word, "ll": 8, "q": 8, "j": 8, "z": word, "t": word, "L": 8}
    return sizes[conversion["length"]]


def _read_text(site: Site, text: _Text) -> None:
    """Characters until the input ends the text, and a zero behind them."""
    frame, position = site.frame, site.frame.unit.position(site.node)
    builder = frame.builder
    at = frame.temporary(frame.target.pointer_bits)
    frame.emit(Assign(at, text.start), site.node)
    head, body, following, done = (builder.location() for _ in range(4))
    builder.jump(head, position)
    builder.at(head)
    if text.most is not None:
        is_full = terms.equal(bitvectors.binary("bvsub", at, text.start), frame.address(text.most))
        decide(frame, is_full, unwritten(done, body, position))
        builder.at(body)
    character = _character(site, terms.equal(at, text.start))
    decide(
        frame, terms.equal(character.term, bitvectors.constant(_END, INT.bits)), unwritten(done, following, position)
    )
    builder.at(following)
    place = MemoryPlace(text.type, at, text.written)
    assign(frame, place, convert(frame, character, text.type), site.node)
    frame.emit(Assign(at, bitvectors.binary("bvadd", at, frame.address(1))), site.node)
    builder.jump(head, position)
    builder.at(done)
    assign(frame, place, number(0, text.type), site.node)


def _character(site: Site, is_first: Term) -> Value:
    """A character that is no space, or the end of a text, which has one character at least."""
    frame = site.frame
    found = Value(INT, frame.temporary(INT.bits))
    source = f"number read by {site.name}"
    frame.emit(Input(found.term, source, "external", signed=True, usual=(1 << INT.bits) + _END), site.node)
    keep_in_range(site, found, _END, 255)
    first, last, space = (bitvectors.constant(code, INT.bits) for code in _SPACES)
    allowed = terms.conjunction(
        terms.disjunction(
            bitvectors.compare("bvslt", found.term, first), bitvectors.compare("bvslt", last, found.term)
        ),
        terms.negate(terms.equal(found.term, space)),
        terms.disjunction(
            terms.negate(is_first), terms.negate(terms.equal(found.term, bitvectors.constant(_END, INT.bits)))
        ),
    )
    frame.emit(Assume(allowed), site.node)
    return found


FUNCTIONS = known(_SCANNERS, _scan, INT)
