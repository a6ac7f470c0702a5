"""A run: its budget, its cancellation, and the progress it publishes.

Engines call `run.poll()` often, and `run.publish(...)` when they begin something else; with `run.watch(...)` the
numbers of a long piece of work are looked at now and then. They never print and never look at the clock themselves.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from pincer.runtime import clock
from pincer.runtime.reasons import SHARE_IS_UP, Cause, Reason, time_is_up

_LOOK_SECONDS = 0.1
"""How often numbers that change are looked at."""


class Stopped(Exception):
    """The run was told to stop; the argument says why (time, memory, interrupt)."""

    @property
    def reason(self) -> Reason:
        said = self.args[0]
        return said if isinstance(said, Reason) else Reason(str(said))


@dataclass(frozen=True, slots=True)
class Progress:
    """What an engine is doing now; numbers by name, in the order they should be shown."""

    engine: str
    phase: str
    numbers: dict[str, int]


@dataclass
class Stopwatch:
    """How long named pieces of work have taken, for people: nothing that is decided may depend on it."""

    seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def timing(self, name: str) -> Iterator[None]:
        """Count the time of what is done meanwhile."""
        begun = time.monotonic()
        try:
            yield
        finally:
            self.seconds[name] = self.seconds.get(name, 0.0) + time.monotonic() - begun


@dataclass
class Run:
    """Budget and event sink of one analysis. `stop` may be called from any thread or signal handler."""

    timeout: float | None = None
    on_progress: Callable[[Progress], None] | None = None
    started: float = field(default_factory=clock.now)
    latest: Progress | None = None
    _stop_reason: Reason | None = None
    _shared: bool = False
    _look: Callable[[], Progress] | None = None
    _next_look: float = 0.0
    _interrupts: list[Callable[[], None]] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def stop_reason(self) -> Reason | None:
        """Why the run was stopped, None while it goes on."""
        return self._stop_reason

    def elapsed(self) -> float:
        return clock.now() - self.started

    def remaining(self) -> float | None:
        """Seconds left, or None when there is no limit."""
        return None if self.timeout is None else self.timeout - self.elapsed()

    @contextmanager
    def share(self, parts: float) -> Iterator[None]:
        """Let what is done meanwhile have a part of the time that is left; the run goes on after it."""
        outer, remaining = self.timeout, self.remaining()
        if outer is None or remaining is None or parts <= 1:
            yield
            return
        with self._lock:
            self.timeout, self._shared = self.elapsed() + max(remaining, 0.0) / parts, True
        try:
            yield
        finally:
            with self._lock:
                self.timeout, self._shared = outer, False
                if self._stop_reason is not None and self._stop_reason.cause is Cause.TIME and self.elapsed() < outer:
                    self._stop_reason = None

    def stop_in_time(self) -> None:
        """Ask the run to end if its time is up."""
        with self._lock:
            is_over = self.timeout is not None and self.elapsed() > self.timeout
        if is_over:
            self.stop(self._time_is_up())

    def _time_is_up(self) -> Reason:
        return SHARE_IS_UP if self._shared else time_is_up(self.timeout or 0.0)

    def stop(self, reason: Reason) -> None:
        """Ask the run to end; long solver calls registered with `interruptible` are cut short."""
        with self._lock:
            if self._stop_reason is None:
                self._stop_reason = reason
            interrupts = list(self._interrupts)
        for interrupt in interrupts:
            interrupt()

    def interruptible(self, interrupt: Callable[[], None]) -> None:
        with self._lock:
            self._interrupts.append(interrupt)

    def is_over(self) -> bool:
        """Whether `poll` would stop the run: for solvers, which ask in the midst of a call."""
        return self._stop_reason is not None or (self.timeout is not None and self.elapsed() > self.timeout)

    def poll(self) -> None:
        """Raise `Stopped` when the run has been stopped or its time is up."""
        if self._stop_reason is not None:
            raise Stopped(self._stop_reason)
        if self.timeout is not None and self.elapsed() > self.timeout:
            self.stop(self._time_is_up())
            raise Stopped(self._stop_reason)
        if self._look is not None and time.monotonic() >= self._next_look:
            self._tell(self._look())

    def publish(self, engine: str, phase: str, **numbers: int) -> None:
        """Something else is being done now; what was watched before is over."""
        self._look = None
        self._tell(Progress(engine, phase, numbers))

    def watch(self, look: Callable[[], Progress]) -> None:
        """Publish what `look` says, now and from time to time when `poll` is called, until something else is published.

        It runs in the thread that polls, between two steps of the engine, and must be quick."""
        self._look = look
        self._tell(look())

    def _tell(self, progress: Progress) -> None:
        self._next_look = time.monotonic() + _LOOK_SECONDS
        self.latest = progress
        if self.on_progress is not None:
            self.on_progress(progress)
