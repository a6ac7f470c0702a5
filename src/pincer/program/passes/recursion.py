"""Programs without recursion that stand for programs with it, where it is asked whether runs go on for ever.

A run that goes on for ever makes calls that return and calls that never do. Those that never do are open one inside of
the other, so such a run is one long way: into each call that does not return, and past each that does. Two programs
have such ways only:

- in the program `with_calls_passed` a call is entered for good, or passed: then its result, what is global and all of
  memory may be anything. Every run without an end is one of this program, too: if it has none, neither has the other.
- in the program `with_calls_entered` every call is entered for good. A run of it is one of the program as it is
  written, as long as that does not return from any of these calls: if it goes on for ever, so does the other.

This is done to calls of procedures that are recursive or lead to such; their bodies become part of the entry procedure.
Before each there is a place to which all its calls lead, the head of a loop. Parameters are in registers that all these
procedures share: since no call returns, only those of the last one matter. All other calls stay what they are.

A contract says how the result of a procedure depends on its arguments. It is assumed where a call is passed, and where
the procedure's body ends without it, there is a step that must not be reached. So it holds of every call that returns:
the calls inside of that one have returned before it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from pincer.errors import Position
from pincer.logic.bitvectors import constant, width
from pincer.logic.terms import Term, equal, negate, substitute
from pincer.program.control_flow import (
    Allocate,
    Assign,
    Assume,
    Call,
    ControlFlowProgram,
    Edge,
    Input,
    Label,
    Mark,
    Procedure,
    Skip,
    SourceVariable,
    Unsupported,
)
from pincer.program.passes.edges import fresh_locations
from pincer.program.registers import Register, Role, register_of
from pincer.program.thread_labels import ThreadOperation

Contracts: TypeAlias = Mapping[str, Term]
"""By procedure, a condition on its parameters, as they were at its beginning, and its result."""

BROKEN = "a result that is not what the contract of its function says"
SOURCE = "a call that returns"
"""What delivers the values of a call that is passed."""


def leading_to_recursion(program: ControlFlowProgram) -> frozenset[str]:
    """The procedures that a run may call and that are recursive or lead to such; the entry is not among them unless it
    is recursive itself."""
    below = {name: _below(program, name) for name in (program.entry, *_below(program, program.entry))}
    recursive = {name for name, called in below.items() if name in called}
    found = {name for name, called in below.items() if name in recursive or called & recursive}
    return frozenset(found if program.entry in recursive else found - {program.entry})


def _below(program: ControlFlowProgram, name: str) -> frozenset[str]:
    """All procedures that are called below a procedure, itself among them only if it is."""
    found: set[str] = set()
    waiting = list(program.procedures[name].callees)
    while waiting:
        callee = waiting.pop()
        if callee not in found:
            found.add(callee)
            waiting += program.procedures[callee].callees
    return frozenset(found)


NO_CONTRACTS: Contracts = {}


class Joined(Struct, frozen=True):
    """A program without recursion, where its calls of which procedures lead, and whose body other loops are in."""

    program: ControlFlowProgram
    entries: Mapping[int, str] = {}
    bodies: Mapping[int, str] = {}


def with_calls_passed(program: ControlFlowProgram, contracts: Contracts = NO_CONTRACTS) -> Joined:
    """The program in which each call of certain procedures is entered for good, or passed."""
    return _Joining(program, passing=True, contracts=contracts).joined()


def with_calls_entered(program: ControlFlowProgram) -> Joined:
    """The program in which each call of certain procedures is entered for good."""
    return _Joining(program, passing=False).joined()


class _Joining:
    """One program being made."""

    def __init__(self, program: ControlFlowProgram, passing: bool, contracts: Contracts = NO_CONTRACTS) -> None:
        self._program = program
        self._contracts = contracts
        self._passing = passing
        self._fresh = fresh_locations(program)
        self._heads = {name: next(self._fresh) for name in sorted(leading_to_recursion(program))}
        self._made = 0
        self._global = tuple(_global_registers(program))

    def joined(self) -> Joined:
        """The program itself where nothing is recursive; the entry may not be."""
        program, heads = self._program, self._heads
        if not heads or program.entry in heads:
            return Joined(program)
        entry = program.procedures[program.entry]
        bodies = [entry, *(program.procedures[name] for name in heads)]
        begun = [new for body in bodies[1:] for new in (*self._begun(body), *self._returned(body))]
        edges = [new for body in bodies for edge in self._edges(body) for new in self._replaced(edge)]
        loops = frozenset(heads.values()).union(*(body.loop_heads for body in bodies))
        marks = {place: marks for body in bodies for place, marks in self._marks(body).items()}
        whole = replace(entry, edges=(*edges, *begun), loop_heads=loops, marks=marks)
        others = {name: body for name, body in program.procedures.items() if name not in heads}
        joined = replace(
            program, procedures={**others, entry.name: whole}, variables=tuple(self._variables())
        )  # fmt: skip
        inside = {head: body.name for body in bodies[1:] for head in body.loop_heads}
        return Joined(joined, {place: name for name, place in heads.items()}, inside)

    def _variables(self) -> Iterator[SourceVariable]:
        """What registers are in the source."""
        bodies = map(self._program.procedures.__getitem__, self._heads)
        shared = {parameter: new for body in bodies for parameter, new in self._shared(body).items()}
        for variable in self._program.variables:
            argument = None if variable.register is None else shared.get(variable.register)
            yield variable if argument is None else replace(variable, register=argument)

    def _replaced(self, edge: Edge) -> Iterator[Edge]:
        label = edge.label
        if not isinstance(label, Call) or label.procedure not in self._heads:
            yield edge
            return
        source = edge.source
        if self._passing:
            choice, chosen = self._register(8), next(self._fresh)
            yield Edge(source, chosen, Input(choice, SOURCE), edge.position)
            enters = equal(choice, constant(0, 8))
            source, passes = next(self._fresh), next(self._fresh)
            yield Edge(chosen, source, Assume(enters), edge.position)
            yield Edge(chosen, passes, Assume(negate(enters)), edge.position)
            yield from self._chain(passes, edge.target, self._passed(label), edge.position)
        yield from self._chain(source, self._heads[label.procedure], self._passed_on(label), edge.position)

    def _passed_on(self, call: Call) -> Iterator[Label]:
        """The parameters get the values of the arguments, all at once."""
        kept = [self._register(width(argument)) for argument in call.arguments]
        for register, argument in zip(kept, call.arguments, strict=True):
            yield Assign(register, argument)
        for number, register in enumerate(kept):
            yield Assign(self._parameter(number, width(register)), register)

    def _begun(self, callee: Procedure) -> Iterator[Edge]:
        """Into a procedure: registers that are not its parameters have any values. What its contract speaks of is
        kept."""
        labels: list[Label] = [Input(register, SOURCE, "undefined") for register in _read_first(callee)]
        if callee.name in self._contracts:
            shared = self._shared(callee)
            labels += (Assign(kept, shared[register]) for register, kept in self._kept(callee).items())
        return self._chain(self._heads[callee.name], callee.entry, labels, callee.position)

    def _kept(self, callee: Procedure) -> dict[Term, Term]:
        """Where the arguments of a procedure with a contract are kept."""
        return {
            register: register_of(self._program.entry, f"{callee.name} argument {n}", width(register), Role.TEMPORARY)
            for n, register in enumerate(callee.parameters)
        }

    def _returned(self, callee: Procedure) -> Iterator[Edge]:
        """A body that ends without what its contract says."""
        contract = self._contracts.get(callee.name)
        if contract is not None:
            after = next(self._fresh)
            broken = negate(substitute(contract, self._kept(callee)))
            yield Edge(callee.exit, after, Assume(broken), callee.position)
            yield Edge(after, next(self._fresh), Unsupported(BROKEN), callee.position)

    def _passed(self, call: Call) -> Iterator[Label]:
        """Past a call: what its contract says of the result is known."""
        contract = self._contracts.get(call.procedure)
        callee = self._program.procedures[call.procedure]
        if contract is None or call.result is None or callee.result is None:
            yield from self._anything(call)
            return
        kept = [self._register(width(argument)) for argument in call.arguments]
        for register, argument in zip(kept, call.arguments, strict=True):
            yield Assign(register, argument)
        yield from self._anything(call)
        given = dict(zip(callee.parameters, kept, strict=True)) | {callee.result: call.result}
        yield Assume(substitute(contract, given))

    def _edges(self, body: Procedure) -> Iterable[Edge]:
        """The edges of a procedure; parameters are the registers that all share."""
        shared = self._shared(body) if body.name in self._heads else {}
        if not shared:
            return body.edges
        return (replace(edge, label=_renamed(edge.label, shared)) for edge in body.edges)

    def _marks(self, body: Procedure) -> Mapping[int, tuple[Mark, ...]]:
        """The marks of a procedure, about the registers that all share."""
        shared = self._shared(body) if body.name in self._heads else {}
        return {
            place: tuple(
                replace(mark, check=replace(mark.check, condition=substitute(mark.check.condition, shared)))
                for mark in marks
            )
            for place, marks in body.marks.items()
        }

    def _shared(self, body: Procedure) -> dict[Term, Term]:
        return {register: self._parameter(n, width(register)) for n, register in enumerate(body.parameters)}

    def _parameter(self, number: int, bits: int) -> Term:
        return register_of(self._program.entry, f"parameter {number} of {bits} bits", bits)

    def _anything(self, call: Call) -> Iterator[Label]:
        """Past a call: nothing is known of its result, of what is global and, as after an allocation, of memory."""
        for register in (*(() if call.result is None else (call.result,)), *self._global):
            yield Input(register, SOURCE)
        bits = self._program.layout.pointer_bits
        yield Allocate(self._register(bits), constant(1, bits), zero=False, storage="heap")

    def _chain(self, source: int, target: int, labels: Iterable[Label], position: Position) -> Iterator[Edge]:
        """Edges with some labels, one behind the other."""
        waiting = list(labels) or [Skip()]
        for label in waiting[:-1]:
            following = next(self._fresh)
            yield Edge(source, following, label, position)
            source = following
        yield Edge(source, target, waiting[-1], position)

    def _register(self, bits: int) -> Term:
        self._made += 1
        return register_of(self._program.entry, f"call {self._made}", bits, Role.TEMPORARY)


def _global_registers(program: ControlFlowProgram) -> dict[Term, None]:
    """The registers that some step assigns and that do not belong to an activation; `$top` is one of memory."""
    found: dict[Term, None] = {}
    for edge in program.edges():
        register = _assigned(edge.label)
        name = None if register is None else register.args[0]
        if register is not None and isinstance(name, Register) and name.owner not in program.procedures:
            found[register] = None
    found.pop(program.top, None)
    return found


def _assigned(label: Label | ThreadOperation) -> Term | None:
    found = getattr(label, "result" if isinstance(label, Call | ThreadOperation) else "register", None)
    return found if isinstance(found, Term) else None


def _read_first(procedure: Procedure) -> list[Term]:
    """The registers of a procedure, apart from its parameters, that may be read before they are assigned."""
    live: dict[int, frozenset[Term]] = dict.fromkeys(procedure.locations, frozenset())
    changed = True
    while changed:
        changed = False
        for edge in reversed(procedure.edges):
            needed = live[edge.source] | (live[edge.target] - {_assigned(edge.label)}) | _read(edge.label)
            changed |= needed != live[edge.source]
            live[edge.source] = needed
    own = (r for r in live[procedure.entry] if isinstance(r.args[0], Register) and r.args[0].owner == procedure.name)
    return sorted((r for r in own if r not in procedure.parameters), key=lambda register: str(register.args[0]))


def _renamed(label: Label, names: Mapping[Term, Term]) -> Label:
    """A label with other registers."""
    fields = {name: getattr(label, name) for name in label.__struct_fields__}
    return replace(label, **{name: _with_names(value, names) for name, value in fields.items()})


def _with_names(value: Any, names: Mapping[Term, Term]) -> Any:
    if isinstance(value, Term):
        return substitute(value, dict(names))
    return tuple(_with_names(part, names) for part in value) if type(value) is tuple else value


def _read(label: Label | ThreadOperation) -> frozenset[Term]:
    """The registers that a label mentions, but for the one it assigns."""
    assigned = "result" if isinstance(label, Call | ThreadOperation) else "register"
    values = (getattr(label, name) for name in label.__struct_fields__ if name != assigned)
    return frozenset(variable for value in values for variable in _variables(value))


def _variables(value: object) -> Iterator[Term]:
    if isinstance(value, Term):
        yield from value.variables
    elif isinstance(value, tuple):
        for part in value:
            yield from _variables(part)
