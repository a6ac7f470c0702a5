"""What weaker memory orders than sequential consistency leave of it: all, where there is one atomic object and what
else is shared is ordered.

Operations on one object have one order that all threads see (coherence), whatever their memory orders are. So where all
atomic operations of a program are on one object, and any two accesses to other data that conflict are ordered by what
happens before, every execution is sequentially consistent: a cycle of what happens before and of the object's order is
one of that order alone, since it agrees with what happens before, and there is none. (No value comes out of thin air.)

- Stores that release, loads that acquire, and changes that do both order what is before the one and after the other,
  as sequentially consistent operations do: what has no data race with these has none with those. No assumption is made.
- With relaxed operations, or changes that only acquire or only release, the object is not counted on: the creation and
  the end of threads and common locks must order all the rest (`analysis.relaxed_orders` sees whether they do). Then no
  assumption is made; a counter beside nothing else is of this kind. Otherwise nothing is said to hold: a relaxed flag
  publishes nothing, and what is read behind it may be old.
- With several objects, weaker orders are not enough: two threads that each store to one and then load the other may
  both load old values. Nothing is said to hold.

Objects that are used as locks do not count (`analysis.lock_objects` says which those are, and why).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from msgspec.structs import replace

from pincer.frontends.c.library.atomics import RELAXED_ORDERS, WEAKER_ORDERS
from pincer.logic import bitvectors
from pincer.logic.terms import Term
from pincer.program.control_flow import ControlFlowProgram, Edge, Procedure
from pincer.program.graphs import reachable
from pincer.program.labels import copied_span, read_terms, written_register, written_span
from pincer.program.property import Assumption
from pincer.program.registers import is_local
from pincer.program.thread_labels import AtomicBegin, AtomicEnd


def with_orders_judged(program: ControlFlowProgram, passed_over: Collection[Edge] = ()) -> ControlFlowProgram:
    """The program with the assumption that its memory orders need, if any. Sections that begin with edges that are
    passed over are known to be what they are taken for."""
    kept = tuple(each for each in program.assumptions if each not in (RELAXED_ORDERS, WEAKER_ORDERS))
    needed = _needed(program, passed_over)
    if needed is not None:
        kept += (needed,)
    return program if kept == program.assumptions else replace(program, assumptions=kept)


def _needed(program: ControlFlowProgram, passed_over: Collection[Edge]) -> Assumption | None:
    sections = [
        (procedure, edge, edge.label.order)
        for procedure in program.procedures.values()
        for edge in procedure.edges
        if isinstance(edge.label, AtomicBegin) and edge not in passed_over
    ]
    if all(order.sequential for _, _, order in sections):
        return None
    places = {place for procedure, edge, _ in sections for place in _accessed(procedure, edge)}
    if len(places) > 1 or None in places:
        return WEAKER_ORDERS
    return None if all(order.does_all for _, _, order in sections) else RELAXED_ORDERS


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
