"""How much memory an analysis uses now, its process and all that it started, in megabytes (10^6 bytes)."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from pincer.cli.processes import process_tree


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
