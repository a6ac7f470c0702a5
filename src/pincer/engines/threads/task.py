"""What is asked about a program with threads, and what a search leaves behind."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from pincer.engines.agse.limits import AgseLimits
from pincer.engines.schedules.findings import Violation
from pincer.engines.schedules.limits import ScheduleLimits
from pincer.engines.task import EngineTask
from pincer.execution.threads.limits import ADDRESS_REGIONS, ExecutionLimits
from pincer.program.control_flow import ControlFlowProgram
from pincer.program.property import PropertyKind

EngineName = Literal["agse", "exhaustive", "contexts", "random", "outlines", "states", "products", "drawn"]


class ThreadOptions(Struct, frozen=True):
    """`engines` are those that may answer, beside each other; `seed` decides all that is left to chance; `jobs` is
    how many processes may search at once, by default as many as there are processors. With `spurious`, waiting for a
    condition may end without a signal. By the rules of the `paper`, the guided search refines by one definition at a
    time."""

    engines: tuple[EngineName, ...] = ("agse", "exhaustive", "drawn", "states", "outlines", "products")
    seed: int = 0
    jobs: int | None = None
    spurious: bool = False
    paper: bool = False

    @property
    def execution_limits(self) -> ExecutionLimits:
        return ExecutionLimits(max_threads=ADDRESS_REGIONS - 1, spurious=self.spurious)

    @property
    def schedule_limits(self) -> ScheduleLimits:
        return ScheduleLimits(self.execution_limits)

    @property
    def agse_limits(self) -> AgseLimits:
        most_copies = 1 if self.paper else AgseLimits().most_copies
        return AgseLimits(self.execution_limits, most_copies=most_copies)


class ThreadTask(Struct, frozen=True, eq=False):
    """One property of one program."""

    program: ControlFlowProgram
    property: PropertyKind
    options: ThreadOptions


class ScheduleSearch(Struct, frozen=True):
    """What a search over schedules was asked within which limits, and the violation that it found."""

    kind: PropertyKind
    limits: ExecutionLimits
    violation: Violation | None = None


SchedulesTask: TypeAlias = EngineTask[ControlFlowProgram, PropertyKind, ThreadOptions]
"""Properties of a program with threads, one after the other."""
