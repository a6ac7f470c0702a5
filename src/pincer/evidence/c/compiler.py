"""The system's C compiler, and running processes that may not end, talk too much or leave children behind."""

from __future__ import annotations

import contextlib
import os
import selectors
import shlex
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

OUTPUT_KEPT = 1 << 16
COMPILE_TIMEOUT = 60.0


@dataclass(frozen=True, slots=True)
class Finished:
    """How a process ended: its exit status (negative for a signal), and the first and last of its error output."""

    status: int
    errors: str
    timed_out: bool = False


def find_compiler() -> tuple[str, ...] | None:
    """The command of the first compiler there is: $CC, cc, gcc, clang."""
    for candidate in (os.environ.get("CC", ""), "cc", "gcc", "clang"):
        words = shlex.split(candidate)
        if words and shutil.which(words[0]):
            return tuple(words)
    return None


@cache
def can_build(compiler: tuple[str, ...], flags: tuple[str, ...]) -> bool:
    """Whether a program built with these flags links and runs here."""
    with tempfile.TemporaryDirectory(prefix="pincer-") as name:
        directory = Path(name)
        (directory / "probe.c").write_text("int main(void) { return 0; }\n", encoding="utf-8")
        built = run((*compiler, *flags, "-o", "probe", "probe.c"), directory, COMPILE_TIMEOUT)
        return built.status == 0 and run(("./probe",), directory, 10.0).status == 0


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
