"""What weaker memory orders than sequential consistency leave of it: all, where there is one atomic object.

Operations on one object have one order that all threads see (coherence), and stores that release and loads that acquire
hand over all that happened before. So where all atomic operations of a program are on one object, at least acquire and
release, and there is no data race, every execution is sequentially consistent: whoever finds a cycle of what happens
before and of the object's order finds one in that order alone. With several objects that is not so: two threads that
each store to one and then load the other may both load old values.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from pincer.frontends.c.library.atomics import ACQUIRE_AND_RELEASE, RELAXED_ORDERS, WEAKER_ORDERS
from pincer.logic import bitvectors
from pincer.logic.terms import Term
from pincer.program.control_flow import ControlFlowProgram, Edge, Procedure
from pincer.program.graphs import reachable
from pincer.program.labels import copied_span, read_terms, written_register, written_span
from pincer.program.registers import is_local
from pincer.program.thread_labels import AtomicBegin, AtomicEnd


def with_orders_judged(program: ControlFlowProgram) -> ControlFlowProgram:
    """The program with the assumption that its memory orders need, if any."""
    weak = [a for a in program.assumptions if a in (ACQUIRE_AND_RELEASE, RELAXED_ORDERS)]
    if not weak:
        return program
    kept = [assumption for assumption in program.assumptions if assumption not in weak]
    if not _is_about_one_object(program):
        kept.append(WEAKER_ORDERS)
    elif RELAXED_ORDERS in weak:
        kept.append(RELAXED_ORDERS)
    return replace(program, assumptions=tuple(kept))


def _is_about_one_object(program: ControlFlowProgram) -> bool:
    """Whether all atomic sections access the same variable, or the same bytes at a fixed address."""
    places = {
        place
        for procedure in program.procedures.values()
        for edge in procedure.edges
        if isinstance(edge.label, AtomicBegin)
        for place in _accessed(procedure, edge)
    }
    return len(places) <= 1 and None not in places


def _accessed(procedure: Procedure, begin: Edge) -> Iterator[Term | None]:
    """What the section after an edge accesses; None for something at an address that is not fixed."""

    def following(location: int) -> list[int]:
        return [e.target for e in procedure.outgoing.get(location, ()) if not isinstance(e.label, AtomicEnd)]

    for location in reachable({begin.target}, following):
        for edge in procedure.outgoing.get(location, ()):
            written = written_register(edge.label)
            registers = {register for term in read_terms(edge.label) for register in term.variables}
            yield from (r for r in (*registers, *([written] if written is not None else [])) if not is_local(r))
            reads = [part for term in read_terms(edge.label) for part in bitvectors.state_reads(term)]
            addresses = [part.args[0] for part in reads if part.op == "load"]
            spans = (written_span(edge.label), copied_span(edge.label))
            addresses += [span.address for span in spans if span is not None]
            yield from (address if bitvectors.constant_value(address) is not None else None for address in addresses)
