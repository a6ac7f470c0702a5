"""The processes that an analysis started: who they are, ending them with it, and the memory they use together.

Megabytes are 10^6 bytes.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
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


def memory_mb_of(pid: int) -> float | None:
    """Resident memory of any process with all its descendants; None where the system does not tell.

    What forked processes share is in the memory of each of them. If there are several, their proportional shares are
    added up instead, where the system knows these.
    """
    tree = list(process_tree(pid))
    if len(tree) > 1:
        shares = [share for share in map(_share_mb, tree) if share is not None]
        if shares:
            return sum(shares)
    found = [memory for memory in map(_resident_mb, tree) if memory is not None]
    return sum(found) if found else None


def _resident_mb(pid: int) -> float | None:
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    except (OSError, IndexError, ValueError):
        return None
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def _share_mb(pid: int) -> float | None:
    """The memory of a process with what it shares divided by the number of those who share it."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines()
    except OSError:
        return None
    return next((int(line.split()[1]) * 1024 / 1e6 for line in lines if line.startswith("Pss:")), None)


def own_memory_mb() -> float:
    """Memory of this process and its descendants; its own peak where the current value is not known."""
    current = memory_mb_of(os.getpid())
    if current is not None:
        return current
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 1e6 if sys.platform == "darwin" else peak * 1024 / 1e6
