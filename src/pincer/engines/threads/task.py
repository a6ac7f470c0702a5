"""What is asked about a program with threads, and what comes out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from pincer.engines.agse.limits import AgseLimits
from pincer.engines.schedules.findings import Violation
from pincer.engines.schedules.limits import ScheduleLimits
from pincer.execution.threads.limits import ADDRESS_REGIONS, ExecutionLimits
from pincer.program.control_flow import ControlFlowProgram
from pincer.program.property import Assumption, PropertyKind, Verdict

EngineName = Literal["agse", "exhaustive", "contexts", "random"]


@dataclass(frozen=True, slots=True)
class ThreadOptions:
    """`engines` are those that may answer, beside each other; `seed` decides all that is left to chance; `jobs` is
    how many processes may search at once, by default as many as there are processors. With `spurious`, waiting for a
    condition may end without a signal."""

    engines: tuple[EngineName, ...] = ("agse", "exhaustive")
    seed: int = 0
    jobs: int | None = None
    spurious: bool = False

    @property
    def execution_limits(self) -> ExecutionLimits:
        return ExecutionLimits(max_threads=ADDRESS_REGIONS - 1, spurious=self.spurious)

    @property
    def schedule_limits(self) -> ScheduleLimits:
        return ScheduleLimits(self.execution_limits)

    @property
    def agse_limits(self) -> AgseLimits:
        return AgseLimits(self.execution_limits)


@dataclass(frozen=True, slots=True, eq=False)
class ThreadTask:
    """One property of one program."""

    program: ControlFlowProgram
    property: PropertyKind
    options: ThreadOptions


@dataclass(frozen=True, slots=True)
class ThreadResult:
    """The answer for one property. `warnings` are what analysis suspects and no execution has shown.

    `statistics` are those of the search that decided, with `trials` and `all_states` for the guided searches that had
    their turn before."""

    name: PropertyKind
    verdict: Verdict
    engine: EngineName | None
    reason: str
    violation: Violation | None = None
    statistics: dict[str, Any] = field(default_factory=dict)
    time_s: float = 0.0
    warnings: tuple[str, ...] = ()
    assumptions: tuple[Assumption, ...] = ()
