"""Calls put in place: a program with the bodies of callees instead of calls, as far as it stays small.

Invariants of a loop may then speak of the variables of caller and callee at once, and of what a call does to memory,
which summaries of single procedures cannot. An `Instance` remembers which part of the new program is an activation of
which procedure, so that proofs can be read back (`inlined_proof`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count

from msgspec import Struct
from msgspec.structs import replace

from pincer.engines.invariants.recursion import recursive_families
from pincer.logic.terms import Term
from pincer.program import labels
from pincer.program.control_flow import Assign, Call, ControlFlowProgram, Edge, Procedure, Skip
from pincer.program.graphs import reachable
from pincer.program.registers import is_local, renamed


class InliningLimits(Struct, frozen=True):
    """Heuristic numbers; none of them decides what a verdict means."""

    edges: int = 600
    """Calls are put in place as long as the program does not grow beyond that."""


LIMITS = InliningLimits()


class Instance(Struct, frozen=True, eq=False):
    """A procedure's body in another procedure's: the new names of registers and places.

    `passed` are parameters that have no new register: what the caller passes stands for them, since neither changes.
    Calls of the body, by the index of their edge: `kept` ones with their new index, others with the `inside` instance
    that stands for them. The outermost instance has the names of the procedure itself."""

    procedure: Procedure
    registers: Mapping[Term, Term]
    passed: Mapping[Term, Term]
    places: Mapping[int, int]
    kept: Mapping[int, int]
    inside: Mapping[int, Instance]

    def all(self) -> Iterator[Instance]:
        yield self
        for instance in self.inside.values():
            yield from instance.all()


class Inlined(Struct, frozen=True):
    """A program without most of its calls, and what each of its procedures is made of.

    `hidden` are the registers that, in the program as written, do not exist at a place."""

    program: ControlFlowProgram
    instances: Mapping[str, Instance]
    hidden: Mapping[int, frozenset[Term]]


def inlined(program: ControlFlowProgram, straight: bool = False) -> Inlined | None:
    """All calls but recursive ones put in place; None where that makes no difference to loops, or too much.

    With `straight` those of programs without loops as well."""
    recursive = recursive_families(program)
    remaining = _remaining(program, recursive)
    sizes: dict[str, int] = {}
    called = reachable((program.entry,), program.callees)
    if not straight and not any(program.procedures[name].loop_heads for name in called):
        return None
    if sum(_size(program, name, recursive, sizes) for name in remaining) > LIMITS.edges:
        return None
    flattening = _Flattening(program, frozenset(recursive))
    instances = {name: flattening.outermost(program.procedures[name]) for name in remaining}
    if not any(instance.inside for instance in instances.values()):
        return None
    procedures = {name: flattening.procedure(name, instance) for name, instance in instances.items()}
    copies = [
        replace(known, register=instance.registers[known.register], scope=name)
        for name, outermost in instances.items()
        for instance in list(outermost.all())[1:]
        for known in program.variables
        if known.register is not None and known.register in instance.registers
    ]
    hidden = {place: registers for made in instances.values() for place, registers in _hidden(made).items()}
    return Inlined(replace(program, procedures=procedures, variables=(*program.variables, *copies)), instances, hidden)


def _hidden(outermost: Instance) -> dict[int, frozenset[Term]]:
    """At each place, the registers of bodies that are not being executed there.

    On entry a body has its parameters alone, at its end the result."""
    every = frozenset(register for part in outermost.all() for register in part.registers.values())
    found: dict[int, frozenset[Term]] = {}

    def visit(part: Instance, around: frozenset[Term]) -> None:
        procedure = part.procedure
        visible = around | frozenset(part.registers.values())
        found.update(dict.fromkeys(part.places.values(), every - visible))
        if part is not outermost:
            result = () if procedure.result is None else (procedure.result,)
            for place, kept in ((procedure.entry, procedure.parameters), (procedure.exit, result)):
                here = {part.registers[register] for register in kept if register in part.registers}
                found[part.places[place]] = every - around - here
        for other in part.inside.values():
            visit(other, visible)

    visit(outermost, frozenset())
    return found


def _remaining(program: ControlFlowProgram, recursive: Mapping[str, object]) -> list[str]:
    """The procedures whose calls cannot be put in place, and the entry."""
    called = reachable((program.entry,), program.callees)
    return [program.entry, *(name for name in recursive if name in called and name != program.entry)]


def _size(program: ControlFlowProgram, name: str, recursive: Mapping[str, object], known: dict[str, int]) -> int:
    if name not in known:
        procedure = program.procedures[name]
        calls = (edge.label.procedure for edge in procedure.edges if isinstance(edge.label, Call))
        callees = [callee for callee in calls if callee not in recursive]
        known[name] = len(procedure.edges) + sum(_size(program, callee, recursive, known) for callee in callees)
    return known[name]


@dataclass
class _Flattening:
    """Bodies being put together; places and activations are numbered through the whole program."""

    program: ControlFlowProgram
    recursive: frozenset[str]
    edges: list[Edge] = field(default_factory=list)
    heads: set[int] = field(default_factory=set)
    _activations: Iterator[int] = field(default_factory=lambda: count(1))

    def __post_init__(self) -> None:
        used = (place for edge in self.program.edges() for place in (edge.source, edge.target))
        ends = (place for made in self.program.procedures.values() for place in (made.entry, made.exit))
        self._places = count(max((*used, *ends)) + 1)
        self._home = ""
        self._made: dict[str, tuple[list[Edge], set[int]]] = {}

    def outermost(self, procedure: Procedure) -> Instance:
        self.edges, self.heads = [], set()
        self._made[procedure.name] = self.edges, self.heads
        self._home = procedure.name
        places = {place: place for place in _places(procedure)}
        return self._instance(procedure, {}, {}, places)

    def procedure(self, name: str, instance: Instance) -> Procedure:
        edges, heads = self._made[name]
        return replace(instance.procedure, edges=tuple(edges), loop_heads=frozenset(heads))

    def _instance(
        self,
        procedure: Procedure,
        registers: Mapping[Term, Term],
        passed: Mapping[Term, Term],
        places: Mapping[int, int],
    ) -> Instance:
        names = {**registers, **passed}
        kept: dict[int, int] = {}
        inside: dict[int, Instance] = {}
        self.heads |= {places[head] for head in procedure.loop_heads}
        for index, edge in enumerate(procedure.edges):
            moved = Edge(places[edge.source], places[edge.target], labels.renamed(edge.label, names), edge.position)
            if isinstance(moved.label, Call) and moved.label.procedure not in self.recursive:
                inside[index] = self._put_in_place(moved, moved.label)
                continue
            if isinstance(moved.label, Call):
                kept[index] = len(self.edges)
            self.edges.append(edge if moved.source == edge.source else moved)
        return Instance(procedure, registers, passed, places, kept, inside)

    def _put_in_place(self, edge: Edge, call: Call) -> Instance:
        """Assign the arguments, go through the body, and assign the result."""
        callee = self.program.procedures[call.procedure]
        activation = f"{callee.name}.{next(self._activations)}"
        arguments = dict(zip(callee.parameters, call.arguments, strict=False))
        passed = {register: term for register, term in arguments.items() if _stays(register, term, callee)}
        registers = {
            register: renamed(register, self._home, f"{activation}::{register.args[0].name}")
            for register in _own_registers(callee)
            if register not in passed
        }
        places = {place: next(self._places) for place in _places(callee)}
        at = edge.source
        for parameter, argument in arguments.items():
            if parameter in passed:
                continue
            following = next(self._places)
            self.edges.append(Edge(at, following, Assign(registers[parameter], argument), edge.position))
            at = following
        self.edges.append(Edge(at, places[callee.entry], Skip(), edge.position))
        instance = self._instance(callee, registers, passed, places)
        returned = None if callee.result is None else registers[callee.result]
        last = Skip() if call.result is None or returned is None else Assign(call.result, returned)
        self.edges.append(Edge(places[callee.exit], edge.target, last, edge.position))
        return instance


def _stays(parameter: Term, argument: Term, callee: Procedure) -> bool:
    """Whether a parameter keeps the value of an argument that the callee cannot change either."""
    if argument.op not in ("var", "bvconst") or not all(map(is_local, argument.variables)):
        return False
    return all(labels.written_register(edge.label) is not parameter for edge in callee.edges)


def _places(procedure: Procedure) -> dict[int, None]:
    ends = (place for edge in procedure.edges for place in (edge.source, edge.target))
    return dict.fromkeys((procedure.entry, procedure.exit, *ends))


def _own_registers(procedure: Procedure) -> dict[Term, None]:
    results = () if procedure.result is None else (procedure.result,)
    read = (labels.read_registers(edge.label) for edge in procedure.edges)
    written = (labels.written_register(edge.label) for edge in procedure.edges)
    mentioned = set(filter(is_local, frozenset(r for r in written if r is not None).union(*read)))
    return dict.fromkeys((*procedure.parameters, *results, *sorted(mentioned, key=lambda register: register.id)))
