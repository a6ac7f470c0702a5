"""memset, memcpy and memmove of a known number of bytes; other numbers are left to the bodies in the C library."""

from __future__ import annotations

from pincer.frontends.c.lowering.calls import Site, enter, known
from pincer.frontends.c.lowering.conversions import NOTHING, convert
from pincer.frontends.c.lowering.frame import Frame
from pincer.frontends.c.lowering.memory import check_access, chunks, kept_address, leaves, same_slot, settled, spill
from pincer.frontends.c.lowering.values import MemoryPlace, Value
from pincer.frontends.c.semantics.bounds import array_member
from pincer.frontends.c.semantics.types import UNSIGNED_CHAR, VOID, Array, CType, Pointer, Void
from pincer.logic import bitvectors, terms
from pincer.logic.terms import Term
from pincer.program.control_flow import Assign, Check, Copy, Fill, Store
from pincer.program.property import Assumption

_COPIES = ("memcpy", "__builtin_memcpy", "__memcpy_chk", "__builtin___memcpy_chk", "mempcpy")
_MOVES = ("memmove", "__builtin_memmove", "__memmove_chk", "__builtin___memmove_chk")
_FILLS = ("memset", "__builtin_memset", "__memset_chk", "__builtin___memset_chk")
_COMPARISONS = ("memcmp", "bcmp")
_TEXTS = ("strcpy", "stpcpy", "strcat", "strncat")
_LARGEST_TEXT = 256
TEXTS_FIT = Assumption(
    f"`strcpy` and its like stay inside of members of more than {_LARGEST_TEXT} bytes",
    concerns=frozenset({"memory"}),
)
_MOST_PIECES = 64


def _size(site: Site) -> int | None:
    return bitvectors.constant_value(_count(site))


def _count(site: Site) -> Term:
    return _length(site, 2)


def _length(site: Site, number: int) -> Term:
    return convert(site.frame, site.values()[number], site.frame.target.size_type).term


def _must_be_apart(site: Site) -> Value:
    """For the bodies in the library: what they copy so far must not overlap."""
    _check_apart(site)
    return NOTHING


def _check_apart(site: Site) -> None:
    """Copied bytes must not overlap with their copies. To copy an object onto itself is harmless everywhere.

    Bytes of different objects are apart: accesses beyond their ends are checked anyway.
    """
    target, source = site.pointer(0), site.pointer(1)
    if _of_different_objects(target, source):
        return
    distance = bitvectors.binary("bvsub", target.term, source.term)
    condition = terms.disjunction(
        terms.equal(target.term, source.term),
        terms.negate(same_slot(site.frame.unit.layout, target.term, source.term)),
        terms.conjunction(
            bitvectors.compare("bvule", _count(site), distance),
            bitvectors.compare("bvule", _count(site), bitvectors.negative(distance)),
        ),
    )
    names = f"{site.spelled(1)} is copied to {site.spelled(0)}"
    site.frame.emit(Check("overlap", condition, f"{names}, which overlaps with it"), site.node)


def _must_be_disjoint(site: Site) -> Value:
    """For the bodies in the library: the bytes that they write and those that they read have none in common."""
    written, read = site.pointer(0), site.pointer(2)
    to_end, from_end = (_length(site, 1), _length(site, 3))
    condition = terms.disjunction(
        terms.negate(same_slot(site.frame.unit.layout, written.term, read.term)),
        bitvectors.compare("bvule", bitvectors.binary("bvadd", written.term, to_end), read.term),
        bitvectors.compare("bvule", bitvectors.binary("bvadd", read.term, from_end), written.term),
    )
    site.frame.emit(Check("overlap", condition, "a text is printed to where it is read from"), site.node)
    return NOTHING


def _of_different_objects(left: Value, right: Value) -> bool:
    """Whether the addresses start from two named objects."""
    bases = [value.origin.base for value in (left, right) if value.origin is not None and value.origin.size is not None]
    return len(bases) == 2 and all(base.op == "bvconst" for base in bases) and bases[0] is not bases[1]


def _compare(site: Site) -> None:
    """All bytes that are compared must be there, also those after the first difference; the body does the rest."""
    for number in (0, 1):
        pointer = site.pointer(number)
        readable = _readable(site.frame, pointer, _count(site))
        message = f"{site.name} reads {site.spelled(number)} beyond the end of its object"
        site.frame.emit(Check("dereference", readable, message), site.node)


def _readable(frame: Frame, pointer: Value, count: Term) -> Term:
    """The condition under which so many bytes may be read."""
    known = bitvectors.constant_value(count)
    layout = frame.unit.layout
    if known is not None:
        return layout.valid(pointer.term, known) if known else terms.TRUE
    room = bitvectors.room(pointer.term)
    fits = bitvectors.compare("bvule", layout.offset(pointer.term), bitvectors.binary("bvsub", room, count))
    nothing = terms.equal(count, frame.address(0))
    return terms.disjunction(nothing, terms.conjunction(bitvectors.compare("bvule", count, room), fits))


def _write_text(site: Site) -> Value | None:
    """A text that is written to a member ends inside of it; the body writes it."""
    frame = site.frame
    array, definition = array_member(site.arguments[0]), frame.unit.program.definitions.get(site.name)
    size = None if array is None else frame.target.size(array)
    if size is None or definition is None:
        return None
    if size > _LARGEST_TEXT:
        frame.unit.assume(TEXTS_FIT)
        return None
    start = spill(frame, site.pointer(0)).term
    result = enter(frame, definition, site.values(), site.node, site.wanted)
    bytes_ = (bitvectors.load(bitvectors.binary("bvadd", start, frame.address(at)), 1) for at in range(size))
    ends = terms.disjunction(*(terms.equal(byte, bitvectors.constant(0, 8)) for byte in bytes_))
    message = f"{site.name} writes beyond the {size} bytes of {site.spelled(0)}"
    frame.emit(Check("bounds", ends, message), site.node)
    return result


def _write_some(site: Site) -> None:
    """`strncpy` fills as many bytes as it is told to."""
    array = array_member(site.arguments[0])
    size = None if array is None else site.frame.target.size(array)
    if size is not None:
        fits = bitvectors.compare("bvule", _count(site), site.frame.address(size))
        message = f"{site.name} writes beyond the {size} bytes of {site.spelled(0)}"
        site.frame.emit(Check("bounds", fits, message), site.node)


def _shape(frame: Frame, pointer: Value, size: int) -> CType:
    """The type in which to see the bytes: the one pointed to, or an array of it, or plain bytes."""
    target = pointer.type.target if isinstance(pointer.type, Pointer) else VOID
    whole = None if isinstance(target, Void) else frame.target.size(target)
    if not whole or size % whole:
        return Array(UNSIGNED_CHAR, size)
    return target if whole == size else Array(target, size // whole)


def _place(site: Site, number: int, shape: CType) -> MemoryPlace:
    pointer = site.pointer(number)
    return MemoryPlace(shape, pointer.term, site.arguments[number].written, pointer.origin)


def _copy(site: Site) -> Value | None:
    size = _size(site)
    _check_apart(site)
    if size is None:
        return None
    frame = site.frame
    target, source = site.pointer(0), site.pointer(1)
    shape = _shape(frame, target, size)
    if isinstance(shape, Array) and shape.element == UNSIGNED_CHAR:
        shape = _shape(frame, source, size)
    if size:
        check_access(frame, _place(site, 1, shape), size)
        check_access(frame, _place(site, 0, shape), size, write=True)
        _copy_pieces(site, target.term, source.term, _pieces(frame, shape, size), size)
    if site.name == "mempcpy":
        return Value(Pointer(VOID), bitvectors.binary("bvadd", target.term, frame.address(size)))
    return Value(Pointer(VOID), target.term, target.origin)


def _copy_pieces(site: Site, target: Term, source: Term, pieces: list[tuple[int, int]], size: int) -> None:
    frame = site.frame
    if len(pieces) > _MOST_PIECES:
        frame.emit(Copy(target, source, frame.address(size)), site.node)
        return
    target, source = kept_address(frame, target), kept_address(frame, source)
    for offset, part in pieces:
        value = settled(frame, bitvectors.load(bitvectors.binary("bvadd", source, frame.address(offset)), part))
        frame.emit(Store(bitvectors.binary("bvadd", target, frame.address(offset)), value), site.node)


def _pieces(frame: Frame, shape: CType, size: int) -> list[tuple[int, int]]:
    """All bytes of the shape in pieces: its scalars, and the padding between them. If there are too many, only some."""
    scalars = leaves(shape, frame.target)
    if len(scalars) > _MOST_PIECES:
        return scalars
    found: dict[int, int] = {}
    end = 0
    for offset, part in [*scalars, (size, 0)]:
        chunks(end, offset - end, found)
        if part:
            found[offset] = part
        end = offset + part
    return sorted(found.items())


def _move(site: Site) -> Value | None:
    """The pieces are all read before the first is written, for the two may overlap."""
    size = _size(site)
    frame = site.frame
    target, source = site.pointer(0), site.pointer(1)
    if size is None:
        return None
    shape = _shape(frame, target, size)
    pieces = _pieces(frame, shape, size)
    if len(pieces) > _MOST_PIECES:
        return None
    if size:
        check_access(frame, _place(site, 1, shape), size)
        check_access(frame, _place(site, 0, shape), size, write=True)
    kept = [(offset, _kept(frame, source.term, offset, part)) for offset, part in pieces]
    start = kept_address(frame, target.term)
    for offset, piece in kept:
        frame.emit(Store(bitvectors.binary("bvadd", start, frame.address(offset)), piece), site.node)
    return Value(Pointer(VOID), target.term, target.origin)


def _kept(frame: Frame, source: Term, offset: int, size: int) -> Term:
    piece = frame.temporary(8 * size)
    frame.emit(Assign(piece, bitvectors.load(bitvectors.binary("bvadd", source, frame.address(offset)), size)))
    return piece


def _fill(site: Site) -> Value | None:
    size = _size(site)
    if size is None:
        return None
    frame = site.frame
    target = site.pointer(0)
    byte = convert(frame, site.values()[1], UNSIGNED_CHAR).term
    shape = _shape(frame, target, size)
    if size:
        check_access(frame, _place(site, 0, shape), size, write=True)
        _fill_bytes(site, target.term, shape, size, byte)
    return Value(Pointer(VOID), target.term, target.origin)


def _fill_bytes(site: Site, target: Term, shape: CType, size: int, byte: Term) -> None:
    frame = site.frame
    pieces = _pieces(frame, shape, size)
    code = bitvectors.constant_value(byte)
    if code is None or len(pieces) > _MOST_PIECES:
        frame.emit(Fill(target, frame.address(size), byte), site.node)
        return
    target = kept_address(frame, target)
    for offset, part in pieces:
        value = bitvectors.constant(int.from_bytes(bytes([code]) * part, "little"), 8 * part)
        frame.emit(Store(bitvectors.binary("bvadd", target, frame.address(offset)), value), site.node)


FUNCTIONS = {
    **known(("__must_be_apart",), _must_be_apart, VOID),
    **known(("__must_be_disjoint",), _must_be_disjoint, VOID),
    **known(_COPIES, _copy, Pointer(VOID)),
    **known(_MOVES, _move, Pointer(VOID)),
    **known(_FILLS, _fill, Pointer(VOID)),
    **known(_COMPARISONS, _compare),
    **known(_TEXTS, _write_text),
    **known(("strncpy",), _write_some),
}
