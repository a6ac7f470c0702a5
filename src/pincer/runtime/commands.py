"""Commands that may not end, talk too much or leave children behind: run with a limit, and ended as a whole."""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct

OUTPUT_KEPT = 1 << 16


class Finished(Struct, frozen=True):
    """How a process ended: its exit status (negative for a signal), and the first and last of its error output."""

    status: int
    errors: str
    timed_out: bool = False


def run(
    command: Sequence[str], directory: Path, timeout: float, environment: Mapping[str, str] | None = None
) -> Finished:
    """Run a command in its own process group, which is killed as a whole when the time is up."""
    settings = {**os.environ, "LC_ALL": "C", **(environment or {})}
    with subprocess.Popen(
        command,
        cwd=directory,
        env=settings,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        try:
            errors, in_time = _read_errors(process, time.monotonic() + timeout)
        finally:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
        return Finished(process.wait(), errors, timed_out=not in_time)


def output_of(command: Sequence[str], given: str, timeout: float) -> str | None:
    """What a command makes of a text; None when it fails, or does not end in time."""
    try:
        done = subprocess.run(command, input=given, capture_output=True, text=True, timeout=timeout, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None


def _read_errors(process: subprocess.Popen[bytes], deadline: float) -> tuple[str, bool]:
    """What the process writes to its error stream, without the middle if it is long; and whether it ended in time."""
    assert process.stderr is not None
    first, last = b"", b""
    with selectors.DefaultSelector() as selector:
        selector.register(process.stderr, selectors.EVENT_READ)
        while (left := deadline - time.monotonic()) > 0:
            if not selector.select(min(left, 0.1)):
                if process.poll() is not None:
                    break
                continue
            piece = os.read(process.stderr.fileno(), OUTPUT_KEPT)
            if not piece:
                break
            room = OUTPUT_KEPT - len(first)
            first, last = first + piece[:room], (last + piece[room:])[-OUTPUT_KEPT:]
    return (first + last).decode("utf-8", "replace"), _ends(process, deadline)


def _ends(process: subprocess.Popen[bytes], deadline: float) -> bool:
    try:
        process.wait(max(0.0, deadline - time.monotonic()))
    except subprocess.TimeoutExpired:
        return False
    return True
