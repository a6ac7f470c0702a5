"""Registers that decide whether a place is reached: nearer ones first.

The nearest are those in the conditions that control the place directly; where nothing in its procedure does, those that
control the calls of the procedure. Values they are made of are as near. One step further are the registers that
control where those are assigned, these conditions, and all calls of their procedures; and so on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

from pincer.analysis.post_dominance import post_dominance
from pincer.logic.terms import Term
from pincer.program.control_flow import Allocate, Assign, Assume, Call, ControlFlowProgram, Edge, Input
from pincer.program.graphs import reachable


def relevant_registers(program: ControlFlowProgram, places: Iterable[Edge]) -> Iterator[frozenset[Term]]:
    """Growing sets of registers that decide whether some edges are taken, until nothing is added."""
    return _Relevance(program).sets(tuple(places))


class _Relevance:
    def __init__(self, program: ControlFlowProgram) -> None:
        self.procedure_of = {edge: procedure for procedure in program.procedures.values() for edge in procedure.edges}
        self.post_dominance = cache(post_dominance)
        self.callers: dict[str, list[Edge]] = {}
        self.definitions: dict[Term, list[tuple[Edge, frozenset[Term]]]] = {}
        for edge in program.edges():
            self._note(program, edge)

    def _note(self, program: ControlFlowProgram, edge: Edge) -> None:
        match edge.label:
            case Assign(register, value):
                self._defined(register, edge, value.variables)
            case Input(register) | Allocate(register):
                self._defined(register, edge, frozenset())
            case Call(name, arguments, result):
                callee = program.procedures[name]
                self.callers.setdefault(name, []).append(edge)
                for parameter, argument in zip(callee.parameters, arguments, strict=False):
                    self._defined(parameter, edge, argument.variables)
                if result is not None:
                    self._defined(result, edge, frozenset(() if callee.result is None else (callee.result,)))

    def _defined(self, register: Term, edge: Edge, sources: frozenset[Term]) -> None:
        self.definitions.setdefault(register, []).append((edge, sources))

    def sets(self, places: tuple[Edge, ...]) -> Iterator[frozenset[Term]]:
        found: set[Term] = set()
        seen: set[Edge] = set()
        while places:
            seen.update(places)
            controllers = {edge for place in places for edge in self._controllers(place)}
            read = {r for edge in controllers if isinstance(edge.label, Assume) for r in edge.label.condition.variables}
            new = self._with_sources(read) - found
            if new:
                found |= new
                yield frozenset(found)
            calls = {call for place in places for call in self.callers.get(self.procedure_of[place].name, ())}
            assigned = {edge for register in new for edge, _ in self.definitions.get(register, ())}
            places = tuple((controllers | calls | assigned) - seen)

    def _controllers(self, place: Edge) -> Iterator[Edge]:
        """The branches that directly control an edge, or else the calls of its procedure."""
        pending, seen = [place], {place}
        while pending:
            edge = pending.pop()
            procedure = self.procedure_of[edge]
            found = self.post_dominance(procedure).controllers.get(edge.source, ())
            yield from found
            if isinstance(edge.label, Assume):
                yield edge
            elif not found:
                more = [call for call in self.callers.get(procedure.name, ()) if call not in seen]
                seen.update(more)
                pending += more

    def _with_sources(self, registers: set[Term]) -> set[Term]:
        """Registers, and those whose values flow into them."""
        return reachable(registers, lambda r: (s for _, sources in self.definitions.get(r, ()) for s in sources))
