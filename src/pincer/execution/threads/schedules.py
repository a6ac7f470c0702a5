"""Schedules as data: which thread went on at each scheduling point, and the input values; replayed exactly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pincer.errors import PincerError, Position
from pincer.execution.stepping import Stop
from pincer.execution.threads.calls import object_name
from pincer.execution.threads.interleaving import Interleaver, Transition
from pincer.execution.threads.state import ThreadedState
from pincer.logic.terms import Term
from pincer.program.control_flow import Assign, Assume, Edge, Store, ThreadCall
from pincer.program.registers import is_local


@dataclass(frozen=True, slots=True)
class Choice:
    """At a scheduling point this thread goes on; `pick` chooses whom a signal wakes and the like."""

    thread: int
    pick: int = 0


@dataclass(frozen=True, slots=True)
class Schedule:
    """Choices in order, and the values of input symbols."""

    choices: tuple[Choice, ...]
    inputs: Mapping[Term, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Step:
    """Something a thread did, in terms of the source."""

    thread: int
    position: Position
    action: str


@dataclass(frozen=True, slots=True)
class Replayed:
    """An execution: the states between transitions (the first one included), and the transitions."""

    states: tuple[ThreadedState, ...]
    transitions: tuple[Transition, ...]

    @property
    def last(self) -> ThreadedState:
        return self.transitions[-1].threads if self.transitions else self.states[0]

    @property
    def stop(self) -> Stop | None:
        return self.transitions[-1].stop if self.transitions else None


def replay(interleaver: Interleaver, schedule: Schedule) -> Replayed:
    """Run a schedule again. A choice that cannot be taken is a mistake in the schedule."""
    threads = interleaver.initial(schedule.inputs)
    states, transitions = [threads], list[Transition]()
    for number, choice in enumerate(schedule.choices, 1):
        known = threads.threads.get(choice.thread)
        if known is None or not known.live or interleaver.pending(threads, choice.thread).waiting is not None:
            raise PincerError(f"choice {number} of the schedule names thread {choice.thread}, which cannot run there")
        transition = interleaver.take(threads, choice.thread, choice.pick)
        transitions.append(transition)
        if transition.stop is not None:
            break
        threads = transition.threads
        states.append(threads)
    return Replayed(tuple(states), tuple(transitions))


def steps(replayed: Replayed) -> list[Step]:
    """What happened, step by step: what was written, which calls and decisions were made."""
    found = []
    for before, transition in zip(replayed.states, replayed.transitions, strict=False):
        for edge in transition.edges:
            action = _action(before, transition.threads, edge)
            if action is not None:
                found.append(Step(transition.thread, edge.position, action))
        if transition.stop is not None and transition.stop.edge is not None:
            found.append(Step(transition.thread, transition.stop.edge.position, transition.stop.message))
    return found


def _action(before: ThreadedState, after: ThreadedState, edge: Edge) -> str | None:
    """What an edge did, for people. A transition has one shared step, so the values after it are those it wrote."""
    label, state = edge.label, after.state
    match label:
        case Assign(register=register) if not is_local(register):
            return f"{register.args[0]} = {state.registers[register]}"
        case Assign(value=value) if value.op == "var" and not is_local(value):
            return f"reads {value.args[0]} ({state.registers.get(value, 0)})"
        case Store(address=address):
            where = state.value(address)
            return f"writes {object_name(state, where)}"
        case Assume(branch=branch) if branch is not None:
            return f"the condition is {'true' if branch else 'false'}"
        case ThreadCall(function=function, arguments=arguments):
            named = ", ".join(object_name(before.state, before.state.value(a)) for a in arguments[:1])
            return f"{function}({named})"
    return None
