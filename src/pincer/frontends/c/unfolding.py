"""Recursion as calls inside of each other, as many as a small program has room for.

A recursive procedure becomes several: the first calls the second where it called itself, and so on. The last makes no
such call: there is a step that is not modelled, so whoever finds a proof has shown that it is never taken, and a run
that gets there is no evidence.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from pincer.logic.terms import Term
from pincer.program import labels
from pincer.program.control_flow import Call, ControlFlowProgram, Edge, Procedure, SourceVariable, Unsupported
from pincer.program.graphs import reachable
from pincer.program.passes.edges import fresh_locations
from pincer.program.registers import is_local, renamed


class Deeper(Unsupported, frozen=True):
    """A call inside of as many as are looked at."""


class UnfoldingLimits(Struct, frozen=True):
    """Heuristic numbers; none of them decides what a verdict means."""

    levels: int = 10
    """Calls inside of each other."""
    edges: int = 300
    """How large the program may become when all its calls are put in place."""


LIMITS = UnfoldingLimits()


def unfolded(program: ControlFlowProgram) -> ControlFlowProgram:
    """The program without recursion, as deep as it has room for; itself where nothing is recursive, or the entry is."""
    below = {name: reachable(program.procedures[name].callees, program.callees) for name in program.procedures}
    called = reachable((program.entry,), program.callees)
    recursive = {name: below[name] for name in sorted(called) if name in below[name]}
    if not recursive or program.entry in recursive:
        return program
    families = {name: frozenset(other for other in down if name in below[other]) for name, down in recursive.items()}
    unfolding = None
    for levels in range(1, LIMITS.levels + 1):
        made = _Unfolding(program, families, levels).program()
        if unfolding is not None and _size(made, made.entry, {}) > LIMITS.edges:
            break
        unfolding = made
    assert unfolding is not None
    return unfolding


def _size(program: ControlFlowProgram, name: str, known: dict[str, int]) -> int:
    """The steps of a procedure when its calls are put in place."""
    if name not in known:
        edges = program.procedures[name].edges
        calls = [edge.label.procedure for edge in edges if isinstance(edge.label, Call)]
        known[name] = len(edges) + sum(_size(program, callee, known) for callee in calls)
    return known[name]


class _Unfolding:
    """One program being made; `families` are the procedures that call each other with each recursive one."""

    def __init__(self, program: ControlFlowProgram, families: Mapping[str, frozenset[str]], levels: int) -> None:
        self._program = program
        self._families = families
        self._levels = levels
        self._fresh = fresh_locations(program)
        self._registers: dict[str, Mapping[Term, Term]] = {}

    def program(self) -> ControlFlowProgram:
        procedures = dict(self._program.procedures)
        for name in self._families:
            for level in range(self._levels):
                made = self._copy(self._program.procedures[name], level)
                procedures[made.name] = made
        return replace(self._program, procedures=procedures, variables=(*self._program.variables, *self._variables()))

    def _copy(self, procedure: Procedure, level: int) -> Procedure:
        """The procedure as it is called inside of so many calls; its edges keep their order."""
        name = _named(procedure.name, level)
        names = {} if level == 0 else {one: renamed(one, name, one.args[0].name) for one in _own(procedure)}
        self._registers[name] = names
        places = {place: place if level == 0 else next(self._fresh) for place in procedure.locations}
        edges = []
        for edge in procedure.edges:
            label = labels.renamed(edge.label, names)
            if isinstance(label, Call) and label.procedure in self._families[procedure.name]:
                deeper = level + 1
                label = (
                    replace(label, procedure=_named(label.procedure, deeper))
                    if deeper < self._levels
                    else Deeper(f"more than {self._levels} calls of `{label.procedure}` inside of each other")
                )
            edges.append(Edge(places[edge.source], places[edge.target], label, edge.position))
        return Procedure(
            name,
            tuple(names.get(one, one) for one in procedure.parameters),
            None if procedure.result is None else names.get(procedure.result, procedure.result),
            places[procedure.entry],
            places[procedure.exit],
            tuple(edges),
            procedure.position,
            frozenset(places[head] for head in procedure.loop_heads),
        )

    def _variables(self) -> Iterator[SourceVariable]:
        """What the registers of copies are in the source."""
        for name, names in self._registers.items():
            for variable in self._program.variables:
                if variable.register is not None and variable.register in names:
                    yield replace(variable, register=names[variable.register], scope=name)


def _named(name: str, level: int) -> str:
    return name if level == 0 else f"{name}.{level + 1}"


def _own(procedure: Procedure) -> dict[Term, None]:
    """The registers of a procedure's activations."""
    results = () if procedure.result is None else (procedure.result,)
    found = dict.fromkeys((*procedure.parameters, *results))
    for edge in procedure.edges:
        written = labels.written_register(edge.label)
        mentioned = {*labels.read_registers(edge.label), *(() if written is None else (written,))}
        found |= dict.fromkeys(sorted(filter(is_local, mentioned), key=str))
    return found
