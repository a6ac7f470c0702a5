"""What the sources of loop invariants may look at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from pincer.execution.testing import Node
from pincer.logic.bitvectors import state_reads
from pincer.logic.terms import Term, children
from pincer.program.control_flow import Assign, Assume, Input, Layout, Procedure
from pincer.program.registers import is_temporary


class Sight(Struct, frozen=True):
    """A procedure with loops: the states of tests at its locations, and the literals of regions at its loop heads.

    `hidden` are registers that do not exist at a location, where calls were put in place."""

    procedure: Procedure
    nodes: Mapping[int, Sequence[Node]]
    literals: tuple[Term, ...]
    layout: Layout
    hidden: Mapping[int, frozenset[Term]] = {}

    def values(self) -> tuple[Term, ...]:
        """Registers and reads that matter for the loops: those of the literals and conditions, then what feeds them."""
        wanted: dict[Term, None] = {}
        conditions = [edge.label.condition for edge in self.procedure.edges if isinstance(edge.label, Assume)]
        for formula in (*self.literals, *conditions):
            for read in state_reads(formula):
                if read.op == "load" and read.args[0].op == "bvconst":
                    wanted[read] = None
            for register in sorted(formula.variables, key=lambda register: register.id):
                wanted[register] = None
        for edge in self.procedure.edges:
            if isinstance(edge.label, Assign) and edge.label.register in wanted:
                for register in sorted(edge.label.value.variables, key=lambda register: register.id):
                    wanted[register] = None
        constant = _never_interesting(self.procedure)
        return tuple(value for value in wanted if value not in constant)

    def operations(self) -> frozenset[str]:
        """The operations of the procedure's conditions and assignments, and of the literals."""
        found: set[str] = set()
        stack, seen = [*self.literals], set[Term]()
        for edge in self.procedure.edges:
            if isinstance(edge.label, Assume):
                stack.append(edge.label.condition)
            elif isinstance(edge.label, Assign):
                stack.append(edge.label.value)
        while stack:
            part = stack.pop()
            if part not in seen:
                seen.add(part)
                found.add(part.op)
                stack += children(part)
        return frozenset(found)

    def constants(self, bits: int) -> list[int]:
        """Numbers the procedure's conditions and assignments mention, with their neighbours."""
        found = {0, 1}
        for edge in self.procedure.edges:
            term = edge.label.condition if isinstance(edge.label, Assume) else None
            term = edge.label.value if isinstance(edge.label, Assign) else term
            if term is not None:
                found |= numbers_in(term, bits)
        return sorted({(n + d) & ((1 << bits) - 1) for n in found for d in (-1, 0, 1)})


def _never_interesting(procedure: Procedure) -> set[Term]:
    """Temporaries that only carry an input onwards."""
    return {
        edge.label.register
        for edge in procedure.edges
        if isinstance(edge.label, Input) and is_temporary(edge.label.register)
    }


def numbers_in(term: Term, bits: int) -> set[int]:
    """The constants of a width in a term, those of sums included."""
    found, stack, seen = set[int](), [term], set[Term]()
    while stack:
        part = stack.pop()
        if part in seen:
            continue
        seen.add(part)
        if part.op == "bvconst" and part.sort.width == bits:
            found.add(int(part.args[0]))
        if part.op == "bvlin":
            found |= {int(part.args[1]), *(int(factor) for _, factor in part.args[0])}
        stack += children(part)
    return found
