"""How far executions with threads go."""

from __future__ import annotations

from msgspec import Struct


class ExecutionLimits(Struct, frozen=True):
    """What one execution may do; beyond that it is left open, with the reason."""

    max_threads: int = 16
    """Threads that are ever created: programs that create them without end are not searched without end."""

    spurious: bool = False
    """Whether waiting for a condition may end without a signal, as POSIX allows: the user asks for it."""

    steps_per_transition: int = 200_000
    """Steps that nobody notices, until the thread counts as one that never comes to a scheduling point."""


SCANNED_BYTES = 1 << 16
"""Bytes of an object that are searched for pointers when it is shown to others: larger ones are mostly data."""

ADDRESS_REGIONS = 64
"""Into how many parts the addresses for new objects are divided: one for each thread that may be created."""
