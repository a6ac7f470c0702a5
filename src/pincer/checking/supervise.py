"""Watching over analyses: their time, their memory, their progress, and the user's wish to stop.

An analysis runs in a process of its own (`pincer.checking.worker` says why). It is asked to stop first, so that
it can hand over partial results, and killed when it does not come back in time. An executor takes requests, does
several at a time, and tells what becomes of each; a process that dies is the end of its own request only.
"""

from __future__ import annotations

import os
import queue
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Protocol, TypeAlias

from msgspec import Struct, field

from pincer.checking.messages import Done, Event, Order, Request, StopWish, Working, encoded, event_of
from pincer.runtime import clock
from pincer.runtime.memory_use import MemoryMeter
from pincer.runtime.nursery import Nursery
from pincer.runtime.processes import Helper, LineProcess, processor_seconds_of
from pincer.runtime.reasons import INTERRUPTED, Reason, memory_is_full, time_is_up
from pincer.runtime.run import Progress


class SupervisionLimits(Struct, frozen=True):
    """How long workers are waited for."""

    poll_seconds: float = 0.05
    """Between two looks at limits and wishes."""
    grace_seconds: float = 0.5
    """For a worker to hand over what it has."""
    same_wish_seconds: float = 0.1
    """A process and its group may both be told about one Ctrl-C; one that comes later ends everything at once."""


LIMITS = SupervisionLimits()


class Limits(Struct, frozen=True):
    """Seconds and megabytes; None means no limit. `last_words` are seconds that a job whose time is up has in addition,
    to hand over more than its verdicts."""

    timeout: float | None = None
    memory_mb: int | None = None
    last_words: float = 0.0


class Tick(Struct, frozen=True):
    """How it goes, about 20 times a second: the latest progress, the memory in use and the elapsed seconds."""

    progress: Progress | None
    memory_mb: float
    elapsed: float


class Ending(Struct):
    """How a job ended: `stopped` says why it was cut short, `died` how its process was lost."""

    stopped: Reason | None = None
    interrupted: bool = False
    died: str | None = None
    progress: Progress | None = None
    elapsed: float = 0.0


@contextmanager
def supervised(
    request: Request, limits: Limits, command: Sequence[str], verbose: bool = False, folder: Path | None = None
) -> Iterator[Watch]:
    """A worker that does one job while its events are asked for; `command` starts it, in a folder other than the
    current one if that is given. It does not outlive the block."""
    with watched(request, limits, Helper(command, not verbose, folder)) as watch:
        yield watch


@contextmanager
def watched(request: Request, limits: Limits, helper: LineProcess) -> Iterator[Watch]:
    """The same with a process that was begun and waits for its order."""
    watch = Watch(limits, helper, MemoryMeter(helper.pid))
    with interrupts(watch.interrupt, watch.helper.kill):
        try:
            watch.helper.write(encoded(Order(request, limits.timeout, watch.started)))
            yield watch
        finally:
            watch.helper.end()


class Watch(Struct):
    """One worker process and the reasons to stop it; `ending` is complete when there are no more events."""

    limits: Limits
    helper: LineProcess
    meter: MemoryMeter
    started: float = field(default_factory=lambda: time.monotonic())
    ending: Ending = field(default_factory=Ending)
    _finished: bool = False
    _kill_at: float | None = None
    _memory_mb: float = 0.0

    def events(self) -> Iterator[Event | Tick]:
        """What the worker tells, in order, to the end of its job or its limits."""
        while not self._finished:
            yield from self._arrived()
            self.ending.elapsed = time.monotonic() - self.started
            if self._finished:
                break
            yield Tick(self.ending.progress, self._memory_mb, self.ending.elapsed)
            self._enforce()
            if self._kill_at is not None and time.monotonic() >= self._kill_at:
                break

    def _arrived(self) -> Iterator[Event]:
        """What the worker said until now; waits a moment for the first event."""
        for line in self.helper.lines(LIMITS.poll_seconds):
            if line is None:
                self._finished = True
                # A worker that falls over while it is being stopped has only been faster than the kill.
                self.ending.stopped = self.ending.stopped or self._reason_to_stop()[0]
                self.ending.died = None if self.ending.stopped else self._last_words()
                return
            match event_of(line):
                case Done():
                    self._finished = True
                    return
                case Working(progress, memory_mb):
                    self.ending.progress, self._memory_mb = progress, memory_mb
                case event:
                    yield event

    def _enforce(self) -> None:
        self._memory_mb = self.meter.mb() or self._memory_mb
        reason, grace = self._reason_to_stop()
        if reason is None:
            return
        if self._kill_at is None:
            self.ending.stopped = reason
            self.helper.write(encoded(StopWish(reason)))
            self._kill_at = time.monotonic() + grace
        if self.limits.memory_mb is not None and self._memory_mb > 1.05 * self.limits.memory_mb:
            self._kill_at = time.monotonic()

    def _reason_to_stop(self) -> tuple[Reason | None, float]:
        """The reason, and the seconds the worker gets to hand over what it has: limits hold within 10 %."""
        if self.ending.interrupted:
            return INTERRUPTED, LIMITS.grace_seconds
        timeout, memory_mb = self.limits.timeout, self.limits.memory_mb
        if timeout is not None and self._spent() >= timeout:
            return time_is_up(timeout), min(LIMITS.grace_seconds, 0.08 * timeout) + self.limits.last_words
        if memory_mb is not None and self._memory_mb > memory_mb:
            return memory_is_full(memory_mb), LIMITS.grace_seconds
        return None, 0.0

    def _spent(self) -> float:
        """What counts against the limit."""
        if clock.counts_processor_time():
            return processor_seconds_of(self.helper.pid)
        return time.monotonic() - self.started

    def _last_words(self) -> str:
        code = self.helper.wait()
        if code == -signal.SIGKILL:
            return "the analysis process was killed by the system, most likely for want of memory"
        if code < 0:
            return f"the analysis process died ({signal.Signals(-code).name})"
        return f"the analysis process ended unexpectedly (status {code})"

    def interrupt(self) -> None:
        """The user wants no more; what is known by now is still told."""
        self.ending.interrupted = True


@contextmanager
def interrupts(stop: Callable[[], None], kill: Callable[[], None]) -> Iterator[None]:
    """Ctrl-C and SIGTERM ask to stop; a second Ctrl-C that comes later kills, and ends this process.

    Signals reach the main thread only: elsewhere somebody else asks.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    wished_at: list[float] = []

    def on_signal(signum: int, frame: FrameType | None) -> None:
        wished_at.append(time.monotonic())
        if len(wished_at) > 1 and signum == signal.SIGINT and wished_at[-1] - wished_at[0] > LIMITS.same_wish_seconds:
            kill()
            os._exit(3)
        stop()

    before = {number: signal.signal(number, on_signal) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


News: TypeAlias = Event | Tick | Ending
"""What is told about a request; an `Ending` is the last of it."""


class Executor(Protocol):
    """`slots` is how many requests are worth having under way; whoever submits keeps to it."""

    slots: int

    def submit(self, request: Request, limits: Limits) -> int:
        """Begin with a request; the number is what its news come with."""
        ...

    def news(self) -> Iterator[tuple[int, News]]:
        """What becomes of the requests, as it comes, until none is under way; more may be submitted meanwhile."""
        ...

    def cancel(self) -> None:
        """Ask all requests under way to stop; each of them still tells its ending."""
        ...


class LocalExecutor:
    """Processes of this machine; `command` starts one, or a `nursery` does."""

    def __init__(
        self, slots: int, command: Sequence[str], verbose: bool = False, nursery: Nursery | None = None
    ) -> None:
        self.slots = slots
        self._nursery = nursery
        self._command, self._verbose = command, verbose
        self._news: queue.SimpleQueue[tuple[int, News]] = queue.SimpleQueue()
        self._watches: dict[int, Watch] = {}
        self._under_way = 0
        self._submitted = 0
        self._cancelled = False

    def submit(self, request: Request, limits: Limits) -> int:
        number = self._submitted
        self._submitted += 1
        self._under_way += 1
        threading.Thread(target=self._supervise, args=(number, request, limits), daemon=True).start()
        return number

    def news(self) -> Iterator[tuple[int, News]]:
        while self._under_way:
            number, news = self._news.get()
            if isinstance(news, Ending):
                self._under_way -= 1
            yield number, news

    def cancel(self) -> None:
        self._cancelled = True
        for watch in list(self._watches.values()):
            watch.interrupt()

    def kill(self) -> None:
        """End all processes at once."""
        for watch in list(self._watches.values()):
            watch.helper.kill()

    def _begun(self) -> LineProcess:
        """A process that waits for its order; where the nursery is gone, one is started as ever."""
        if self._nursery is not None:
            try:
                return self._nursery.child()
            except OSError:
                self._nursery = None
        return Helper(self._command, not self._verbose)

    def _supervise(self, number: int, request: Request, limits: Limits) -> None:
        ending = Ending(interrupted=self._cancelled)
        try:
            if not self._cancelled:
                with watched(request, limits, self._begun()) as watch:
                    self._watches[number] = watch
                    ending = watch.ending
                    if self._cancelled:
                        watch.interrupt()
                    for event in watch.events():
                        self._news.put((number, event))
        except OSError as error:
            ending = Ending(died=f"the analysis process could not be started: {error.strerror or error}")
        finally:
            self._watches.pop(number, None)
            self._news.put((number, ending))


@contextmanager
def local_executor(
    slots: int, command: Sequence[str], verbose: bool = False, nursery: Nursery | None = None
) -> Iterator[LocalExecutor]:
    """An executor on this machine that Ctrl-C stops; no process of it outlives the block."""
    executor = LocalExecutor(slots, command, verbose, nursery)
    with interrupts(executor.cancel, executor.kill):
        try:
            yield executor
        finally:
            executor.kill()
            if nursery is not None:
                nursery.end()
