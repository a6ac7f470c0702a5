"""Whether relaxed operations on one atomic object make a difference: not where nothing else depends on them.

`frontends.c.library.memory_orders` says why. What the object may order are the pairs of accesses that may race as far
as the creation and the end of threads and common locks are concerned; all of them are found, whatever the schedule.
"""

from __future__ import annotations

from msgspec.structs import replace

from pincer.analysis.thread_facts import ThreadFacts
from pincer.frontends.c.library.atomics import RELAXED_ORDERS
from pincer.program.control_flow import ControlFlowProgram


def with_relaxed_orders_judged(program: ControlFlowProgram) -> ControlFlowProgram:
    """The program without the assumption about relaxed operations, where they are exactly what they are taken for."""
    if RELAXED_ORDERS not in program.assumptions or ThreadFacts(program).race_pairs:
        return program
    return replace(program, assumptions=tuple(each for each in program.assumptions if each != RELAXED_ORDERS))
