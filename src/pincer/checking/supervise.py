"""Watching over an analysis: its time, its memory, its progress, and the user's wish to stop.

The analysis runs in a process of its own (`pincer.checking.worker` says why). It is asked to stop first, so that
it can hand over partial results, and killed when it does not come back in time.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

from pincer.runtime.processes import kill_descendants, memory_mb_of

Event = Mapping[str, Any]

_POLL_SECONDS = 0.05
_GRACE_SECONDS = 0.5
_SAME_WISH_SECONDS = 0.1
"""A process and its group may both be told about one Ctrl-C; a second one that comes later ends everything at once."""

_BOOT = "import sys; sys.path[:] = sys.argv[1:]; from pincer.checking.worker import main; main()"


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds and megabytes; None means no limit. `last_words` are seconds that a job whose time is up has in addition,
    to hand over more than its verdicts."""

    timeout: float | None = None
    memory_mb: int | None = None
    last_words: float = 0.0


@dataclass(slots=True)
class Ending:
    """How a job ended: `stopped` says why it was cut short, `died` how its process was lost."""

    stopped: str | None = None
    interrupted: bool = False
    died: str | None = None
    progress: Event | None = None
    elapsed: float = 0.0


def worker_command() -> list[str]:
    """The same interpreter and import path as ours, without the current directory sneaking in."""
    return [sys.executable, "-P", "-c", _BOOT, *sys.path]


def supervise(
    request: Mapping[str, Any],
    limits: Limits,
    on_event: Callable[[Event], None],
    on_tick: Callable[[Event | None, float, float], None] = lambda progress, memory_mb, elapsed: None,
    verbose: bool = False,
    command: Sequence[str] | None = None,
) -> Ending:
    """Run one job to its end or its limits; events arrive in order, in the calling thread.

    About 20 times a second `on_tick` gets the latest progress, the memory in use and the elapsed seconds.
    """
    watch = _Watch(limits, command or worker_command(), verbose)
    with _signals(watch):
        try:
            watch.send({**request, "timeout": limits.timeout, "started": watch.started})
            watch.loop(on_event, on_tick)
        finally:
            watch.kill()
    return watch.ending


@dataclass
class _Watch:
    """One worker process and the reasons to stop it."""

    limits: Limits
    command: Sequence[str]
    verbose: bool
    started: float = field(default_factory=time.monotonic)
    ending: Ending = field(default_factory=Ending)
    _finished: bool = False
    _kill_at: float | None = None
    _memory_mb: float = 0.0
    _interrupted_at: float = 0.0

    def __post_init__(self) -> None:
        with _blocked_signals():
            self._process = subprocess.Popen(
                self.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=None if self.verbose else subprocess.DEVNULL,
            )
        self._events: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._events.put(line)
        self._events.put(None)

    def send(self, message: Mapping[str, Any]) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(message).encode() + b"\n")
            self._process.stdin.flush()
        except OSError:
            pass  # It is gone; the end of its output says so.

    def kill(self) -> None:
        if self._process.poll() is None:
            kill_descendants(self._process.pid)
            self._process.kill()
        self._process.wait()

    def loop(self, on_event: Callable[[Event], None], on_tick: Callable[[Event | None, float, float], None]) -> None:
        while not self._finished:
            for event in self._arrived():
                on_event(event)
            self.ending.elapsed = time.monotonic() - self.started
            if self._finished:
                break
            on_tick(self.ending.progress, self._memory_mb, self.ending.elapsed)
            self._enforce()
            if self._kill_at is not None and time.monotonic() >= self._kill_at:
                break

    def _arrived(self) -> Iterator[Event]:
        """What the worker said until now; waits a moment for the first event."""
        timeout: float = _POLL_SECONDS
        while True:
            try:
                line = self._events.get(timeout=timeout)
            except queue.Empty:
                return
            if line is None:
                self._finished = True
                # A worker that falls over while it is being stopped has only been faster than the kill.
                self.ending.stopped = self.ending.stopped or self._reason_to_stop()[0]
                self.ending.died = None if self.ending.stopped else self._last_words()
                return
            timeout = 0.0
            event: Event = json.loads(line)
            if event["event"] == "done":
                self._finished = True
                return
            if event["event"] == "progress":
                self.ending.progress = event
                self._memory_mb = event["memory_mb"]
            else:
                yield event

    def _enforce(self) -> None:
        self._memory_mb = memory_mb_of(self._process.pid) or self._memory_mb
        reason, grace = self._reason_to_stop()
        if reason is None:
            return
        if self._kill_at is None:
            self.ending.stopped = reason
            self.send({"stop": reason})
            self._kill_at = time.monotonic() + grace
        if self.limits.memory_mb is not None and self._memory_mb > 1.05 * self.limits.memory_mb:
            self._kill_at = time.monotonic()

    def _reason_to_stop(self) -> tuple[str | None, float]:
        """The reason, and the seconds the worker gets to hand over what it has: limits hold within 10 %."""
        if self.ending.interrupted:
            return "interrupted", _GRACE_SECONDS
        timeout, memory_mb = self.limits.timeout, self.limits.memory_mb
        if timeout is not None and time.monotonic() - self.started >= timeout:
            return f"time limit of {timeout:g} s reached", min(_GRACE_SECONDS, 0.08 * timeout) + self.limits.last_words
        if memory_mb is not None and self._memory_mb > memory_mb:
            return f"memory limit of {memory_mb} MB reached", _GRACE_SECONDS
        return None, 0.0

    def _last_words(self) -> str:
        code = self._process.wait()
        if code == -signal.SIGKILL:
            return "the analysis process was killed by the system, most likely for want of memory"
        if code < 0:
            return f"the analysis process died ({signal.Signals(-code).name})"
        return f"the analysis process ended unexpectedly (status {code})"

    def on_signal(self, signum: int, frame: FrameType | None) -> None:
        now = time.monotonic()
        if not self.ending.interrupted:
            self._interrupted_at = now
        elif signum == signal.SIGINT and now - self._interrupted_at > _SAME_WISH_SECONDS:
            kill_descendants(self._process.pid)
            self._process.kill()
            os._exit(3)
        self.ending.interrupted = True


@contextmanager
def _signals(watch: _Watch) -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, watch.on_signal) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def _blocked_signals() -> Iterator[None]:
    """A process started in here never sees Ctrl-C: its supervisor decides what becomes of it."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
