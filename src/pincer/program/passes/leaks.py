"""Memory that nobody frees."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from pincer.logic import bitvectors, terms
from pincer.logic.terms import Term
from pincer.program.control_flow import (
    Allocate,
    Assign,
    Assume,
    ControlFlowProgram,
    Edge,
    Free,
    Halt,
    LeftAllocated,
    Procedure,
    Skip,
)
from pincer.program.passes.copies import copies_apart
from pincer.program.passes.edges import fresh_locations, with_edges, without_failures
from pincer.program.property import Assumption
from pincer.program.registers import Role, register_of

AT_THE_END = Assumption(
    "memory is lost only where the program ends; a run that never ends, or is ended by abort, loses none"
)


class Leaks(Struct, frozen=True):
    """No execution that ends leaves memory of the heap behind.

    `lost`: memory that nothing points to (SV-COMP's valid-memtrack, what LeakSanitizer reports). Otherwise any memory
    that has not been freed (valid-memcleanup).
    """

    lost: bool = True


LEAKS: Mapping[str, Leaks] = {"valid-memcleanup": Leaks(lost=False), "valid-memtrack": Leaks(lost=True)}
"""What SV-COMP asks about the end of a program; what the first one asks for includes the other."""


def with_leaks(program: ControlFlowProgram, wanted: Leaks) -> ControlFlowProgram:
    """The property: no execution without undefined behaviour ends, by a return from the entry function or by `exit`,
    while memory of the heap is allocated (`lost`: that cannot be reached from static objects; at `exit` also from
    objects and variables of functions that have not returned).

    An execution that fails, or ends by `abort` or the like, is not looked at. Other checks stay as they are.
    """
    return copies_apart(with_ends_looked_at(without_failures(program, ()), wanted.lost, as_check=False))


def with_ends_looked_at(program: ControlFlowProgram, lost: bool, as_check: bool) -> ControlFlowProgram:
    """The program with a count of what is allocated, and a look at memory at each end where that is not zero."""
    if not any(isinstance(edge.label, Allocate) and edge.label.storage == "heap" for edge in program.edges()):
        return program
    bits = program.layout.pointer_bits
    count = register_of(None, "allocated", bits, Role.GHOST)
    fresh = fresh_locations(program)
    look = LeftAllocated(lost=lost, as_check=as_check)

    def counted(_: Procedure, edge: Edge) -> Iterator[Edge]:
        match edge.label:
            case Allocate(register, storage="heap", mark=False):
                between, then = next(fresh), next(fresh)
                is_null = terms.equal(register, bitvectors.constant(0, bits))
                yield replace(edge, target=between)
                # No object is at the null pointer: that is so in every program, and said here for those who count.
                yield Edge(between, then, Assume(terms.negate(is_null)), edge.position)
                yield Edge(then, edge.target, Assign(count, _more(count, 1)), edge.position)
            case Free(address):
                between = next(fresh)
                is_null = terms.equal(address, bitvectors.constant(0, bits))
                left = terms.conditional(is_null, count, _more(count, -1))
                yield Edge(edge.source, between, Assign(count, left), edge.position)
                yield replace(edge, source=between)
            case Halt(orderly=True):
                yield from _end(edge, count, replace(look, frames=True), fresh)
            case _:
                yield edge

    watched = with_edges(program, counted)
    entry = _with_watched_exit(watched.procedures[program.entry], count, look, fresh)
    assumptions = (*program.assumptions, AT_THE_END) if lost and _may_run_for_ever(program) else program.assumptions
    return replace(
        watched,
        procedures={**watched.procedures, program.entry: entry},
        initial={**program.initial, count: 0},
        assumptions=assumptions,
    )


def _more(count: Term, number: int) -> Term:
    return bitvectors.binary("bvadd", count, bitvectors.constant(number, bitvectors.width(count)))


def _end(edge: Edge, count: Term, look: LeftAllocated, fresh: Iterator[int]) -> Iterator[Edge]:
    """The end of the program where nothing is allocated, a look at memory otherwise."""
    nothing = terms.equal(count, bitvectors.constant(0, bitvectors.width(count)))
    wrong, dead = next(fresh), next(fresh)
    yield Edge(edge.source, wrong, Assume(terms.negate(nothing)), edge.position)
    yield Edge(wrong, dead, look, edge.position)
    free = next(fresh)
    yield Edge(edge.source, free, Assume(nothing), edge.position)
    yield replace(edge, source=free)


def _with_watched_exit(procedure: Procedure, count: Term, look: LeftAllocated, fresh: Iterator[int]) -> Procedure:
    """The entry procedure, whose exit is the end of the program; nothing of its own is left there."""
    before = next(fresh)
    edges = [replace(edge, target=before) if edge.target == procedure.exit else edge for edge in procedure.edges]
    leaving = Edge(before, procedure.exit, Skip(), procedure.position)
    return replace(procedure, edges=(*edges, *_end(leaving, count, look, fresh)))


def _may_run_for_ever(program: ControlFlowProgram) -> bool:
    """Whether something is repeated: a loop, or a function that calls itself."""
    if any(procedure.loop_heads for procedure in program.procedures.values()):
        return True
    return any(_calls_itself(program, name) for name in program.procedures)


def _calls_itself(program: ControlFlowProgram, name: str) -> bool:
    """Whether calls lead from a procedure back to it."""
    called = set(program.callees(name))
    waiting = list(called)
    while waiting and name not in called:
        new = set(program.callees(waiting.pop())) - called
        called |= new
        waiting += new
    return name in called
