"""Marks behind dynamic objects, for `free`: which of them are live though they have no bytes, and which are automatic.

The room of an object tells whether it is live only if it has any bytes, and nothing tells a heap object from one that
ends with its function. So an object of either kind is followed by a slot of its own whose room, larger than that of
any object, says what it is. Programs that do without get none: see `marks_needed`.

Objects that live until their function returns, such as those of alloca, end by their register if they are made at most
once in an activation. Those that a loop makes are linked: each has a pair of pointers beside it, to the object and to
the pair before; at the end the function walks back along the pairs.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from pincer.frontends.c.lowering.conditions import decide, unwritten
from pincer.frontends.c.lowering.frame import Frame
from pincer.frontends.c.lowering.unit import MarkedObjects, Unit
from pincer.frontends.c.semantics.tree import Written
from pincer.logic import bitvectors, terms
from pincer.logic.terms import Term
from pincer.program.control_flow import Allocate, Assign, ControlFlowProgram, End, Free, Label, Store, Unsupported


class ComputedLength(Struct, frozen=True):
    """A length of an array of variable length, and how it is written."""

    term: Term
    text: str


def marks_needed(unit: Unit, program: ControlFlowProgram) -> MarkedObjects:
    """The marks without which some `free` of the program could not be judged."""
    labels = [edge.label for edge in program.edges()]
    if not any(isinstance(label, Free) for label in labels):
        return MarkedObjects()
    automatic = any(isinstance(label, Allocate) and label.storage == "stack" for label in labels)
    return MarkedObjects(unit.may_be_empty, automatic)


def largest_object(unit: Unit) -> int:
    """Bytes of the largest dynamic object: half a slot, less the two sizes that marks have."""
    return unit.layout.slot // 2 - (2 if unit.marks.any else 0)


def _empty_mark(frame: Frame) -> Term:
    return frame.address(frame.unit.layout.slot // 2 - 1)


def _stack_mark(frame: Frame) -> Term:
    return frame.address(frame.unit.layout.slot // 2)


def _behind(frame: Frame, address: Term) -> Term:
    """The room of the slot behind an object."""
    return bitvectors.room(_next_slot(frame, address))


def _next_slot(frame: Frame, address: Term) -> Term:
    return bitvectors.binary("bvadd", address, frame.address(frame.unit.layout.slot))


def allocate_heap(frame: Frame, register: Term, size: Term, zero: bool, node: Written | None) -> None:
    """A new heap object, with a mark where it may be empty."""
    frame.emit(Allocate(register, size, zero, "heap"), node)
    none = frame.address(0)
    empty = terms.equal(size, none)
    if empty is terms.FALSE:
        return
    frame.unit.may_be_empty = True
    if frame.unit.marks.empty:
        mark = terms.conditional(empty, _empty_mark(frame), none)
        frame.emit(Allocate(frame.temporary(frame.target.pointer_bits), mark, False, "heap", mark=True), node)


def allocate_stack(
    frame: Frame, register: Term, size: Term, node: Written | None = None, lengths: Iterable[ComputedLength] = ()
) -> None:
    """A new object that ends with its function or block; `lengths` are those that its size was computed from."""
    unit = frame.unit
    limit = largest_object(unit)
    fits = bitvectors.compare("bvule", size, frame.address(limit))
    if fits is not terms.TRUE:
        position = frame.position if node is None else unit.position(node)
        small, large = frame.builder.location(), frame.builder.location()
        decide(frame, fits, unwritten(small, large, position))
        frame.builder.at(large)
        for length in lengths:
            _end_if_negative(frame, length, node)
        frame.end(Unsupported(f"an automatic object of more than {limit} bytes"), node)
        frame.builder.at(small)
    for label in stack_object(frame, register, size):
        frame.emit(label, node)


def _end_if_negative(frame: Frame, length: ComputedLength, node: Written | None) -> None:
    """A negative length is what is wrong with a size, not how many bytes it would be as a positive number."""
    position = frame.position if node is None else frame.unit.position(node)
    other, negative = frame.builder.location(), frame.builder.location()
    decide(frame, bitvectors.compare("bvsle", frame.address(0), length.term), unwritten(other, negative, position))
    frame.builder.at(negative)
    frame.end(Unsupported(f"an array whose length {length.text} is negative"), node)
    frame.builder.at(other)


def stack_object(frame: Frame, register: Term, size: Term) -> list[Label]:
    """The steps that make an automatic object of a size that fits."""
    labels: list[Label] = [Allocate(register, size, False, "stack")]
    if frame.unit.marks.stack:
        labels.append(Allocate(frame.temporary(frame.target.pointer_bits), _stack_mark(frame), False, "stack"))
    return labels


def may_free(frame: Frame, address: Term, empty: bool = True) -> Term:
    """The condition under which an address may be freed: null, or the start of a live heap object, `empty` or not."""
    layout, marks = frame.unit.layout, frame.unit.marks
    zero = frame.address(0)
    heap = bitvectors.compare("bvule", frame.address(frame.unit.addresses.first_free), address)
    start = terms.equal(layout.offset(address), zero)
    live = terms.negate(terms.equal(bitvectors.room(address), zero))
    if marks.stack:
        automatic = terms.equal(_behind(frame, address), _stack_mark(frame))
        live = terms.conjunction(live, terms.negate(automatic))
    if marks.empty and empty:
        live = terms.disjunction(live, terms.equal(_behind(frame, address), _empty_mark(frame)))
    return terms.disjunction(terms.equal(address, zero), terms.conjunction(heap, start, live))


def free(frame: Frame, address: Term, node: Written | None) -> None:
    """End a heap object, or the mark of an empty one."""
    if frame.unit.marks.empty:
        zero = frame.address(0)
        empty = terms.conjunction(terms.equal(bitvectors.room(address), zero), terms.negate(terms.equal(address, zero)))
        address = terms.conditional(empty, _next_slot(frame, address), address)
    frame.emit(Free(address), node)


def until_return(frame: Frame, size: Term, node: Written) -> Term:
    """The register with the address of a new object."""
    bits = frame.target.pointer_bits
    made = frame.temporary(bits)
    allocate_stack(frame, made, size, node)
    if not frame.continues and not frame.labelled:
        frame.until_return.append(made)
        frame.builder.keep_result()
        return made
    if frame.linked is None:
        frame.linked = frame.temporary(bits)
    pair = frame.temporary(bits)
    allocate_stack(frame, pair, frame.address(2 * frame.target.pointer_bytes), node)
    frame.emit(Store(pair, made), node)
    frame.emit(Store(_second(frame, pair), frame.linked), node)
    frame.emit(Assign(frame.linked, pair), node)
    return made


def begin_stack(frame: Frame) -> None:
    """At the start of the function there are no such objects."""
    for register in (*frame.until_return, *([frame.linked] if frame.linked is not None else [])):
        frame.emit(Assign(register, frame.address(0)))


def end_stack(frame: Frame) -> None:
    """End them all; a register that was never set ends nothing."""
    for register in frame.until_return:
        frame.emit(End(register))
    if frame.linked is not None:
        _end_linked(frame, frame.linked)


def _end_linked(frame: Frame, linked: Term) -> None:
    builder, size = frame.builder, frame.target.pointer_bytes
    head, body, after = (builder.location() for _ in range(3))
    builder.jump(head, frame.position)
    builder.at(head)
    decide(frame, terms.equal(linked, frame.address(0)), unwritten(after, body, frame.position))
    builder.at(body)
    made, before = frame.temporary(bitvectors.width(linked)), frame.temporary(bitvectors.width(linked))
    frame.emit(Assign(made, bitvectors.load(linked, size)))
    frame.emit(Assign(before, bitvectors.load(_second(frame, linked), size)))
    frame.emit(End(made))
    frame.emit(End(linked))
    frame.emit(Assign(linked, before))
    builder.jump(head, frame.position)
    builder.at(after)


def _second(frame: Frame, pair: Term) -> Term:
    return bitvectors.binary("bvadd", pair, frame.address(frame.target.pointer_bytes))
