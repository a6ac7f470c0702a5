"""Guesses about pointers: which object one points into, how large that is, and how far inside it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from operator import or_

from pincer.engines.cutpoints.candidates import orders, pointers_of, sizes, values
from pincer.engines.cutpoints.limits import LIMITS
from pincer.engines.cutpoints.view import View
from pincer.logic import bitvectors, terms
from pincer.logic.bitvectors import constant, width
from pincer.logic.terms import Term
from pincer.program.control_flow import Allocate


def buffer_candidates(view: View, cut: int) -> Iterator[Term]:
    """What may be known about the pointers at a cut point."""
    pointers = pointers_of(view, cut)
    for pointer in pointers:
        yield terms.negate(_is_null(pointer))
        yield from _about(view, cut, pointer)
        if len({state.value(pointer) == 0 for state in view.states.get(cut, ())}) > 1:
            yield from _sometimes_null(view, cut, pointer, pointers)
    yield from _between(view, pointers)
    yield from _fixed(view)


def _sometimes_null(view: View, cut: int, pointer: Term, pointers: Sequence[Term]) -> Iterator[Term]:
    """A pointer that is null at times: what is zero then, and what is known of it otherwise."""
    is_null = _is_null(pointer)
    for value in values(view, cut):
        if value not in pointers:
            is_zero = terms.equal(value, constant(0, width(value)))
            yield terms.disjunction(terms.negate(is_null), is_zero)
            yield terms.disjunction(is_null, terms.negate(is_zero))
    for other in pointers:
        if other is not pointer:
            for claim in _pair(view, pointer, other):
                yield terms.disjunction(is_null, claim)
    yield from _unless_null(view, cut, pointer)


def nullable_candidates(view: View, cut: int) -> Iterator[Term]:
    """What may be known about pointers where they are not null."""
    for pointer in pointers_of(view, cut):
        yield from _unless_null(view, cut, pointer)


def _unless_null(view: View, cut: int, pointer: Term) -> Iterator[Term]:
    return (terms.disjunction(_is_null(pointer), claim) for claim in _about(view, cut, pointer))


def _is_null(pointer: Term) -> Term:
    return terms.equal(pointer, constant(0, width(pointer)))


def _about(view: View, cut: int, pointer: Term) -> Iterator[Term]:
    layout, bits = view.layout, view.layout.pointer_bits
    room, offset = bitvectors.room(pointer), layout.offset(pointer)
    yield bitvectors.compare("bvule", room, constant(layout.slot // 2, bits))
    yield bitvectors.compare("bvule", offset, room)
    yield bitvectors.compare("bvult", offset, room)
    yield terms.equal(offset, constant(0, bits))
    yield bitvectors.compare("bvule", constant(view.program.first_free, bits), pointer)
    yield bitvectors.compare("bvult", pointer, view.program.top)
    yield from _freeable(view, pointer)
    states = view.states.get(cut, ())
    rooms = {state.value(room) for state in states}
    for size in (*sizes(view, cut), *(constant(number, bits) for number in rooms if len(rooms) == 1)):
        yield terms.equal(room, size)
        yield bitvectors.compare("bvule", size, room)
    moves = any(state.value(offset) for state in states)
    rest = bitvectors.binary("bvsub", room, offset) if moves else room
    for length in _lengths(view, cut):
        yield bitvectors.compare("bvule", length, rest)
        yield bitvectors.compare("bvult", length, rest)
        yield terms.equal(rest, length)
        if moves:
            yield bitvectors.compare("bvule", length, offset)
            yield bitvectors.compare("bvule", length, bitvectors.binary("bvadd", offset, constant(1, bits)))
    seen = {state.value(pointer) for state in states}
    if len(seen) == 1:
        yield terms.equal(pointer, constant(seen.pop(), bits))
    elif seen:
        yield from _aligned(pointer, seen)
        slots = {place >> layout.slot_bits for place in seen}
        if len(slots) == 1:
            slot = bitvectors.extract(bits - 1, layout.slot_bits, pointer)
            yield terms.equal(slot, constant(slots.pop(), bits - layout.slot_bits))


def _freeable(view: View, pointer: Term) -> Iterator[Term]:
    """What the slot behind an object says of it: that it is live though it has no bytes, or that it is automatic."""
    bits = view.layout.pointer_bits
    empty = terms.equal(bitvectors.room(pointer), constant(0, bits))
    behind = bitvectors.binary("bvadd", pointer, constant(view.layout.slot, bits))
    for size in marks(view):
        is_marked = terms.equal(bitvectors.room(behind), size)
        yield terms.negate(is_marked)
        yield terms.disjunction(terms.negate(empty), is_marked)
        yield bitvectors.compare("bvult", behind, view.program.top)


def marks(view: View) -> list[Term]:
    """The rooms of slots that say something of the object before them."""
    found: dict[Term, None] = {}
    for edge in view.procedure.edges:
        if isinstance(edge.label, Allocate) and edge.label.mark:
            found |= {part: None for part in terms.postorder(edge.label.size) if part.op == "bvconst" and part.args[0]}
    largest = view.layout.slot // 2
    return [size for size in found if size.args[0] in (largest - 1, largest)]


def _aligned(pointer: Term, seen: set[int]) -> Iterator[Term]:
    """A pointer that moves by whole cells."""
    zeros = reduce(or_, seen) & -reduce(or_, seen)
    low = min(zeros.bit_length() - 1, LIMITS.aligned_bits)
    if low > 0:
        yield terms.equal(bitvectors.extract(low - 1, 0, pointer), constant(0, low))


def _lengths(view: View, cut: int) -> list[Term]:
    """Values at the width of addresses, as numbers of bytes and of cells."""
    bits = view.layout.pointer_bits
    pointers = {*pointers_of(view, cut), view.program.top}
    found: dict[Term, None] = {}
    for value in values(view, cut):
        if value in pointers or value.op in ("zero_extend", "sign_extend") or not 32 <= width(value) <= bits:
            continue
        for signed in (False, True) if "bvsle" in orders(view) and width(value) < bits else (False,):
            wide = bitvectors.extend(value, bits - width(value), signed)
            for size in (1, *cell_sizes(view)):
                found[bitvectors.binary("bvmul", constant(size, bits), wide)] = None
    return list(found)


def cell_sizes(view: View) -> list[int]:
    """How many bytes lie between the cells that the program reads and writes, one byte apart."""
    found: set[int] = set()
    for term in view.terms():
        for part in terms.postorder(term):
            if part.op in ("load", "room"):
                found |= {factor for _, factor in bitvectors.linear_parts(part.args[0])[0]}
    return sorted(size for size in found if 1 < size <= LIMITS.cell_size)


def _between(view: View, pointers: Sequence[Term]) -> Iterator[Term]:
    for i, first in enumerate(pointers):
        for second in pointers[i + 1 :]:
            yield from _pair(view, first, second)


def _pair(view: View, first: Term, second: Term) -> Iterator[Term]:
    """Pointers into one object, and their order; pointers into different ones."""
    layout = view.layout
    high = layout.pointer_bits - 1
    same = terms.equal(*(bitvectors.extract(high, layout.slot_bits, pointer) for pointer in (first, second)))
    yield same
    yield terms.negate(same)
    yield terms.equal(layout.offset(first), layout.offset(second))
    for one, other in ((first, second), (second, first)):
        yield bitvectors.compare("bvule", one, other)
        yield bitvectors.compare("bvult", one, other)


def _fixed(view: View) -> Iterator[Term]:
    """Objects of fixed address have the sizes that they have in the tests."""
    for address in fixed_objects(view):
        room = bitvectors.room(constant(address, view.layout.pointer_bits))
        for size in {state.value(room) for states in view.states.values() for state in states}:
            yield terms.equal(room, constant(size, view.layout.pointer_bits))


def fixed_objects(view: View) -> list[int]:
    """The fixed addresses of objects that the program reads."""
    addresses: dict[int, None] = {}
    for term in view.terms():
        for part in terms.postorder(term):
            if part.op in ("load", "room"):
                addresses |= {
                    known.args[0] & -view.layout.slot: None
                    for known in (part.args[0], *terms.children(part.args[0]))
                    if known.op == "bvconst"
                }
                _, offset = bitvectors.linear_parts(part.args[0])
                addresses[offset & -view.layout.slot] = None
    return list(addresses)
