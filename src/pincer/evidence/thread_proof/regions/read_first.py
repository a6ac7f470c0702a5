"""The registers of a procedure that may be read before they are given a value."""

from __future__ import annotations

from pincer.evidence.c_proof.program_facts import assigned_register, label_terms
from pincer.evidence.c_proof.term_data import variables
from pincer.evidence.thread_proof.program_registers import ProgramRegisters
from pincer.logic.terms import Term
from pincer.program.control_flow import Procedure


def read_first(procedure: Procedure, registers: ProgramRegisters) -> list[Term]:
    """Those that are read on some way from the entry on which nothing has been assigned to them."""
    own = registers.locals_of(procedure)
    live: dict[int, dict[Term, None]] = {location: {} for location in procedure.locations}
    if procedure.result is not None:
        live[procedure.exit][procedure.result] = None
    changed = True
    while changed:
        changed = False
        for edge in reversed(procedure.edges):
            given = assigned_register(edge.label)
            read = dict.fromkeys(term for term in live[edge.target] if term is not given)
            read.update((v, None) for term in label_terms(edge.label) for v in variables(term))
            here = live[edge.source]
            before = len(here)
            here.update((term, None) for term in read if str(term.args[0]) in own)
            changed |= len(here) > before
    return list(live[procedure.entry])
