"""What people are told of a schedule that was executed: for each step of a thread, its line, its calls and values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from pincer.engines.shown_values import Written, points_to_whole, stored
from pincer.evidence.c.trace import CALL_OF
from pincer.evidence.threads.trace import ThreadStep
from pincer.execution.testing import ExecutionFrame
from pincer.execution.threads.calls import object_name
from pincer.execution.threads.schedules import ReplayedSchedule
from pincer.execution.threads.state import ThreadedState
from pincer.execution.threads.transitions import ThreadTransition
from pincer.logic.bitvectors import state_reads, width
from pincer.logic.terms import Term
from pincer.program.control_flow import (
    Assign,
    Assume,
    Call,
    ControlFlowProgram,
    Edge,
    Input,
    Procedure,
    SourceVariable,
    Store,
)
from pincer.program.labels import written_register
from pincer.program.registers import is_local
from pincer.program.source_names import value_text
from pincer.program.thread_labels import Meet, Start, ThreadOperation


class _Passed(Struct, frozen=True):
    """A step of a transition in a procedure, below so many calls; one that calls says which procedure it `enters`, and
    one that comes back from a call that it `returns`."""

    edge: Edge
    procedure: str
    depth: int
    enters: Procedure | None = None
    returns: bool = False


def callers(frame: ExecutionFrame) -> list[Procedure]:
    """The procedures that are active, the innermost one last."""
    found = list[Procedure]()
    now: ExecutionFrame | None = frame
    while now is not None:
        found.append(now.procedure)
        now = now.caller
    return found[::-1]


def _passed(program: ControlFlowProgram, before: ThreadedState, transition: ThreadTransition) -> Iterator[_Passed]:
    """The steps of a transition. The edge of a call is passed when it begins, and again when it is over."""
    thread = before.threads[transition.thread]
    location, active = thread.location, callers(thread.frame)
    for edge in transition.edges:
        if not isinstance(edge.label, Call):
            yield _Passed(edge, active[-1].name, len(active) - 1)
            location = edge.target
        elif edge.source == location:
            called = program.procedures[edge.label.procedure]
            yield _Passed(edge, active[-1].name, len(active) - 1, enters=called)
            active.append(called)
            location = called.entry
        else:
            active.pop()
            yield _Passed(edge, active[-1].name, len(active) - 1, returns=True)
            location = edge.target


def depth_of(program: ControlFlowProgram, before: ThreadedState, transition: ThreadTransition, edge: Edge) -> int:
    """Below how many calls a transition passes an edge last."""
    depths = [step.depth for step in _passed(program, before, transition) if step.edge is edge]
    return depths[-1] if depths else len(callers(before.threads[transition.thread].frame)) - 1


def steps_of(program: ControlFlowProgram, replayed: ReplayedSchedule) -> Iterator[ThreadStep]:
    """What is told of a schedule, over all threads in their order."""
    created = 0
    for before, transition in zip(replayed.states, replayed.transitions, strict=False):
        telling = _Telling(program, before, transition)
        for passed in _passed(program, before, transition):
            for step in telling.steps(passed):
                created += isinstance(passed.edge.label, Start)
                yield replace(step, creates=created) if isinstance(passed.edge.label, Start) else step


class _Telling:
    """What is told of the steps of one transition; values are those at its end."""

    def __init__(self, program: ControlFlowProgram, before: ThreadedState, transition: ThreadTransition) -> None:
        self.program = program
        self.transition = transition
        self.names = {one.register: one for one in program.variables if one.register is not None}
        passed = list(_passed(program, before, transition))
        self.last = {written_register(step.edge.label): step.edge for step in passed if step.enters is None}
        self.entered = [step.enters for step in passed if step.enters is not None]
        self.stores = _stores(before, transition)

    def steps(self, passed: _Passed) -> Iterator[ThreadStep]:
        edge, thread = passed.edge, self.transition.thread
        here = ThreadStep(thread, edge.position, passed.procedure, "", depth=passed.depth)
        match edge.label:
            case Meet():
                return
            case ThreadOperation(function=function):
                yield replace(here, text=function)
            case Call(result=result) if passed.returns:
                if result is not None and result in self.names and self.last.get(result) is edge:
                    yield self._changed(here, self.names[result])
            case Call(procedure=called):
                yield replace(here, text=f"{CALL_OF}{called}")
                yield from self._arguments(passed)
            case Assume(branch=branch) if branch is not None:
                yield replace(here, branch=branch)
            case Input(register, source) if register in self.names and self.last[register] is edge:
                yield self._changed(replace(here, text=source, inputs=1), self.names[register])
            case Input(source=source):
                yield replace(here, text=source, inputs=1)
            case Assign(value=value) if value in self.names and not is_local(value):
                read = self._value(self.names[value])
                yield replace(here, reads=(read,) if read else ())
            case Assign(register) if register in self.names and self.last[register] is edge:
                yield self._changed(here, self.names[register])
            case Assign(register) if register == self.program.procedures[passed.procedure].result:
                yield replace(here, text="return")
            case Store():
                found = self.stores.get(edge, _Stored())
                yield replace(here, changes=found.changes, scopes=(found.scope,) * len(found.changes))

    def _changed(self, step: ThreadStep, variable: SourceVariable) -> ThreadStep:
        change = self._value(variable)
        return step if change is None else replace(step, changes=(change,), scopes=(variable.scope or "",))

    def _arguments(self, passed: _Passed) -> Iterator[ThreadStep]:
        """What a function that is entered was given, told with its first line, where that is still known at the end."""
        called = passed.enters
        assert called is not None
        first = next((edge.position for edge in called.outgoing.get(called.entry, ())), called.position)
        if first.is_added or self.entered.count(called) > 1:
            return
        kept = [self.names[one] for one in called.parameters if one in self.names and one not in self.last]
        given = [change for change in map(self._value, kept) if change is not None]
        if given:
            yield ThreadStep(
                self.transition.thread,
                first,
                called.name,
                "",
                tuple(given),
                depth=passed.depth + 1,
                scopes=(called.name,) * len(given),
            )

    def _value(self, variable: SourceVariable) -> tuple[str, str] | None:
        """A variable with its value when the transition is over."""
        assert variable.register is not None
        after = self.transition.threads.state
        value = after.registers.get(variable.register)
        if value is None:
            return None
        if variable.type.endswith("*") and value:
            name = self.program.name_at(value, points_to_whole(variable))
            return variable.name, f"&{name}" if name else object_name(after, value)
        return variable.name, value_text(variable, value)


class _Stored(Struct, frozen=True):
    """What a store has changed, and the function whose variables these are; none for those of the whole program."""

    changes: tuple[tuple[str, str], ...] = ()
    scope: str = ""


def _stores(before: ThreadedState, transition: ThreadTransition) -> Mapping[Edge, _Stored]:
    """What the stores of a transition have changed when it is over. Nothing is told of those whose place is computed
    from what changes afterwards, nor of those before a store to the same place or to one that is not known."""
    state, told = transition.threads.state, dict[Edge, _Stored]()
    changed, covered = set[Term](), set[int]()
    for edge in reversed(transition.edges):
        if isinstance(edge.label, Store):
            address, size = edge.label.address, width(edge.label.value) // 8
            if state_reads(address) or any(one in changed or one not in state.registers for one in address.variables):
                break
            place = state.value(address)
            if covered.isdisjoint(range(place, place + size)):
                old, new = (one.load(place, size) for one in (before.state, state))
                found = state.world.program.variable_at(place)
                scope = "" if found is None else found[0].scope or ""
                told[edge] = _Stored(stored(state, Written(place, 8 * size, old, new), edge.position.is_added), scope)
            covered.update(range(place, place + size))
        register = written_register(edge.label)
        if register is not None:
            changed.add(register)
    return told
