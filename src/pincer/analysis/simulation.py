"""Property simulation: which combinations of register values reach each location, procedure by procedure.

Different environments at a location are kept apart as long as they differ in the registers that are tracked. A
procedure is analysed once for each environment it is entered with (a *context*): what it knows on entry and what it may
know at its exit are a summary for all calls that enter it so. The analysis does not rely on undefined behaviour ending
an execution, and knows nothing about memory: a write through any pointer changes no register.

What it finds is inductive: the environments at a location, as a disjunction, are an invariant of the context.
"""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterator, Mapping
from functools import partial
from typing import TypeAlias

from msgspec import Struct

from pincer.analysis.environments import Environment
from pincer.logic import bitvectors
from pincer.logic.bitvectors import state_reads
from pincer.logic.terms import Term, equal
from pincer.program.control_flow import (
    Allocate,
    Assign,
    Assume,
    Call,
    ControlFlowProgram,
    Edge,
    Fail,
    Halt,
    Input,
    Procedure,
    Unsupported,
)
from pincer.program.effects import ProcedureEffects, effects
from pincer.program.graphs import components
from pincer.program.labels import read_registers, written_register
from pincer.program.registers import is_local
from pincer.program.thread_labels import ThreadOperation
from pincer.runtime.run import Run


class SimulationLimits(Struct, frozen=True):
    """Heuristic numbers: what takes more is given up, and other registers or other strategies are tried."""

    environments: int = 300
    """At one location of one context: the tracked registers multiply where there are more."""
    contexts: int = 3_000
    """Procedures times what is known on entry; a proof has a triple for each."""
    steps: int = 100_000
    """Environments that are followed one step further, in all."""


LIMITS = SimulationLimits()


class TooManyEnvironments(Exception):
    """The tracked registers take too many combinations of values to be followed."""


class SimulatedCall(Struct, eq=False):
    """A procedure entered with some knowledge: the environments at its locations, and where it is called from."""

    procedure: Procedure
    entry: Environment
    at: dict[int, dict[Environment, None]] = {}
    calls: dict[Edge, dict[Environment, SimulatedCall]] = {}
    callers: dict[tuple[SimulatedCall, Edge, Environment], None] = {}


Place: TypeAlias = tuple[SimulatedCall, int, Environment]
"""An environment at a location of a context."""


class Simulation(Struct, frozen=True, eq=False):
    """All contexts, the entry procedure's first, and the places where some environment reaches an error.

    `before` says from where each place was arrived at in its context, over calls as well, `calling` which calls lead to
    an entry, and `returns` from an exit over a call to where the caller goes on."""

    contexts: tuple[SimulatedCall, ...]
    reached: Collection[Place]
    before: Mapping[Place, Collection[Place]]
    calling: Mapping[Place, Collection[Place]]
    returns: Mapping[Place, Collection[tuple[Edge, Place]]]


def simulating(
    program: ControlFlowProgram, tracked: frozenset[Term], errors: Collection[Edge], run: Run, to_the_end: bool = False
) -> Generator[None, None, Simulation]:
    """Simulate a program from its initial registers, one step at a time; stops at the first error that an environment
    reaches, unless it is to go on to the end. What needs too many environments is given up."""
    return _Simulator(program, tracked, errors, run).simulated(to_the_end)


class _Simulator:
    """One simulation: a worklist of environments that arrived at locations and wait to be followed."""

    def __init__(
        self,
        program: ControlFlowProgram,
        tracked: frozenset[Term],
        errors: Collection[Edge],
        run: Run,
    ) -> None:
        self.program = program
        self.tracked = tracked
        self.errors = errors
        self.run = run
        self.effects: Mapping[str, ProcedureEffects] = effects(program)
        self.live = {name: _live(procedure, tracked) for name, procedure in program.procedures.items()}
        self.fixed = {name: fixed_parameters(procedure) & tracked for name, procedure in program.procedures.items()}
        self.counting = frozenset(edge for procedure in program.procedures.values() for edge in _counting(procedure))
        self.concerned = _globals_concerned(program, tracked, self.effects)
        self.contexts: dict[tuple[str, Environment], SimulatedCall] = {}
        self.waiting: list[Place] = []
        self.reached: dict[Place, None] = {}
        self.before: dict[Place, dict[Place, None]] = {}
        self.calling: dict[Place, dict[Place, None]] = {}
        self.returns: dict[Place, dict[tuple[Edge, Place], None]] = {}
        self.steps = 0

    def simulated(self, to_the_end: bool) -> Generator[None, None, Simulation]:
        entry = self.program.procedures[self.program.entry]
        initial = (
            equal(register, bitvectors.constant(value, bitvectors.width(register)))
            for register, value in self.program.initial.items()
        )
        self._entered(entry, Environment(frozenset(initial)), ())
        while self.waiting and (to_the_end or not self.reached):
            self.run.poll()
            self.steps += 1
            if self.steps > LIMITS.steps:
                raise TooManyEnvironments
            context, location, environment = self.waiting.pop()
            if environment not in context.at[location]:
                continue
            for edge in context.procedure.outgoing.get(location, ()):
                self._follow(context, edge, environment)
            if location == context.procedure.exit:
                for caller, edge, before in list(context.callers):
                    self._return(caller, edge, before, (context, location, environment))
            yield
        contexts = tuple(self.contexts.values())
        return Simulation(contexts, self.reached, self.before, self.calling, self.returns)

    def _entered(self, callee: Procedure, known: Environment, bound: Collection[tuple[Term, Term]]) -> SimulatedCall:
        """The context of a procedure that is entered with some parameters bound."""
        concerned = self.concerned[callee.name]
        literals = set(known.about(concerned.__contains__).literals)
        for parameter, argument in bound:
            about = known.passed(parameter, argument)
            literals.update(literal for literal in about if literal.variables <= {parameter, *concerned})
        entry = Environment(frozenset(literals))
        context = self.contexts.get((callee.name, entry))
        if context is None:
            if len(self.contexts) >= LIMITS.contexts:
                raise TooManyEnvironments
            context = self.contexts[callee.name, entry] = SimulatedCall(callee, entry)
            self._arrive(context, callee.entry, entry)
        return context

    def _arrive(
        self, context: SimulatedCall, location: int, known: Environment, came_from: Place | None = None
    ) -> Place:
        """Go on from a location, unless less was known there before: the place at which the simulation goes on."""
        known = known.chosen(partial(self._is_kept, context.procedure.name, location))
        there = context.at.setdefault(location, {})
        weaker = next((other for other in there if other.literals <= known.literals), None)
        place = context, location, known if weaker is None else weaker
        if came_from is not None:
            self.before.setdefault(place, {})[came_from] = None
        if weaker is not None:
            return place
        for other in [other for other in there if known.literals <= other.literals]:
            del there[other]
            self.before.setdefault(place, {})[context, location, other] = None
        if len(there) >= LIMITS.environments:
            raise TooManyEnvironments
        there[known] = None
        self.waiting.append(place)
        return place

    def _is_kept(self, procedure: str, location: int, literal: Term) -> bool:
        """Whether a literal may still matter: its own variables are read, or it tells the caller how its arguments
        relate to global registers."""
        local = set(filter(is_local, literal.variables))
        live = self.live[procedure].get(location, frozenset())
        return local <= live or (local <= live | self.fixed[procedure] and len(local) < len(literal.variables))

    def _follow(self, context: SimulatedCall, edge: Edge, known: Environment) -> None:
        after: Environment | None = known
        match edge.label:
            case Fail() | Halt() | Unsupported() | ThreadOperation():
                if edge in self.errors:
                    self.reached[context, edge.source, known] = None
                return
            case Call():
                self._call(context, edge, known)
                return
            case Assume(condition):
                after = known.where(condition)
            case Assign(register, value) if register in self.tracked:
                counted = edge in self.counting
                after = known.without((register,)) if counted else known.assigned(register, value)
            case Input(register):
                after = known.without((register,))
            case Allocate(register):
                after = known.without((register, self.program.top))
        if after is not None:
            after = after.about(self.tracked.__contains__)
            self._arrive(context, edge.target, after, (context, edge.source, known))

    def _call(self, context: SimulatedCall, edge: Edge, known: Environment) -> None:
        assert isinstance(edge.label, Call)
        callee = self.program.procedures[edge.label.procedure]
        bound = [pair for pair in zip(callee.parameters, edge.label.arguments, strict=False) if pair[0] in self.tracked]
        entered = self._entered(callee, known, bound)
        context.calls.setdefault(edge, {})[known] = entered
        entered.callers[context, edge, known] = None
        for inside in entered.at[callee.entry]:
            self.calling.setdefault((entered, callee.entry, inside), {})[context, edge.source, known] = None
        for returned in list(entered.at.get(callee.exit, ())):
            self._return(context, edge, known, (entered, callee.exit, returned))

    def _return(self, context: SimulatedCall, edge: Edge, known: Environment, exit_: Place) -> None:
        call = edge.label
        assert isinstance(call, Call)
        if known not in context.at[edge.source]:
            return
        changed = {*self.effects[call.procedure].registers}
        if call.result is not None:
            changed.add(call.result)
        names = self._names_outside(call, changed)
        after = (
            exit_[2]
            .chosen(
                lambda literal: all(
                    register in names or (not is_local(register) and register is not call.result)
                    for register in literal.variables
                )
            )
            .renamed(names)
        )
        both = known.without(changed).where(after.about(self.tracked.__contains__).formula)
        if both is not None:
            place = self._arrive(context, edge.target, both, (context, edge.source, known))
            self.returns.setdefault(exit_, {})[edge, place] = None

    def _names_outside(self, call: Call, changed: Collection[Term]) -> dict[Term, Term]:
        """What the caller calls the registers of a callee after a call: its result, and parameters it never assigns,
        if the arguments are still what they were."""
        callee = self.program.procedures[call.procedure]
        arguments = dict(zip(callee.parameters, call.arguments, strict=False))
        names = {
            parameter: arguments[parameter]
            for parameter in self.fixed[callee.name] & arguments.keys()
            if arguments[parameter].variables.isdisjoint(changed) and not state_reads(arguments[parameter])
        }
        if call.result is not None and callee.result is not None and call.result in self.tracked:
            names[callee.result] = call.result
        return names


def fixed_parameters(procedure: Procedure) -> frozenset[Term]:
    """The parameters that keep the value of their argument."""
    return frozenset(procedure.parameters).difference(written_register(edge.label) for edge in procedure.edges)


def _counting(procedure: Procedure) -> Iterator[Edge]:
    """Assignments that compute a register from its own earlier value, if by way of others: nothing is known after them,
    so that loops end."""
    made_of: dict[Term, set[Term]] = {}
    for edge in procedure.edges:
        if isinstance(edge.label, Assign):
            made_of.setdefault(edge.label.register, set()).update(edge.label.value.variables)
    found = enumerate(components(made_of, lambda register: made_of.get(register, ())))
    component = {register: number for number, members in found for register in members}
    for edge in procedure.edges:
        label = edge.label
        if isinstance(label, Assign) and label.value.op not in ("var", "bvconst"):
            own = component[label.register]
            if any(component[register] == own for register in label.value.variables):
                yield edge


def _live(procedure: Procedure, tracked: frozenset[Term]) -> dict[int, frozenset[Term]]:
    """Tracked registers of the procedure that may be read, before they are assigned, from each location on."""
    live: dict[int, frozenset[Term]] = {}
    if procedure.result is not None:
        live[procedure.exit] = frozenset((procedure.result,))
    pending = {edge.target for edge in procedure.edges} | {procedure.exit}
    while pending:
        location = pending.pop()
        for edge in procedure.incoming.get(location, ()):
            kept = live.get(location, frozenset()) - {written_register(edge.label)}
            new = kept | {r for r in _followed(edge) if is_local(r) and r in tracked}
            if not new <= live.get(edge.source, frozenset()):
                live[edge.source] = live.get(edge.source, frozenset()) | new
                pending.add(edge.source)
    return live


def _followed(edge: Edge) -> frozenset[Term]:
    """The registers whose values an edge hands on or decides by."""
    return read_registers(edge.label) if isinstance(edge.label, Assign | Assume | Call) else frozenset()


def _read_globals(edge: Edge) -> frozenset[Term]:
    return frozenset(register for register in _followed(edge) if not is_local(register))


def _globals_concerned(
    program: ControlFlowProgram, tracked: frozenset[Term], changes: Mapping[str, ProcedureEffects]
) -> dict[str, frozenset[Term]]:
    """The tracked global registers that each procedure or what it calls reads, or leaves as they are on some ways."""
    found = {
        name: tracked.intersection(changes[name].registers.union(*(_read_globals(edge) for edge in procedure.edges)))
        for name, procedure in program.procedures.items()
    }
    for members in components(program.procedures, program.callees):
        below = {callee for name in members for callee in program.callees(name)}
        found.update(dict.fromkeys(members, frozenset().union(*(found[name] for name in below.union(members)))))
    return found
