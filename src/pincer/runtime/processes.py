"""Processes: starting them, who they are, and ending them with all that they started."""

from __future__ import annotations

import contextlib
import ctypes
import os
import queue
import signal
import subprocess
import sys
import threading
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, cast

_BOOT = "import sys; sys.path[:] = sys.argv[2:]; __import__(sys.argv[1], fromlist=['main']).main()"


_SET_DEATH_SIGNAL = 1
"""The number of this request to `prctl`."""


def end_with_parent() -> None:
    """Have the system end this process when the one that started it is no more, even inside a solver call."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_SET_DEATH_SIGNAL, signal.SIGKILL)


def python_command(module: str) -> list[str]:
    """The command that runs the `main` of a module in a process of its own: with our interpreter and import path, and
    without the current directory sneaking in."""
    return [sys.executable, "-P", "-c", _BOOT, module, *sys.path]


class LineProcess(ABC):
    """A process that works for this one: it reads lines and writes lines. It never sees Ctrl-C: whoever started it
    decides what becomes of it."""

    def __init__(self, pid: int, reads: BinaryIO, writes: BinaryIO) -> None:
        """We read what it writes from `reads`, and it reads what we write to `writes`."""
        self.pid = pid
        self._reads, self._writes = reads, writes
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        with contextlib.suppress(OSError, ValueError), self._reads:
            for line in self._reads:
                self._lines.put(line)
        self._lines.put(None)

    def lines(self, patience: float) -> Iterator[bytes | None]:
        """The lines written until now, waiting a moment for the first; None when there will be no more."""
        while True:
            try:
                line = self._lines.get(timeout=patience)
            except queue.Empty:
                return
            yield line
            patience = 0.0

    def write(self, line: bytes) -> None:
        # If it is gone, the end of its output says so.
        with contextlib.suppress(OSError, ValueError):
            self._writes.write(line)
            self._writes.flush()

    def kill(self) -> None:
        kill_descendants(self.pid)
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)

    def close(self) -> None:
        """Nothing is written any more; what is still to be read is read by its thread."""
        with contextlib.suppress(OSError):
            self._writes.close()

    @abstractmethod
    def wait(self) -> int:
        """The status it ends with, negative for a signal."""

    @abstractmethod
    def end(self) -> None:
        """End the process, if it has not ended, and all that it started."""


class Helper(LineProcess):
    """One that a command starts."""

    def __init__(self, command: Sequence[str], quiet: bool = True, folder: Path | None = None) -> None:
        with blocked_signals():
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL if quiet else None,
                cwd=folder,
            )
        assert self._process.stdout is not None and self._process.stdin is not None
        super().__init__(
            self._process.pid, cast("BinaryIO", self._process.stdout), cast("BinaryIO", self._process.stdin)
        )

    def wait(self) -> int:
        return self._process.wait()

    def end(self) -> None:
        if self._process.poll() is None:
            self.kill()
        self._process.wait()


@contextlib.contextmanager
def blocked_signals() -> Iterator[None]:
    """A process started in here does not see the signals that end this one."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def process_tree(pid: int) -> Iterator[int]:
    """A process and its descendants, as far as the system tells."""
    yield pid
    try:
        for tasks in Path(f"/proc/{pid}/task").glob("*/children"):
            for child in tasks.read_text(encoding="ascii").split():
                yield from process_tree(int(child))
    except OSError:
        return


def kill_descendants(pid: int) -> None:
    """End all that a process started. Compiled tests run in sessions of their own and would survive it."""
    for descendant in list(process_tree(pid))[1:]:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(descendant, signal.SIGKILL)


def processor_seconds_of(pid: int) -> float:
    """What a process has taken, with those it has waited for; nothing where the system does not tell."""
    try:
        told = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace")
        ticks = sum(int(word) for word in told.rpartition(")")[2].split()[11:15])
    except (OSError, ValueError):
        return 0.0
    return ticks / os.sysconf("SC_CLK_TCK")
