"""The memory that a process uses with all its descendants. Megabytes are 10^6 bytes."""

from __future__ import annotations

import os
import resource
import sys
import time
from pathlib import Path

from pincer.runtime.processes import process_tree

_PAUSE = 50
"""Times as long as reading shares takes, they are not read again: the system walks through all pages for them."""


class MemoryMeter:
    """Resident memory of a process with all its descendants, asked for again and again.

    What forked processes share is in the memory of each of them. If there are several, their proportional shares are
    added up instead, where the system knows these. In between, what their memory grows by is added.
    """

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._tree: list[int] = []
        self._shared = 0.0
        self._again = 0.0

    def mb(self) -> float | None:
        """None where the system does not tell."""
        tree = list(process_tree(self._pid))
        found = [memory for memory in map(_resident_mb, tree) if memory is not None]
        if not found:
            return None
        if len(tree) == 1:
            return sum(found)
        if tree != self._tree or time.monotonic() >= self._again:
            self._tree = tree
            self._look(sum(found))
        return max(0.0, sum(found) - self._shared)

    def _look(self, resident: float) -> None:
        """See how much of the resident memory is counted several times."""
        began = time.monotonic()
        shares = [share for share in map(_share_mb, self._tree) if share is not None]
        ended = time.monotonic()
        self._shared = resident - sum(shares) if shares else 0.0
        self._again = ended + _PAUSE * (ended - began)


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


def own_peak_mb() -> float:
    """The most that this process had at any time."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 1e6 if sys.platform == "darwin" else peak * 1024 / 1e6
