"""A schedule is executed once more, to see what it violates."""

from __future__ import annotations

from pincer.engines.schedules.findings import Violation, counts, shown, violation
from pincer.errors import PincerError
from pincer.execution.threads.interleaving import Interleaver
from pincer.execution.threads.limits import ExecutionLimits
from pincer.execution.threads.schedules import Schedule, replay
from pincer.program.control_flow import ControlFlowProgram
from pincer.program.property import PropertyKind


def confirmed(
    program: ControlFlowProgram, name: PropertyKind, schedule: Schedule, limits: ExecutionLimits
) -> Violation | None:
    """The violation that a schedule shows when it is executed again, None if it shows none."""
    interleaver = Interleaver(program, limits)
    try:
        again = replay(interleaver, schedule)
    except PincerError:
        return None
    stop = again.stop
    if stop is not None:
        return violation(name, stop, schedule.choices, schedule.inputs) if counts(name, stop) else None
    what = shown(interleaver, name, again.last)
    return None if what is None else violation(name, what, schedule.choices, schedule.inputs)
