"""Trials: guided searches along different trace sets, in worker processes beside each other.

Workers are forked, so they have the program and what is known about it already; they answer with plain data: formulas
are interned in each process. A trial is bounded by states, not by time, and depends on nothing but the seed and its
number. Of the trials that find something the first by number is the answer, so a run can be repeated exactly: a
success stops the trials after it, and waits for those before it.
"""

from __future__ import annotations

import ctypes
import multiprocessing
import multiprocessing.connection
import os
import random
import resource
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from itertools import islice
from typing import Any

from pincer.engines.agse.abstract_system import AbstractSystem, abstract_system
from pincer.engines.agse.abstract_traces import abstract_traces
from pincer.engines.agse.followed_traces import Following
from pincer.engines.agse.guided_search import GuidedBounds, GuidedSearch
from pincer.engines.agse.system_flow import SystemFlow
from pincer.engines.agse.targets import TargetSet, assertion_targets, deadlock_targets, race_targets, user_targets
from pincer.engines.agse.trace_refinement import TraceSet
from pincer.engines.schedules.findings import Bounds, Violation
from pincer.execution.threads.schedules import Choice, Schedule
from pincer.logic import bitvectors
from pincer.program.control_flow import Check, Edge
from pincer.program.property import PropertyKind
from pincer.program.thread_labels import BarrierWait, Patience, SemaphoreWait, Wait
from pincer.runtime.run import Progress, Run, Stopped

ROUNDS = (
    (1, GuidedBounds(300, 12)),
    (3, GuidedBounds(3_000, 64)),
    (6, GuidedBounds(30_000, 250)),
)
"""How many trace sets of each target set are tried, and how far, one round after the other."""

MANY = 16
"""How many threads are led to a lock that each of any number of threads may want while it holds the one before."""

_SET_DEATH_SIGNAL = 1
"""The number of this request to `prctl`."""

GRACE = 5
"""Seconds that workers have more than the run: it is the run that stops them."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A guided search: the target set by its number, the trace set, its round; `bold` refinement takes what looks best
    wherever the paper takes anything."""

    number: int
    target: int
    traces: TraceSet
    system: AbstractSystem
    round: int
    bold: bool


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a worker answers: the schedule of a violation if it found one, why it is unsure if not, its statistics.

    The schedule is spelled out: threads and picks, and the names, widths and values of inputs."""

    choices: tuple[tuple[int, int], ...] | None = None
    inputs: tuple[tuple[str, int, int], ...] = ()
    reasons: tuple[str, ...] = ()
    statistics: dict[str, Any] = field(default_factory=dict)

    @property
    def schedule(self) -> Schedule | None:
        if self.choices is None:
            return None
        inputs = {bitvectors.variable(name, width): value for name, width, value in self.inputs}
        return Schedule(tuple(Choice(thread, pick) for thread, pick in self.choices), inputs)


def outcome(found: Violation | None, reasons: Iterable[str], statistics: dict[str, Any]) -> Outcome:
    """The outcome of a search as plain data."""
    if found is None:
        return Outcome(None, (), tuple(reasons), statistics)
    choices = tuple((choice.thread, choice.pick) for choice in found.schedule.choices)
    values = found.schedule.inputs.items()
    inputs = tuple((str(symbol.args[0]), bitvectors.width(symbol), value) for symbol, value in values)
    return Outcome(choices, inputs, (), statistics)


def targets_of(name: PropertyKind, flow: SystemFlow) -> tuple[TargetSet, ...]:
    """The target sets for a property."""
    if name == "assertions":
        return (*user_targets(flow.facts), *assertion_targets(flow.facts))
    if name == "deadlock":
        return (*deadlock_targets(flow.facts), *_wait_targets(flow))
    return tuple(race_targets(flow.facts)) if name == "race" else tuple(_check_targets(flow))


def _wait_targets(flow: SystemFlow) -> Iterator[TargetSet]:
    """Waiting for what others have to do. A thread is to come there, and to wait when nobody else can go on: so a
    signal that was sent too early, or one that never comes, is found, though no locks make a cycle."""
    for edge in _reached_edges(flow):
        match edge.label:
            case Wait(limit=None) | BarrierWait() | SemaphoreWait(patience=Patience.FOR_EVER):
                yield TargetSet("assertion", (edge,), f"a thread waits for ever in line {edge.position.line}")


def _reached_edges(flow: SystemFlow) -> list[Edge]:
    reached = flow.facts.pointers.reached
    return [edge for edge in flow.facts.program.edges() if edge.source in reached]


def _check_targets(flow: SystemFlow) -> Iterator[TargetSet]:
    """Every check that can be reached, by itself; those of pointers first."""
    edges = _reached_edges(flow)
    for pointers in (True, False):
        for edge in edges:
            if isinstance(edge.label, Check) and (edge.label.kind in ("dereference", "free")) == pointers:
                yield TargetSet("assertion", (edge,), edge.label.message)


@dataclass(frozen=True, slots=True)
class _Lead:
    """A target set by its number, and for each of its locations the routine of the thread to come there, if known."""

    target: int
    locations: tuple[int, ...]
    routines: tuple[str | None, ...]


def _leads(flow: SystemFlow, targets: tuple[TargetSet, ...]) -> list[_Lead]:
    """All leads, those with several threads first: a thread that waits for itself is rarer than it looks."""
    single = [(i, t.locations) for i, t in enumerate(targets) if t.kind in ("assertion", "user")]
    found = [_Lead(i, locations, (None,) * len(locations)) for i, locations in single]
    cycles = {tuple(sorted(t.locations)): i for i, t in enumerate(targets) if t.kind == "deadlock"}
    for cycle in flow.facts.lock_cycles if cycles else ():
        number = cycles[tuple(sorted(site.source for site in cycle.sites))]
        members = cycle.members[:1] * MANY if cycle.open_ended else cycle.members
        routines = tuple(member.thread.routine for member in members)
        found.append(_Lead(number, tuple(member.site.source for member in members), routines))
    pairs = {t.accesses: i for i, t in enumerate(targets) if t.kind == "race"}
    for pair in flow.facts.race_pairs if pairs else ():
        if (pair.first, pair.second) in pairs:
            locations = pair.first.location, pair.second.location
            routines = tuple(thread.routine for thread in pair.threads)
            found.append(_Lead(pairs[pair.first, pair.second], locations, routines))
    return sorted(dict.fromkeys(found), key=lambda lead: (len(lead.locations) == 1, lead.target))


def trials(flow: SystemFlow, targets: tuple[TargetSet, ...]) -> Iterator[Trial]:
    """All trials for target sets, in the order of their numbers: every lead in turn, then again and further."""
    systems: dict[int, AbstractSystem] = {}
    leads, number = _leads(flow, targets), 0
    for round_, (sets, _) in enumerate(ROUNDS):
        for lead in leads:
            if lead.target not in systems:
                systems[lead.target] = abstract_system(flow, lead.locations)
            system = systems[lead.target]
            for i, traces in enumerate(islice(_trace_sets(system, lead, sets), sets)):
                yield Trial(number, lead.target, traces, system, round_, bold=i == 0)
                number += 1


def _trace_sets(system: AbstractSystem, lead: _Lead, most: int) -> Iterator[TraceSet]:
    """Trace sets whose traces begin with the routines of a lead: the first traces, then others for one thread each,
    then others for all of them."""
    choices = []
    for location, routine in zip(lead.locations, lead.routines, strict=True):
        starts = system.starts
        if routine is not None:
            starts = (system.flow.facts.program.procedures[routine].entry,)
        choices.append(list(islice(abstract_traces(replace(system, starts=starts), location), most)))
    if not all(choices):
        return
    first = tuple(traces[0] for traces in choices)
    yield first
    for number in range(1, most):
        others = tuple(traces[min(number, len(traces) - 1)] for traces in choices)
        for i, other in enumerate(others if len(others) > 1 else ()):
            if number < len(choices[i]):
                yield (*first[:i], other, *first[i + 1 :])
        if others != first:
            yield others


def attempt(trial: Trial, name: PropertyKind, following: Following, seed: int, bounds: Bounds, run: Run) -> Outcome:
    """Do a trial, in this process."""
    started = time.monotonic()
    dice = random.Random(f"{seed} {trial.number}")
    limits = ROUNDS[trial.round][1]
    search = GuidedSearch(trial.system, following, name, trial.traces, run, dice, trial.bold, limits, bounds)
    try:
        found = search.search()
        reasons: tuple[str, ...] = ()
    except Stopped as stopped:
        found, reasons = None, (stopped.reason,)
    statistics = {**asdict(search.statistics), "time_s": time.monotonic() - started, "memory_mb": memory_mb()}
    return outcome(found, reasons, statistics)


def memory_mb() -> int:
    """The most memory that this process has had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


Task = Callable[[Run], Outcome]


@dataclass
class Workers:
    """Forked processes, each with one task; at most `most` at a time. `run` limits them all.

    While they work they tell their numbers."""

    run: Run
    most: int
    _numbers: dict[str, dict[str, int]] = field(default_factory=dict)
    _processes: dict[str, tuple[Any, Any]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self._processes)

    def has_room(self) -> bool:
        return len(self) < self.most

    def start(self, name: str, task: Task) -> None:
        context = multiprocessing.get_context("fork")
        mine, theirs = context.Pipe(duplex=False)
        left = self.run.remaining()
        seconds = None if left is None else left + GRACE
        process = context.Process(target=_work, args=(theirs, task, seconds, os.getpid()), daemon=True)
        process.start()
        theirs.close()
        self._processes[name] = process, mine

    def finished(self) -> list[tuple[str, Outcome]]:
        """Wait a little for tasks to finish."""
        names = {connection: name for name, (_, connection) in self._processes.items()}
        ready = multiprocessing.connection.wait(list(names), timeout=0.1)
        received = [(names[connection], self._received(names[connection])) for connection in ready]
        return [(name, answer) for name, answer in received if answer is not None]

    def total(self, number: str) -> int:
        """A number of the tasks at work, taken together."""
        return sum(self._numbers.get(name, {}).get(number, 0) for name in self._processes)

    def _received(self, name: str) -> Outcome | None:
        """The answer of a task, None if it has only told its numbers."""
        process, connection = self._processes[name]
        try:
            answer = connection.recv()
        except EOFError:
            answer = Outcome(reasons=("a search ended without an answer; it may have run out of memory",))
        if isinstance(answer, Progress):
            self._numbers[name] = answer.numbers
            return None
        del self._processes[name]
        connection.close()
        process.join()
        assert isinstance(answer, Outcome)
        return answer

    def stop(self, names: list[str] | None = None) -> None:
        """End tasks by name, or all of them."""
        for name in list(self._processes) if names is None else names:
            process, connection = self._processes.pop(name)
            process.kill()
            process.join()
            connection.close()

    def names(self) -> list[str]:
        return list(self._processes)


class _WorkerRun(Run):
    """The run of a worker, which also ends when nobody waits for its answer any more."""

    parent = 0

    def poll(self) -> None:
        if os.getppid() != self.parent:
            raise Stopped("the search was left alone")
        super().poll()


def _end_with_parent() -> None:
    """Have the system end this process when the one that started it is no more, even inside a solver call."""
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_SET_DEATH_SIGNAL, signal.SIGKILL)


def _work(connection: Any, task: Task, seconds: float | None, parent: int) -> None:
    """In the forked process: only the answer leaves it, whatever happens."""
    _end_with_parent()
    run = _WorkerRun(timeout=seconds, on_progress=connection.send)
    run.parent = parent
    try:
        connection.send(task(run))
    except Exception as error:
        connection.send(Outcome(reasons=(f"a search failed: {type(error).__name__}: {error}",)))
    finally:
        connection.close()
        os._exit(0)
