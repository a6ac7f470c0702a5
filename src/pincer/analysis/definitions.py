"""What edges define and what terms use: registers and regions of memory, with may-alias; and data dependence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from msgspec import Struct

from pincer.analysis.accesses import accesses
from pincer.analysis.call_graph import CallGraph
from pincer.logic.bitvectors import state_reads
from pincer.logic.terms import Term
from pincer.program.control_flow import Assign, Assume, Call, Edge, Label
from pincer.program.labels import read_terms, written_register
from pincer.program.memory_regions import MemoryRegion
from pincer.program.points_to import PointsTo
from pincer.program.registers import Role, has_role
from pincer.program.thread_labels import Start


class DataPlaces(Struct, frozen=True):
    """Registers, and regions of memory."""

    registers: frozenset[Term] = frozenset()
    regions: tuple[MemoryRegion, ...] = ()

    def meets(self, other: DataPlaces) -> bool:
        """Whether the two may have something in common."""
        if not self.registers.isdisjoint(other.registers):
            return True
        return any(mine.overlaps(theirs) for mine in self.regions for theirs in other.regions)

    def joined(self, other: DataPlaces) -> DataPlaces:
        return DataPlaces(self.registers | other.registers, tuple(dict.fromkeys(self.regions + other.regions)))

    def __bool__(self) -> bool:
        return bool(self.registers or self.regions)


def used_by(terms: Iterable[Term], pointers: PointsTo) -> DataPlaces:
    """What the values of terms depend on."""
    registers: set[Term] = set()
    regions: dict[MemoryRegion, None] = {}
    for term in terms:
        registers |= term.variables
        for read in state_reads(term):
            if read.op == "load":
                regions.update(dict.fromkeys(pointers.regions(*read.args)))
    return DataPlaces(frozenset(registers), tuple(regions))


def defined_by(edge: Edge, pointers: PointsTo) -> DataPlaces:
    """What an edge itself defines, without what procedures define that it calls."""
    register = written_register(edge.label)
    written = [access for access in accesses(edge, pointers) if access.write and access.register is None]
    regions = dict.fromkeys(region for access in written for region in access.regions)
    return DataPlaces(frozenset() if register is None else frozenset((register,)), tuple(regions))


def branch_terms(edges: Iterable[Edge]) -> tuple[Term, ...]:
    """The conditions that decide between edges."""
    return tuple(edge.label.condition for edge in edges if isinstance(edge.label, Assume))


class _Flow(Struct, frozen=True):
    """An edge that gives something its value, computed from terms. `passes`: it only hands the value on, as calls and
    temporaries do."""

    edge: Edge
    terms: tuple[Term, ...]
    passes: bool


class DataDependence(Struct, frozen=True, eq=False, dict=True):
    """Definitions through all procedures: arguments to parameters, results to callers, aliases by points-to."""

    calls: CallGraph
    pointers: PointsTo

    def definitions_of(self, variables: DataPlaces) -> Iterator[tuple[int, Edge]]:
        """The edges that may define variables, with their distance: 0 for the variables themselves, 1 for what their
        definitions use, and so on. Temporaries, parameters and results count as the values they hold."""
        seen: set[_Flow] = set()
        level, pending = 0, self._sources(variables)
        while pending:
            following: dict[_Flow, None] = {}
            while pending:
                flow = pending.pop(0)
                if flow in seen:
                    continue
                seen.add(flow)
                sources = self._sources(used_by(flow.terms, self.pointers))
                if flow.passes:
                    pending.extend(sources)
                else:
                    yield level, flow.edge
                    following.update(dict.fromkeys(sources))
            level, pending = level + 1, list(following)

    def _sources(self, variables: DataPlaces) -> list[_Flow]:
        found: dict[_Flow, None] = {}
        for register in sorted(variables.registers, key=lambda variable: variable.id):
            found.update(dict.fromkeys(self._by_register.get(register, ())))
        if variables.regions:
            for flow, written in self._memory:
                if written.meets(variables):
                    found[flow] = None
        return list(found)

    @cached_property
    def _edges(self) -> list[Edge]:
        return [edge for edge in self.calls.program.edges() if edge.source in self.pointers.reached]

    @cached_property
    def _by_register(self) -> Mapping[Term, list[_Flow]]:
        found: dict[Term, list[_Flow]] = {}
        for edge in self._edges:
            for register, flow in self._register_flows(edge):
                found.setdefault(register, []).append(flow)
        return found

    def _register_flows(self, edge: Edge) -> Iterator[tuple[Term, _Flow]]:
        label, procedures = edge.label, self.calls.program.procedures
        register = written_register(label)
        if isinstance(label, Call):
            result = procedures[label.procedure].result
            if register is not None:
                yield register, _Flow(edge, () if result is None else (result,), passes=True)
        elif register is not None:
            handed = has_role(register, Role.TEMPORARY, Role.RESULT)
            yield register, _Flow(edge, read_terms(label), passes=handed and isinstance(label, Assign))
        for site in self.calls.at_edge.get(edge, ()):
            parameters = procedures[site.callee].parameters
            for parameter, given in zip(parameters, _passed(label), strict=False):
                yield parameter, _Flow(edge, (given,), passes=True)

    @cached_property
    def _memory(self) -> list[tuple[_Flow, DataPlaces]]:
        written = ((edge, DataPlaces(regions=defined_by(edge, self.pointers).regions)) for edge in self._edges)
        return [(_Flow(edge, read_terms(edge.label), False), variables) for edge, variables in written if variables]


def _passed(label: Label) -> tuple[Term, ...]:
    """The arguments that a called procedure or a thread's routine gets."""
    if isinstance(label, Call):
        return label.arguments
    return (label.argument,) if isinstance(label, Start) else ()
