"""How far searches over schedules go."""

from __future__ import annotations

from msgspec import Struct, field

from pincer.execution.threads.limits import ExecutionLimits


class ScheduleLimits(Struct, frozen=True):
    """What is left out for them is a reason not to call a program safe."""

    execution: ExecutionLimits = field(default_factory=ExecutionLimits)
    """How far each execution goes."""

    max_transitions: int = 1_000_000
    """Of all executions together: some minutes of work, and a few gigabytes where all states are kept."""

    max_depth: int = 5_000
    """Transitions of one execution: what takes longer hardly ever ends, and each costs memory on the path."""

    cycle_window: int = 64
    """How far apart, in transitions, states are looked at to see that an execution goes round in circles: threads that
    spin do so in few transitions, and fingerprints of more states would cost more than they find."""

    interruptions: int = 2
    """Of threads that could go on, for context bounding: most errors need no more (Musuvathi and Qadeer, 2007)."""

    random_executions: int = 1_000
    """That random scheduling tries."""
