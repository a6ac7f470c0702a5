"""The processes that an analysis started: who they are, and ending them with it."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Iterator
from pathlib import Path


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
