"""What searches over schedules look for, what they answer, and how they take transitions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import combinations

from msgspec import Struct

from pincer.engines.questions import Infeasible, Questions
from pincer.execution.stepping import Stop
from pincer.execution.threads.accesses import Access, races
from pincer.execution.threads.deadlocks import ThreadDeadlock, deadlock
from pincer.execution.threads.interleaving import Interleaver
from pincer.execution.threads.schedules import Schedule, ThreadChoice
from pincer.execution.threads.state import ThreadedState
from pincer.execution.threads.transitions import InputTurn, ThreadTransition
from pincer.logic.solver import SolverUnknown
from pincer.logic.terms import Term
from pincer.program.property import PropertyKind, Verdict


class Race(Struct, frozen=True):
    """Two threads about to access the same data, at least one of them writing."""

    threads: tuple[int, int]
    accesses: tuple[Access, Access]

    def __str__(self) -> str:
        kinds = ["writes" if access.write else "reads" for access in self.accesses]
        first, second = self.threads
        return f"thread {first} {kinds[0]} {self.accesses[0].name} while thread {second} {kinds[1]} it"


class Violation(Struct, frozen=True):
    """The property `name` is violated: what went wrong, and the schedule that shows it."""

    name: PropertyKind
    message: str
    schedule: Schedule
    what: Stop | ThreadDeadlock | Race


@dataclass
class ScheduleAnswer:
    """`truncated` says, with how often, why something was left out; only without such is a program safe."""

    name: PropertyKind
    violation: Violation | None = None
    truncated: Counter[str] = field(default_factory=Counter)
    executions: int = 0
    transitions: int = 0
    longest: int = 0
    queries: int = 0

    @property
    def verdict(self) -> Verdict:
        if self.violation is not None:
            return "unsafe"
        return "unknown" if self.truncated else "safe"

    @property
    def reason(self) -> str:
        if self.violation is not None:
            return self.violation.message
        if self.truncated:
            return "; ".join(sorted(self.truncated))
        return "all schedules and all inputs have been explored"


def counts(name: PropertyKind, stop: Stop) -> bool:
    """Whether the end of an execution violates a property."""
    return (name, stop.kind) in (("assertions", "fail"), ("memory", "check"))


def leaves_open(name: PropertyKind, stop: Stop) -> str | None:
    """Why an execution that ends so keeps a program from being proved safe."""
    if stop.kind in ("unsupported", "steps"):
        return described(stop)
    if stop.kind == "check" and name != "memory":
        return f"undefined behaviour: {described(stop)}"
    return None


def described(stop: Stop) -> str:
    """What a stop says, with its place."""
    if stop.edge is None:
        return stop.message
    position = stop.edge.position
    return f"{stop.message}, {position.said}" if position.is_added else f"{position}: {stop.message}"


def shown(interleaver: Interleaver, name: PropertyKind, threads: ThreadedState) -> ThreadDeadlock | Race | None:
    """The violation that a state shows by itself: a deadlock, or two threads about to race."""
    if name == "deadlock":
        return deadlock(interleaver, threads)
    if name != "race":
        return None
    prints = {number: interleaver.footprint(threads, number) for number in interleaver.enabled(threads)}
    for first, second in combinations(prints, 2):
        pair = races(prints[first], prints[second])
        if pair is not None:
            return Race((first, second), pair)
    return None


def violation(
    name: PropertyKind, what: Stop | ThreadDeadlock | Race, choices: Iterable[ThreadChoice], inputs: Mapping[Term, int]
) -> Violation:
    """A violation at the end of a schedule."""
    if isinstance(what, Stop):
        message = what.message
    else:
        message = f"{'deadlock' if isinstance(what, ThreadDeadlock) else 'data race'}: {what}"
    return Violation(name, message, Schedule(tuple(choices), dict(inputs)), what)


def taken(
    interleaver: Interleaver,
    questions: Questions,
    answer: ScheduleAnswer,
    begun: tuple[ThreadedState, int],
    way: int | InputTurn,
) -> ThreadTransition | None:
    """The transition of a thread from a state, one of its outcomes or turned; None if no inputs lead that way, or if it
    is not known, which the answer then says. The answer counts what was taken."""
    if isinstance(way, int):
        transition = interleaver.take(*begun, way)
    else:
        try:
            found = questions.extend(way.path, [way.condition])
        except SolverUnknown:
            answer.truncated["the solver gave no answer"] += 1
            return None
        if isinstance(found, Infeasible):
            return None
        transition = interleaver.turn(way, found.model)
    answer.transitions += 1
    return transition
