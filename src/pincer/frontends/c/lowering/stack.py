"""Objects that are made on the way and live until their function returns, such as those of alloca.

One that is made at most once in an activation ends by its register. Those that a loop makes are linked: each has a pair
of pointers beside it, to the object and to the pair before; at the end the function walks back along the pairs.
"""

from __future__ import annotations

from pincer.frontends.c.lowering.conditions import UNWRITTEN, decide
from pincer.frontends.c.lowering.frame import Frame
from pincer.frontends.c.lowering.marks import allocate_stack
from pincer.frontends.c.semantics.tree import Written
from pincer.logic import bitvectors, terms
from pincer.logic.terms import Term
from pincer.program.control_flow import Assign, End, Store


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
    decide(frame, terms.equal(linked, frame.address(0)), after, body, frame.position, UNWRITTEN)
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
