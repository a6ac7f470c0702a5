"""Which of two objects lies first, and how far apart they are: compilers and allocators decide that, not the model.

C gives an order and a distance only to pointers into one object. Programs ask for those of others all the same (a
`memmove` that compares its arguments), and what they are told is up to the machine: an input here, which may be
anything each time it is asked. So what holds does so wherever objects lie. Where both pointers are known to lead into
one and the same object, there is nothing to ask; the points-to analysis finds that out when all procedures are lowered
(`asked_apart`), and the program is lowered again with the questions that are left.

Two addresses belong to one object if they are less than half a slot apart, since no object is larger. So a pointer a
bit before its object is still compared with that, though C does not allow it: loops that go backwards end there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from msgspec.structs import replace

from pincer.frontends.c.lowering.conversions import addresses_are_numbers
from pincer.frontends.c.lowering.frame import Frame
from pincer.frontends.c.lowering.kept_addresses import Calls
from pincer.frontends.c.lowering.unit import Unit
from pincer.frontends.c.lowering.values import Pair, Value, resized
from pincer.frontends.c.semantics.tree import Written
from pincer.logic import bitvectors, terms
from pincer.logic.terms import Term
from pincer.program.control_flow import (
    OBJECT_DISTANCE,
    OBJECT_ORDER,
    OBJECTS_TOUCH,
    Assign,
    Assume,
    ControlFlowProgram,
    Input,
)
from pincer.program.memory_regions import UNKNOWN, AbstractObject, AbstractPointer, Pointers
from pincer.program.patient_points_to import patient_points_to
from pincer.program.points_to import PointsTo


def ordered(frame: Frame, left: Value, right: Value, node: Written, plain: Value) -> Value:
    """Whether a pointer is below another one: what the addresses say, or what the machine says of two objects."""
    null = terms.disjunction(*(terms.equal(each.term, frame.address(0)) for each in (left, right)))
    clear = terms.disjunction(_in_one_object(frame, left.term, right.term), null)
    if _is_plain(frame, node, Pair(left.term, right.term), clear):
        return plain
    return _either(frame, clear, plain, OBJECT_ORDER, node)


def distance(frame: Frame, left: Value, right: Value, node: Written, plain: Value) -> Value:
    """The distance of two pointers."""
    clear = _in_one_object(frame, left.term, right.term)
    if _is_plain(frame, node, Pair(left.term, right.term), clear):
        return plain
    return _either(frame, clear, plain, OBJECT_DISTANCE, node)


def equal(frame: Frame, left: Value, right: Value, node: Written, plain: Value) -> Value:
    """Whether two pointers are equal: the end of one object may be where another one begins."""
    if 0 in (bitvectors.constant_value(left.term), bitvectors.constant_value(right.term)):
        return plain
    clear = terms.disjunction(
        _in_one_object(frame, left.term, right.term),
        terms.negate(terms.disjunction(_meet(frame, left.term, right.term), _meet(frame, right.term, left.term))),
    )
    if _is_plain(frame, node, Pair(left.term, right.term, equal=True), clear):
        return plain
    return _either(frame, clear, plain, OBJECTS_TOUCH, node)


def _is_plain(frame: Frame, node: Written, pair: Pair, clear: Term) -> bool:
    """Whether nothing is asked here, as far as is known now."""
    unit = frame.unit
    if clear is terms.TRUE or unit.position(node).file == "<library>":
        return True
    if node in unit.apart:
        return False
    unit.pairs.setdefault(node, []).append(pair)
    return True


def _either(frame: Frame, clear: Term, plain: Value, source: str, node: Written) -> Value:
    """What addresses say where that is clear, and else what is asked for."""
    builder, position = frame.builder, frame.unit.position(node)
    inside, outside, after = builder.location(), builder.location(), builder.location()
    bits = bitvectors.width(plain.term)
    result = frame.temporary(bits)
    builder.branch(clear, inside, position, None)
    builder.branch(terms.negate(clear), outside, position, None)
    builder.at(inside)
    frame.emit(Assign(result, plain.term), node)
    builder.jump(after, position)
    builder.at(outside)
    if source == OBJECT_DISTANCE:
        frame.emit(Input(result, source, "library", signed=True), node)
    else:
        said = frame.temporary(8)
        frame.emit(Input(said, source, "library"), node)
        frame.emit(Assume(bitvectors.compare("bvule", said, bitvectors.constant(1, 8))), node)
        frame.emit(Assign(result, resized(said, bits, False)), node)
    builder.jump(after, position)
    builder.at(after)
    return Value(plain.type, result)


def _in_one_object(frame: Frame, left: Term, right: Term) -> Term:
    layout = frame.unit.layout
    moved = bitvectors.binary("bvadd", frame.address(layout.slot >> 1), bitvectors.binary("bvsub", left, right))
    return bitvectors.compare("bvult", moved, frame.address(layout.slot))


def _meet(frame: Frame, end: Term, start: Term) -> Term:
    """One pointer is just behind a live object, and the other one at the beginning of a live object."""
    layout, none = frame.unit.layout, frame.address(0)
    are_live = (terms.negate(terms.equal(bitvectors.room(each), none)) for each in (end, start))
    behind = terms.equal(layout.offset(end), bitvectors.room(end))
    return terms.conjunction(*are_live, behind, terms.equal(layout.offset(start), none))


def with_numbers_judged(program: ControlFlowProgram, unit: Unit) -> ControlFlowProgram:
    """The program with the assumption about addresses that are numbers, if it reads one as a number from memory.

    Parts of addresses are not looked at, since programs copy structures byte by byte, nor what was computed from
    addresses, which may be a distance.
    """
    assumption = addresses_are_numbers(unit.layout.slot_bits)
    if assumption in program.assumptions or not unit.numbers:
        return program
    known = patient_points_to(program)
    held = {pointer for term in unit.numbers for pointer in known.value(term)}
    if all(pointer.object.kind in ("anything", "thread") or pointer.stride == 1 for pointer in held):
        return program
    return replace(program, assumptions=(*program.assumptions, assumption))


def asked_apart(program: ControlFlowProgram, unit: Unit) -> set[Written]:
    """The expressions whose pointers may lead into different objects."""
    if not unit.pairs:
        return set()
    known, calls = patient_points_to(program), Calls(program)

    def is_one(target: AbstractObject) -> bool:
        """Whether an abstract object stands for one object only."""
        if target.kind != "allocated":
            return True
        return not unit.threaded and target.site is not None and not calls.repeats(target.site)

    return {node for node, compared in unit.pairs.items() if any(_is_apart(known, pair, is_one) for pair in compared)}


IsOne: TypeAlias = Callable[[AbstractObject], bool]


def _is_apart(known: PointsTo, pair: Pair, is_one: IsOne) -> bool:
    """Whether two pointers may lead into different objects, so that the answer depends on where those lie."""
    left, right = known.value(pair.left), known.value(pair.right)
    if pair.equal:
        return _may_meet(left, right, is_one) or _may_meet(right, left, is_one)
    if UNKNOWN in left | right or bool(left) != bool(right):
        return True
    objects = {pointer.object for pointer in left | right}
    return len(objects) > 1 or not all(map(is_one, objects))


def _may_meet(ends: Pointers, starts: Pointers, is_one: IsOne) -> bool:
    """Whether one pointer may be just behind an object and the other one at the beginning of another. A number that
    may be any address is looked at as a beginning only: it takes the value of any end by itself."""
    behind = [pointer for pointer in ends - {UNKNOWN} if _may_be_at(pointer, pointer.object.size)]
    first = [pointer for pointer in starts if pointer is UNKNOWN or _may_be_at(pointer, 0)]
    return any(
        start is UNKNOWN or end.object is not start.object or not is_one(end.object)
        for end in behind
        for start in first
    )


def _may_be_at(pointer: AbstractPointer, offset: int | None) -> bool:
    if pointer.object.kind in ("function", "thread") or offset == pointer.object.size == 0:
        return False
    if offset is None:
        return pointer.stride > 0 or pointer.offset != 0
    return (offset - pointer.offset) % pointer.stride == 0 if pointer.stride else offset == pointer.offset
