"""Searches in processes beside each other, and what they say meanwhile.

Workers are forked, so they have the program and what is known about it already; they answer with plain data: formulas
are interned in each process. Nothing here decides anything: what a worker says is kept under its name until somebody
asks for it, so that answers do not depend on who was faster.
"""

from __future__ import annotations

import multiprocessing
import multiprocessing.connection
import os
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from msgspec import Struct

from pincer.engines.portfolio import Going
from pincer.engines.schedules.findings import Violation
from pincer.execution.threads.schedules import Schedule, ThreadChoice
from pincer.logic import bitvectors
from pincer.runtime.memory_use import own_peak_mb
from pincer.runtime.processes import end_with_parent
from pincer.runtime.run import Progress, Run, Stopped


class WorkersLimits(Struct, frozen=True):
    """How searches in processes share the machine."""

    grace: int = 5
    """Seconds that workers have more than the run: it is the run that stops them."""
    ahead: int = 5
    """By how much a worker is nicer to others, as the system counts that, for each turn that it has had: whoever has
    had none is waited for first."""
    look_seconds: float = 0.1
    """How long is waited for messages before the run is polled again."""


LIMITS = WorkersLimits()


class SearchOutcome(Struct, frozen=True):
    """What a search answers: the schedule of a violation if it found one, why it is unsure if not, its statistics.

    The schedule is spelled out: threads and picks, and the names, widths and values of inputs."""

    choices: tuple[tuple[int, int], ...] | None = None
    inputs: tuple[tuple[str, int, int], ...] = ()
    reasons: tuple[str, ...] = ()
    statistics: dict[str, Any] = {}
    is_safe: bool = False
    """Whether everything has been searched, and nothing found; or there is a proof."""
    proof: dict[str, Any] | None = None
    """The proof as plain data, if it is one that others can check."""

    @property
    def schedule(self) -> Schedule | None:
        if self.choices is None:
            return None
        inputs = {bitvectors.variable(name, width): value for name, width, value in self.inputs}
        return Schedule(tuple(ThreadChoice(thread, pick) for thread, pick in self.choices), inputs)


def proof_outcome(proof: dict[str, Any] | None, statistics: dict[str, Any], run: Run) -> SearchOutcome:
    """The outcome of a search for a proof as plain data; `run` is the worker's."""
    return SearchOutcome(None, (), (), _measured(statistics, run), proof is not None, proof)


def _measured(statistics: dict[str, Any], run: Run) -> dict[str, Any]:
    return {**statistics, "time_s": run.elapsed(), "memory_mb": int(own_peak_mb())}


def outcome(
    found: Violation | None, reasons: Iterable[str], statistics: dict[str, Any], run: Run, is_safe: bool = False
) -> SearchOutcome:
    """The outcome of a search for a violation as plain data."""
    measured = _measured(statistics, run)
    if found is None:
        return SearchOutcome(None, (), tuple(reasons), measured, is_safe)
    choices = tuple((choice.thread, choice.pick) for choice in found.schedule.choices)
    values = found.schedule.inputs.items()
    inputs = tuple((str(symbol.args[0]), bitvectors.width(symbol), value) for symbol, value in values)
    return SearchOutcome(choices, inputs, (), measured)


Said = Going | SearchOutcome
Task = Callable[[Run], Iterable[Said]]
"""What a worker does: it says now and then that it is going on, and in the end what came out."""


@dataclass
class Workers:
    """Forked processes, each with one task. `run` limits them all. While they work they tell their numbers."""

    run: Run
    _numbers: dict[str, dict[str, int]] = field(default_factory=dict)
    _processes: dict[str, tuple[Any, Any]] = field(default_factory=dict)
    _said: dict[str, deque[Said]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self._processes)

    def start(self, name: str, task: Task) -> None:
        context = multiprocessing.get_context("fork")
        mine, theirs = context.Pipe(duplex=False)
        left = self.run.remaining()
        seconds = None if left is None else left + LIMITS.grace
        process = context.Process(target=_work, args=(theirs, task, seconds, os.getpid()), daemon=True)
        process.start()
        theirs.close()
        self._processes[name] = process, mine
        self._said[name] = deque()

    def said(self, name: str) -> Said | None:
        """The next thing that a worker has said and nobody has heard yet."""
        waiting = self._said[name]
        return waiting.popleft() if waiting else None

    def is_proved(self) -> bool:
        """Whether a worker has said that nothing can be found."""
        return any(isinstance(last := said[-1], SearchOutcome) and last.is_safe for said in self._said.values() if said)

    def listen(self) -> None:
        """Wait a little for workers to say something."""
        names = {connection: name for name, (_, connection) in self._processes.items()}
        for connection in multiprocessing.connection.wait(list(names), timeout=LIMITS.look_seconds):
            self._receive(names[connection])

    def total(self, number: str) -> int:
        """A number of the tasks at work, taken together."""
        return sum(self._numbers.get(name, {}).get(number, 0) for name in self._processes)

    def _receive(self, name: str) -> None:
        process, connection = self._processes[name]
        try:
            message = connection.recv()
        except EOFError:
            message = SearchOutcome(reasons=("a search ended without an answer; it may have run out of memory",))
        if isinstance(message, Progress):
            self._numbers[name] = message.numbers
            return
        self._said[name].append(message)
        if isinstance(message, SearchOutcome):
            del self._processes[name]
            connection.close()
            process.join()

    def stop(self) -> None:
        """End all tasks."""
        for process, connection in self._processes.values():
            process.kill()
            process.join()
            connection.close()
        self._processes.clear()


class _WorkerRun(Run):
    """The run of a worker, which also ends when nobody waits for its answer any more."""

    parent = 0

    def poll(self) -> None:
        if os.getppid() != self.parent:
            raise Stopped("the search was left alone")
        super().poll()


def _work(connection: Any, task: Task, seconds: float | None, parent: int) -> None:
    """In the forked process: only what is said leaves it, whatever happens."""
    end_with_parent()
    run = _WorkerRun(timeout=seconds, on_progress=connection.send)
    run.parent = parent
    try:
        for said in task(run):
            connection.send(said)
            os.nice(LIMITS.ahead)
    except Exception as error:
        connection.send(SearchOutcome(reasons=(f"a search failed: {type(error).__name__}: {error}",)))
    finally:
        connection.close()
        os._exit(0)
