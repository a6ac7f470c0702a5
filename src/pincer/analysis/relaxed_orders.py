"""Whether weaker memory orders make a difference: not those of locks, and not relaxed operations on one atomic object
on which nothing else depends.

`frontends.c.library.memory_orders` and `analysis.lock_objects` say why. What the object may order are the pairs of
accesses that may race as far as the creation and the end of threads and common locks are concerned; all of them are
found, whatever the schedule.
"""

from __future__ import annotations

from msgspec.structs import replace

from pincer.analysis.lock_objects import sections_of_locks
from pincer.analysis.thread_facts import ThreadFacts
from pincer.frontends.c.library.atomics import RELAXED_ORDERS, WEAKER_ORDERS
from pincer.frontends.c.library.memory_orders import with_orders_judged
from pincer.program.control_flow import ControlFlowProgram


def with_relaxed_orders_judged(program: ControlFlowProgram) -> ControlFlowProgram:
    """The program without the assumption about weaker orders, where they are exactly what they are taken for."""
    if program.assumptions and not {RELAXED_ORDERS, WEAKER_ORDERS}.isdisjoint(program.assumptions):
        program = with_orders_judged(program, sections_of_locks(program))
    if RELAXED_ORDERS not in program.assumptions or ThreadFacts(program).race_pairs:
        return program
    return replace(program, assumptions=tuple(each for each in program.assumptions if each != RELAXED_ORDERS))
