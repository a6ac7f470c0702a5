"""How much memory a process uses now, in megabytes (10^6 bytes)."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def memory_mb_of(pid: int) -> float | None:
    """Resident memory of any process; None where the system does not tell."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    except (OSError, IndexError, ValueError):
        return None
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def own_memory_mb() -> float:
    """Resident memory of this process; its peak where the current value is not known."""
    current = memory_mb_of(os.getpid())
    if current is not None:
        return current
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 1e6 if sys.platform == "darwin" else peak * 1024 / 1e6
