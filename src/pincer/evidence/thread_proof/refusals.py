"""Locks that are tried may be refused at any time.

That a lock is refused orders nothing in C: the thread that holds it has released nothing yet, so what the refused one
concludes from it may come too early. Where a proof about races allows every refusal at any time, also that of a free
lock, nothing can be concluded from one: whoever is refused knows no more than before. So a program that has no race
then has none, whatever a machine does with the order.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from pincer.evidence.c_proof.program_facts import assigned_register
from pincer.evidence.thread_proof.sync import EBUSY, ETIMEDOUT
from pincer.logic import bitvectors, terms
from pincer.program.control_flow import Assign, Assume, ControlFlowProgram, Edge, Input, Label, Procedure, Skip
from pincer.program.registers import Role, register_of
from pincer.program.thread_labels import Lock, Patience


def refusable(program: ControlFlowProgram) -> ControlFlowProgram:
    """The program in which every lock that is tried, or waited for until a time, may be refused as well."""
    if not any(_is_tried(edge.label) for edge in program.edges()):
        return program
    free = 1 + max(location for procedure in program.procedures.values() for location in procedure.locations)
    procedures: dict[str, Procedure] = {}
    for name, procedure in program.procedures.items():
        edges = list[Edge]()
        for edge in procedure.edges:
            if _is_tried(edge.label):
                edges += _ways(procedure, edge, free)
                free += 3
            else:
                edges.append(edge)
        procedures[name] = replace(procedure, edges=tuple(edges))
    return replace(program, procedures=procedures)


def _is_tried(label: Label) -> bool:
    return isinstance(label, Lock) and label.patience is not Patience.FOR_EVER


def _ways(procedure: Procedure, edge: Edge, free: int) -> Iterator[Edge]:
    """An input decides: the lock is tried, or it is refused without a look at it."""
    refused = register_of(procedure.name, "refused", 8, Role.GHOST)
    tries = terms.equal(refused, bitvectors.constant(0, 8))
    asked, tried, given_up = free, free + 1, free + 2
    yield replace(edge, target=asked, label=Input(refused, "a lock that may be refused"))
    yield replace(edge, source=asked, target=tried, label=Assume(tries))
    yield replace(edge, source=tried)
    yield replace(edge, source=asked, target=given_up, label=Assume(terms.negate(tries)))
    yield replace(edge, source=given_up, label=_refusal(edge.label))


def _refusal(label: Label) -> Label:
    result = assigned_register(label)
    if result is None:
        return Skip()
    tries = isinstance(label, Lock) and label.patience is Patience.NOT_AT_ALL
    code = bitvectors.constant(EBUSY if tries else ETIMEDOUT, bitvectors.width(result))
    return Assign(result, code)
