"""How far searches over schedules go."""

from __future__ import annotations

from msgspec import Struct, field
from msgspec.structs import replace

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


class DrawnLimits(Struct, frozen=True):
    """How far schedules go that are drawn at random."""

    stages: tuple[tuple[int, int, int], ...] = ((16, 80, 4), (15, 160, 6), (15, 400, 16))
    """So many schedules of so many transitions with so many threads: few mistakes need many of either, and what is
    long is hard to read."""

    longest: tuple[int, int] = (800, 24)
    """Transitions and threads of every second one after those; the others are as those of the last stage."""

    least: int = 20
    """Transitions that each schedule counts for, also where it ends before: beginning takes time as well."""

    steps_per_transition: int = 2_000
    """Steps that nobody notices: whoever takes more is left alone."""

    transitions: int = 60_000
    """Of all schedules together, some seconds: what was not found in them takes luck."""

    shortening: int = 15_000
    """Transitions that are spent on making what was found shorter: a second of work."""

    def hasty(self, limits: ExecutionLimits) -> ExecutionLimits:
        """Limits of an execution that is drawn."""
        return replace(limits, steps_per_transition=self.steps_per_transition)


DRAWN = DrawnLimits()
