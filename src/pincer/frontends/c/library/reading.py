"""What the library reads through a pointer: a text up to its end, or a number of bytes. It must be there to be read.

The steps stand in the caller, at the call: what goes wrong goes wrong there, and for other threads these are reads.
"""

from __future__ import annotations

from pincer.frontends.c.lowering.calls import EFFECTS_OF, SIGN_OF, Site, known
from pincer.frontends.c.lowering.conditions import decide, unwritten
from pincer.frontends.c.lowering.conversions import NOTHING, convert
from pincer.frontends.c.lowering.frame import Frame
from pincer.frontends.c.lowering.memory import settled
from pincer.frontends.c.lowering.values import Value
from pincer.frontends.c.semantics.types import INT, VOID
from pincer.logic import bitvectors, terms
from pincer.logic.terms import Term
from pincer.program.control_flow import Assign, Check

_USE = "__pincer_use"
_OWN = "__pincer_"


def read_text(site: Site, number: int, most: Term | None = None) -> None:
    """The function reads the text that an argument points to, or the `most` first characters of it."""
    if site.literal(number) is not None:
        return
    what = f"{_reader(site)} reads {site.spelled(number)}, which is no text that ends within its object"
    _read_until_zero(site, site.pointer(number), what, most)


def _reader(site: Site) -> str:
    """The function that reads: the one that is called, or the library's that says by a word of ours what it reads."""
    name = site.frame.name if site.name.startswith(_OWN) else site.name
    return name.removeprefix(SIGN_OF).removeprefix(EFFECTS_OF)


def read_bytes(site: Site, number: int, count: Term) -> None:
    """The function reads so many bytes where an argument points to."""
    frame = site.frame
    pointer = site.pointer(number)
    what = f"{_reader(site)} reads {site.spelled(number)} beyond its object"
    frame.emit(Check("dereference", _has_room(frame, pointer.term, count), what), site.node)
    if frame.unit.threaded:
        _read_each(site, pointer, count)


def use_stream(site: Site, number: int) -> None:
    """The function uses the stream that an argument points to: there must be one, and it must be open."""
    stream = site.pointer(number)
    what = "no open stream is used" if site.name == _USE else f"{site.name} uses {site.spelled(number)}, no open stream"
    site.frame.emit(Check("dereference", site.frame.unit.layout.valid(stream.term, INT.bits // 8), what), site.node)


def _has_room(frame: Frame, address: Term, count: Term) -> Term:
    """So many bytes may be read at an address; none may be read anywhere."""
    room, offset = bitvectors.room(address), frame.unit.layout.offset(address)
    fits = bitvectors.compare("bvule", offset, bitvectors.binary("bvsub", room, count))
    none = terms.equal(count, frame.address(0))
    return terms.disjunction(none, terms.conjunction(bitvectors.compare("bvule", count, room), fits))


def _read_until_zero(site: Site, pointer: Value, what: str, most: Term | None) -> None:
    frame, position = site.frame, site.frame.unit.position(site.node)
    builder = frame.builder
    at = frame.temporary(frame.target.pointer_bits)
    frame.emit(Assign(at, pointer.term), site.node)
    head, body, following, done = (builder.location() for _ in range(4))
    builder.jump(head, position)
    builder.at(head)
    if most is not None:
        reached = terms.equal(bitvectors.binary("bvsub", at, pointer.term), most)
        decide(frame, reached, unwritten(done, body, position))
        builder.at(body)
    frame.emit(Check("dereference", frame.unit.layout.valid(at, 1), what), site.node)
    character = settled(frame, bitvectors.load(at, 1))
    ended = terms.equal(character, bitvectors.constant(0, 8))
    decide(frame, ended, unwritten(done, following, position))
    builder.at(following)
    frame.emit(Assign(at, bitvectors.binary("bvadd", at, frame.address(1))), site.node)
    builder.jump(head, position)
    builder.at(done)


def _read_each(site: Site, pointer: Value, count: Term) -> None:
    frame, position = site.frame, site.frame.unit.position(site.node)
    builder = frame.builder
    index = frame.temporary(frame.target.pointer_bits)
    frame.emit(Assign(index, frame.address(0)), site.node)
    head, body, done = (builder.location() for _ in range(3))
    builder.jump(head, position)
    builder.at(head)
    decide(frame, terms.equal(index, count), unwritten(done, body, position))
    builder.at(body)
    settled(frame, bitvectors.load(bitvectors.binary("bvadd", pointer.term, index), 1))
    frame.emit(Assign(index, bitvectors.binary("bvadd", index, frame.address(1))), site.node)
    builder.jump(head, position)
    builder.at(done)


def _stream_of_a_body(site: Site) -> Value:
    use_stream(site, 0)
    return NOTHING


def _text_of_a_body(site: Site) -> Value:
    read_text(site, 0)
    return NOTHING


def _bytes_of_a_body(site: Site) -> Value:
    read_bytes(site, 0, convert(site.frame, site.values()[1], site.frame.target.size_type).term)
    return NOTHING


FUNCTIONS = {
    **known((_USE,), _stream_of_a_body, VOID),
    **known(("__pincer_read_text",), _text_of_a_body, VOID),
    **known(("__pincer_read_bytes",), _bytes_of_a_body, VOID),
}
