"""Reads of uninitialised memory that decide something."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from pincer.errors import Position
from pincer.logic import bitvectors
from pincer.logic.bitvectors import constant, width
from pincer.logic.terms import FALSE, Term, conditional, negate
from pincer.program.control_flow import (
    Allocate,
    Assign,
    Assume,
    Begin,
    Call,
    Check,
    CheckKind,
    ControlFlowProgram,
    Copy,
    Edge,
    Fill,
    Input,
    Label,
    Layout,
    Mark,
    Procedure,
    StaticObject,
    Store,
    Unsupported,
)
from pincer.program.passes.copies import copies_apart
from pincer.program.passes.edges import failing, fresh_locations, without_failures
from pincer.program.passes.shadows import Shadows, shadow_of
from pincer.program.passes.unset_registers import Unset, lacks_a_value, unset
from pincer.program.registers import Role, has_role, register_of
from pincer.program.thread_labels import ThreadOperation

_DECISIVE: Mapping[CheckKind, str] = {
    "dereference": "where memory is accessed",
    "bounds": "where memory is accessed",
    "free": "what is freed",
    "call": "what is called",
    "division": "by what is divided",
}
"""Checks whose conditions decide something, and what that is."""


class InitialisedReads(Struct, frozen=True):
    """No execution decides anything by a value that nobody gave."""


def with_uninitialised(program: ControlFlowProgram) -> ControlFlowProgram:
    """The property: no execution without other undefined behaviour decides anything by what has no value.

    Local objects and what `malloc` gives have none until they are written, bit by bit; values that are only copied, or
    computed with, keep lacking one. It is an error when such a value decides which way an execution goes, where memory
    is accessed, what is freed or called, by what is divided, or what `main` returns. An execution ends at a failure of
    the program's own, as at `exit`, and where its behaviour is undefined otherwise.

    Registers get shadow registers, and objects shadow objects, in which ones stand for bits without a value: so the
    property is one of the program that this makes.
    """
    if any(isinstance(edge.label, ThreadOperation) for edge in program.edges()):
        return _refused(program)
    return copies_apart(_Instrumentation(without_failures(program, ())).program())


def _refused(program: ControlFlowProgram) -> ControlFlowProgram:
    """The program that begins with what is not modelled."""
    entry = program.procedures[program.entry]
    fresh = fresh_locations(program)
    first, end = next(fresh), next(fresh)
    what = Unsupported("uninitialised reads in a program with threads")
    edges = (Edge(first, end, what, entry.position), *entry.edges)
    return replace(program, procedures={**program.procedures, entry.name: replace(entry, entry=first, edges=edges)})


class _Instrumentation:
    """One program on its way to the one with shadows."""

    def __init__(self, program: ControlFlowProgram) -> None:
        self._program = program
        self._fresh = fresh_locations(program)
        self._unset: Unset = unset(program)
        self._shadows = Shadows(self._unset.registers, self._shadow_place if self._unset.memory else None)
        self._names = {item.register: item.name for item in program.variables if item.register is not None}
        self._bits = program.layout.pointer_bits
        self._allocates = any(isinstance(edge.label, Allocate) for edge in program.edges())

    def program(self) -> ControlFlowProgram:
        program = self._program
        procedures = {name: self._procedure(procedure) for name, procedure in program.procedures.items()}
        shared = (*program.initial, *self._results().values())
        initial = {shadow_of(register): 0 for register in shared if register in self._unset.registers}
        results = dict.fromkeys(self._results().values(), 0)
        objects = tuple(self._shadow_object(item) for item in program.objects) if self._unset.memory else ()
        return replace(
            program,
            procedures=procedures,
            initial={**program.initial, **initial, **results},
            objects=(*program.objects, *objects),
            first_free=2 * program.first_free,
        )

    def _results(self) -> dict[str, Term]:
        """A register of the program for the shadow of what each procedure returns."""
        return {
            name: register_of(None, f"{name}!", width(procedure.result), Role.RESULT)
            for name, procedure in self._program.procedures.items()
            if procedure.result is not None and procedure.result in self._unset.registers
        }

    def _shadow_object(self, item: StaticObject) -> StaticObject:
        return StaticObject(item.name + "!", item.address + self._program.first_free, item.size)

    def _shadow_place(self, address: Term) -> Term:
        """Shadows of fixed objects follow all of these; those of others lie two slots behind them."""
        program = self._program
        fixed = bitvectors.binary("bvadd", address, constant(program.first_free, self._bits))
        if not self._allocates or _names_fixed_object(address, program):
            return fixed
        moved = bitvectors.binary("bvadd", address, constant(2 * program.layout.slot, self._bits))
        if has_role(address, Role.ADDRESS):
            return moved
        is_fixed = bitvectors.compare("bvult", address, constant(program.first_free, self._bits))
        return conditional(is_fixed, fixed, moved)

    def _procedure(self, procedure: Procedure) -> Procedure:
        edges: list[Edge] = []
        moved = self._decisions(procedure, edges)
        for edge in procedure.edges:
            source = moved.get(edge.source, edge.source)
            edges.extend(self._chained(replace(edge, source=source), self._steps(procedure, edge)))
        return replace(procedure, parameters=self._parameters(procedure), edges=tuple(edges))

    def _parameters(self, procedure: Procedure) -> tuple[Term, ...]:
        shadows = (shadow_of(p) for p in procedure.parameters if p in self._unset.registers)
        return procedure.parameters if procedure.name == self._program.entry else (*procedure.parameters, *shadows)

    def _decisions(self, procedure: Procedure, edges: list[Edge]) -> dict[int, int]:
        """Checks before the locations at which conditions decide, and where these locations went."""
        moved: dict[int, int] = {}
        for place, ways in procedure.outgoing.items():
            for condition, what, position in _deciding(ways, procedure.marks.get(place, ())):
                lacking = self._shadows.lacks(condition)
                if lacking is not FALSE:
                    here = moved.get(place, place)
                    moved[place] = next(self._fresh)
                    check = self._check(lacking, what, condition)
                    edges.extend(failing(Edge(here, moved[place], check, position), check, self._fresh))
        return moved

    def _check(self, lacking: Term, what: str, term: Term) -> Check:
        named = " or ".join(self._named(term))
        return Check("uninitialised", negate(lacking), f"{named or 'a value'} that is not initialised decides {what}")

    def _named(self, term: Term) -> list[str]:
        """What the source calls the parts of a term that may lack a value."""
        found = [self._names[part] for part in term.variables if part in self._unset.registers and part in self._names]
        for read in bitvectors.state_reads(term):
            address = bitvectors.constant_value(read.args[0])
            name = None if read.op != "load" or address is None else self._program.name_at(address)
            found += [] if name is None else [name]
        return sorted({f"`{name}`" for name in found})

    def _chained(self, edge: Edge, steps: list[Label | Check]) -> Iterator[Edge]:
        """An edge as several; checks of this property become failures."""
        here = edge.source
        for number, label in enumerate(steps):
            target = edge.target if number == len(steps) - 1 else next(self._fresh)
            step = replace(edge, source=here, target=target, label=label)
            if isinstance(label, Check) and label.kind == "uninitialised":
                yield from failing(step, label, self._fresh)
            else:
                yield step
            here = target

    def _steps(self, procedure: Procedure, edge: Edge) -> list[Label | Check]:
        """What a step becomes: first what may go wrong, then the shadows, then the step itself."""
        label, of = edge.label, self._shadows.of
        match label:
            case Check(kind, condition) if kind in _DECISIVE:
                lacking = self._shadows.lacks(condition)
                return [label] if lacking is FALSE else [self._check(lacking, _DECISIVE[kind], condition), label]
            case Assign(register, value) if register in self._unset.registers:
                shadow = Assign(shadow_of(register), of(value))
                return [*self._returned(procedure, register, value), shadow, label, *self._result(procedure, register)]
            case Input(register) if register in self._unset.registers:
                return [Assign(shadow_of(register), _all_bits(label, edge)), label, *self._result(procedure, register)]
            case Call():
                return self._call(label)
            case Allocate() | Begin():
                return [*self._made(procedure, edge), *self._addressed(label)]
        return [*self._memory(label), label]

    def _addressed(self, label: Label) -> list[Label]:
        """The address of a new object is a value."""
        if not isinstance(label, Allocate) or label.register not in self._unset.registers:
            return []
        return [Assign(shadow_of(label.register), constant(0, width(label.register)))]

    def _returned(self, procedure: Procedure, register: Term, value: Term) -> list[Check]:
        """What `main` returns is seen from outside."""
        if procedure.name != "main" or register is not procedure.result:
            return []
        lacking = self._shadows.lacks(value)
        return [] if lacking is FALSE else [self._check(lacking, "what main returns", value)]

    def _result(self, procedure: Procedure, register: Term) -> list[Assign]:
        if register is not procedure.result:
            return []
        return [Assign(self._results()[procedure.name], shadow_of(register))]

    def _call(self, label: Call) -> list[Label]:
        callee, of = self._program.procedures[label.procedure], self._shadows.of
        arguments = list(label.arguments)
        if callee.name != self._program.entry:
            given = zip(callee.parameters, label.arguments, strict=True)
            arguments += [of(argument) for parameter, argument in given if parameter in self._unset.registers]
        steps: list[Label] = [replace(label, arguments=tuple(arguments))]
        if label.result is not None and label.result in self._unset.registers:
            results = self._results()
            none = constant(0, width(label.result))
            steps.append(Assign(shadow_of(label.result), results.get(callee.name, none)))
        return steps

    def _memory(self, label: Label) -> list[Label]:
        """The shadow of a write."""
        if not self._unset.memory:
            return []
        of, place = self._shadows.of, self._shadow_place
        match label:
            case Store(address, value):
                return [Store(place(address), of(value))]
            case Copy(target, source, size):
                return [Copy(place(target), place(source), size)]
            case Fill(target, size, byte):
                return [Fill(place(target), size, of(byte))]
        return []

    def _made(self, procedure: Procedure, edge: Edge) -> list[Label]:
        """A new object with its shadow; that of a dynamic one comes after the mark that may follow the object."""
        label, layout = edge.label, self._program.layout
        if not self._unset.memory:
            return [label]
        if isinstance(label, Begin):
            start = label.address + self._program.first_free
            byte = constant(0 if label.given else -1, 8)
            filled = Fill(constant(start, self._bits), constant(label.size, self._bits), byte)
            return [label, Begin(start, label.size), filled]
        assert isinstance(label, Allocate)
        size, into = (register_of(procedure.name, f"{name}!", self._bits, Role.TEMPORARY) for name in ("size", "made"))
        if _is_mark(procedure, edge, layout):
            object_ = procedure.incoming[edge.source][0].label
            assert isinstance(object_, Allocate)
            return [label, *_shadow(into, size, object_)]
        kept = Assign(size, bitvectors.extend(label.size, self._bits - width(label.size), False))
        following = procedure.outgoing.get(edge.target, ())
        if len(following) == 1 and _is_mark(procedure, following[0], layout):
            return [kept, label]
        nothing = replace(label, register=into, size=constant(0, self._bits), zero=True)
        return [kept, label, nothing, *_shadow(into, size, label)]


def _shadow(into: Term, size: Term, label: Allocate) -> list[Label]:
    """A shadow object of a size: that of an object which has values, or of one that has none."""
    made = Allocate(into, size, True, label.storage)
    return [made] if label.zero else [made, Fill(into, size, constant(-1, 8))]


def _is_mark(procedure: Procedure, edge: Edge, layout: Layout) -> bool:
    """Whether an object only says something of the one before it, by its size, which no other object has."""
    label, before = edge.label, procedure.incoming.get(edge.source, ())
    if not isinstance(label, Allocate) or len(before) != 1 or not isinstance(before[0].label, Allocate):
        return False
    size = label.size.args[1] if label.size.op == "ite" else label.size
    return bitvectors.constant_value(size) in (layout.slot // 2, layout.slot // 2 - 1)


def _deciding(ways: tuple[Edge, ...], marks: tuple[Mark, ...]) -> Iterator[tuple[Term, str, Position]]:
    """The conditions that decide at a location, what they decide, and where: choices inside of terms, then the way."""
    label = ways[0].label
    branching = label.condition if len(ways) > 1 and isinstance(label, Assume) else None
    for mark in marks:
        if mark.check.kind == "choice" and mark.check.condition is not branching:
            yield mark.check.condition, mark.check.message, mark.position
    if branching is not None:
        yield branching, "which way the program goes", ways[0].position


def _all_bits(label: Input, edge: Edge) -> Term:
    """The shadow of an input."""
    return constant(-1 if lacks_a_value(label, edge) else 0, width(label.register))


def _names_fixed_object(address: Term, program: ControlFlowProgram) -> bool:
    """Whether an address is a distance from the start of an object whose place is fixed."""
    start = bitvectors.constant_value(address)
    if start is None and address.op == "bvlin":
        start = address.args[1]
    return start is not None and program.layout.slot <= start < program.first_free
