"""Lifetimes of the objects of blocks: they begin when the block is entered, and end when it is left in any way.

A block that can be entered elsewhere than at its start (it contains a label, or a `case` of a switch around it) has no
such lifetimes, nor have blocks of functions that threads run: their objects live as long as those of the function.
`BLOCKS_NOT_KEPT` says what the verdict then rests on. What an expression makes is such a block of its own, where that
shows; in conditions it is not, which `VALUES_NOT_KEPT` says.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from pincer.frontends.c.lowering.calls import any_value
from pincer.frontends.c.lowering.dynamic_objects import allocate_stack, stack_object
from pincer.frontends.c.lowering.frame import Frame, LocalObject, OpenBlock
from pincer.frontends.c.lowering.memory import leaves
from pincer.frontends.c.semantics.tree import (
    Call,
    CompoundLiteral,
    Dereference,
    Element,
    Expression,
    MemberPlace,
    Node,
    Object,
    Read,
    StatementExpression,
    Written,
    children,
)
from pincer.frontends.c.semantics.types import Array, CType, Integer
from pincer.logic import bitvectors
from pincer.logic.terms import Term
from pincer.program.control_flow import Begin, End, Label, Store
from pincer.program.property import Assumption

BLOCKS_NOT_KEPT = Assumption(
    "no pointer to an object of an inner block is used after that block was left", compiled=True
)
VALUES_NOT_KEPT = Assumption(
    "no pointer into a structure that is the value of an expression is used after that expression", compiled=True
)
_PLACES = (Object, Element, Dereference, CompoundLiteral)
_MOST_STORES = 64


@contextmanager
def lifetime(frame: Frame, entered: bool) -> Iterator[None]:
    """A block of the source: objects made inside end with it, unless jumps lead into it."""
    shared = frame.several and frame.unit.threaded
    if shared or frame.scratch or entered:
        before = _named_objects(frame)
        yield
        if _named_objects(frame) > before:
            frame.unit.assume(BLOCKS_NOT_KEPT)
        return
    start = frame.builder.reserve(frame.position)
    outer, arrays = frame.objects, len(frame.arrays)
    frame.objects = []
    frame.open.append(OpenBlock(len(frame.continues)))
    try:
        yield
    finally:
        block = frame.open.pop()
        own, frame.objects = frame.objects, outer
    _begin_at(frame, start, own)
    _end(frame, block, [*(local.address for local in own), *frame.arrays[arrays:]])


@contextmanager
def full_expression(frame: Frame, node: Node) -> Iterator[None]:
    """Structures that functions return end with the expression that calls them; that shows where it points into one."""
    found = list(pointed_into(node))
    if not all(isinstance(whole, Call) for whole in found):
        frame.unit.assume(VALUES_NOT_KEPT)
    if found:
        with lifetime(frame, entered=False):
            yield
    else:
        yield


def decided(frame: Frame, node: Expression) -> Expression:
    """A condition, whose objects last as long as those of the block around it."""
    if any(pointed_into(node)):
        frame.unit.assume(VALUES_NOT_KEPT)
    return node


def pointed_into(node: Node) -> Iterator[Node]:
    """The values, structures without a place, into which an expression makes pointers: to an array in them. To read an
    element makes none that could be kept."""
    if isinstance(node, StatementExpression):
        if node.value is not None:
            yield from pointed_into(node.value)
        return
    if not isinstance(node, Read) or not isinstance(node.place, Element | MemberPlace):
        for inner in children(node):
            yield from pointed_into(inner)
        return
    whole = _whole(node.place)
    if isinstance(node.place.type, Array) and not isinstance(whole, _PLACES):
        yield whole
    place: Expression = node.place
    while isinstance(place, Element | MemberPlace):
        if isinstance(place, MemberPlace):
            place = place.whole
            continue
        yield from pointed_into(place.index)
        below = place.pointer
        place = below.place if isinstance(below, Read) and isinstance(below.place.type, Array) else below
    yield from pointed_into(place)


def _whole(place: Expression) -> Expression:
    while isinstance(place, MemberPlace):
        place = place.whole
    return place


def _named_objects(frame: Frame) -> int:
    """How many objects there are that a pointer of the program may point to; those of `setjmp` are none."""
    return len(frame.objects) + len(frame.arrays) - len(frame.landings)


def _begin_at(frame: Frame, start: int, objects: list[LocalObject]) -> None:
    labels: list[Label] = []
    for local in objects:
        address = bitvectors.constant_value(local.address)
        if address is None:
            labels += stack_object(frame, local.address, frame.address(local.size))
        else:
            labels.append(Begin(address, local.size))
    frame.builder.fill(start, labels)


def _end(frame: Frame, block: OpenBlock, addresses: list[Term]) -> None:
    for address in addresses:
        frame.emit(End(address))
    after = frame.builder.here
    for target, start in block.exits.items():
        frame.builder.at(start)
        for address in addresses:
            frame.emit(End(address))
        frame.builder.jump(target, frame.position)
    if block.exits:
        frame.builder.at(after)


def begin_again(frame: Frame, type: CType, address: Term, size: int, node: Written) -> None:
    """At its declaration an object's contents become undefined, if that can be reached twice in its lifetime."""
    loops = frame.open[-1].loops if frame.open else 0
    if len(frame.continues) == loops and (frame.open or not frame.labelled):
        return
    fixed = bitvectors.constant_value(address)
    pieces = leaves(type, frame.target)
    if fixed is not None:
        frame.emit(Begin(fixed, size), node)
    elif len(pieces) <= _MOST_STORES:
        for offset, part in pieces:
            scalar = Integer("", 8 * part, False, 1)
            unknown = any_value(frame, scalar, "uninitialised object", "undefined", node)
            frame.emit(Store(bitvectors.binary("bvadd", address, frame.address(offset)), unknown.term), node)
    else:
        frame.emit(End(address), node)
        allocate_stack(frame, address, frame.address(size), node)
