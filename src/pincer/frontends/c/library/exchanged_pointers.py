"""Pointers that are compared and exchanged atomically: can the address of an object that has ended come back?

No address is used twice here, on machines it may be. That makes no difference where all that the exchanged variable
may point to lives for ever: an address that is found equal is that of the same object then.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from pincer.frontends.c.lowering.program import NOT_EXCHANGED_AGAIN, NOT_USED_AGAIN
from pincer.logic import terms
from pincer.logic.terms import Term
from pincer.program.control_flow import Assume, ControlFlowProgram, Edge, Free, Procedure
from pincer.program.graphs import reachable
from pincer.program.memory_regions import AbstractObject
from pincer.program.points_to import PointsTo, points_to
from pincer.program.thread_labels import AtomicBegin, AtomicEnd


def with_exchanges_judged(program: ControlFlowProgram) -> ControlFlowProgram:
    """The program with the assumption that its exchanges need."""
    if NOT_EXCHANGED_AGAIN not in program.assumptions:
        return program
    known = points_to(program)
    frees = any(isinstance(edge.label, Free) for procedure in program.procedures.values() for edge in procedure.edges)
    for left, right in _compared(program):
        if not any(_lives_for_ever(known, side, frees) for side in (left, right)):
            return program
    kept = (NOT_USED_AGAIN if each == NOT_EXCHANGED_AGAIN else each for each in program.assumptions)
    return replace(program, assumptions=tuple(dict.fromkeys(kept)))


def _lives_for_ever(known: PointsTo, term: Term, frees: bool) -> bool:
    """Whether whatever a value points to is there until the program ends."""
    return all(_is_eternal(pointer.object, frees) for pointer in known.value(term))


def _is_eternal(target: AbstractObject, frees: bool) -> bool:
    if target.kind == "allocated":
        return target.storage == "heap" and not frees
    return target.kind in ("static", "function")


def _compared(program: ControlFlowProgram) -> Iterator[tuple[Term, Term]]:
    """The pairs of words that atomic sections compare."""
    bits = program.layout.pointer_bits
    for procedure in program.procedures.values():
        for edge in procedure.edges:
            if isinstance(edge.label, AtomicBegin):
                for condition in _conditions(procedure, edge):
                    for part in terms.postorder(condition):
                        if part.op == "same" and part.args[0].sort.width == bits:
                            yield part.args[0], part.args[1]


def _conditions(procedure: Procedure, begin: Edge) -> Iterator[Term]:
    """The conditions in the section after an edge."""

    def following(location: int) -> list[int]:
        return [e.target for e in procedure.outgoing.get(location, ()) if not isinstance(e.label, AtomicEnd)]

    for location in reachable({begin.target}, following):
        for edge in procedure.outgoing.get(location, ()):
            if isinstance(edge.label, Assume):
                yield edge.label.condition
