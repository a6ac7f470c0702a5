"""Memory that takes any contents, piece by piece: what a word such as `klee_make_symbolic` does to an object."""

from __future__ import annotations

from msgspec import Struct

from pincer.frontends.c.lowering.conditions import decide, unwritten
from pincer.frontends.c.lowering.frame import Frame
from pincer.frontends.c.lowering.memory import assume_booleans, leaves
from pincer.frontends.c.lowering.values import Value
from pincer.frontends.c.semantics.tree import Written
from pincer.frontends.c.semantics.types import CType, Function, Integer, Pointer, Void
from pincer.logic import bitvectors, terms
from pincer.logic.terms import Term
from pincer.program.control_flow import Assign, Check, Input, InputKind, Store

_MOST_PIECES = 64


class ContentsOrigin(Struct, frozen=True):
    """Where contents come from, as inputs name it."""

    source: str
    kind: InputKind = "nondet"


def any_contents(frame: Frame, pointer: Value, size: Term, origin: ContentsOrigin, node: Written) -> None:
    """Give `size` bytes any values: scalars of the pointer's type where they fill them, otherwise bytes.

    All bytes take values in order of their addresses, those between members too: a test can store them in that order.
    """
    _check_room(frame, pointer.term, size, origin, node)
    known = bitvectors.constant_value(size)
    target = pointer.type.target if isinstance(pointer.type, Pointer) else None
    pieces = None if known is None else _pieces(frame, target, known)
    if pieces is None:
        _bytes_one_by_one(frame, pointer.term, size, origin, node)
        return
    for offset, part, signed in pieces:
        place = bitvectors.binary("bvadd", pointer.term, frame.address(offset))
        _put(frame, place, Input(frame.temporary(8 * part), _named(origin, offset), origin.kind, signed), node)
    if target is not None and known and frame.target.size(target) == known:
        assume_booleans(frame, target, pointer.term, node)


def _named(origin: ContentsOrigin, offset: int) -> str:
    return f"byte {offset} of {origin.source}" if offset else origin.source


def _check_room(frame: Frame, address: Term, size: Term, origin: ContentsOrigin, node: Written) -> None:
    room, offset = bitvectors.room(address), frame.unit.layout.offset(address)
    fits = terms.conjunction(
        bitvectors.compare("bvule", size, room),
        bitvectors.compare("bvule", offset, bitvectors.binary("bvsub", room, size)),
    )
    empty = terms.equal(size, frame.address(0))
    message = f"{origin.source.split()[-1]} writes outside of an object"
    frame.emit(Check("dereference", terms.disjunction(empty, fits), message), node)


def _pieces(frame: Frame, target: CType | None, size: int) -> list[tuple[int, int, bool]] | None:
    """Offsets, sizes and signs of the pieces that fill so many bytes; None when they are too many."""
    whole = 1 if target is None or isinstance(target, Void | Function) else frame.target.size(target) or 1
    if size % whole or size // whole > _MOST_PIECES:
        return None
    signed = isinstance(target, Integer) and target.signed
    parts = [(0, 1)] if whole == 1 or target is None else _without_gaps(leaves(target, frame.target), whole)
    if size // whole * len(parts) > _MOST_PIECES:
        return None
    return [(start + offset, part, signed) for start in range(0, size, whole) for offset, part in parts]


def _without_gaps(parts: list[tuple[int, int]], size: int) -> list[tuple[int, int]]:
    found, at = [], 0
    for offset, part in [*parts, (size, 0)]:
        found += [(gap, 1) for gap in range(at, offset)]
        found += [(offset, part)] if part else []
        at = offset + part
    return found


def _put(frame: Frame, place: Term, given: Input, node: Written) -> None:
    frame.emit(given, node)
    frame.emit(Store(place, given.register), node)


def _bytes_one_by_one(frame: Frame, address: Term, size: Term, origin: ContentsOrigin, node: Written) -> None:
    """A loop over the bytes."""
    builder, position = frame.builder, frame.unit.position(node)
    start, count = frame.temporary(bitvectors.width(address)), frame.temporary(bitvectors.width(address))
    frame.emit(Assign(start, address), node)
    frame.emit(Assign(count, frame.address(0)), node)
    head, inside, after = builder.location(), builder.location(), builder.location()
    length = frame.temporary(bitvectors.width(address))
    frame.emit(Assign(length, size), node)
    builder.jump(head, position)
    builder.at(head)
    decide(frame, bitvectors.compare("bvult", count, length), unwritten(inside, after, position))
    builder.at(inside)
    _put(
        frame,
        bitvectors.binary("bvadd", start, count),
        Input(frame.temporary(8), f"bytes of {origin.source}", origin.kind),
        node,
    )
    frame.emit(Assign(count, bitvectors.binary("bvadd", count, frame.address(1))), node)
    builder.jump(head, position)
    builder.at(after)
