"""Locations that the user asks about: whether threads come to all of them, one at each, at the same time.

Such a location is marked by a call of `TARGET` before its statement. The call takes two steps, arriving and leaving, so
that a thread can stay while others come.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from pincer.execution.stepping import Stop
from pincer.execution.threads.accesses import Access
from pincer.execution.threads.calls import Answer, Call, Performed, meaning
from pincer.execution.threads.objects import Meeting
from pincer.execution.threads.state import Phase
from pincer.program.passes.targets import TARGET

_NOWHERE = 0


@meaning(TARGET)
def _target(call: Call) -> Answer:
    me, (place, *needed) = call.me.number, call.arguments
    _, known = call.threads.sync.get(_NOWHERE, (_NOWHERE, Meeting()))
    assert isinstance(known, Meeting)
    accesses = (Access("sync", _NOWHERE, write=True, name="targets"),)
    if call.me.phase is not None:
        present = tuple(found for found in known.present if found[0] != me)
        left = call.threads.with_thread(replace(call.me, phase=None))
        return Performed(replace(left, sync=left.sync.set(_NOWHERE, (_NOWHERE, Meeting(present)))), 0, accesses)
    present = (*known.present, (me, place, call.edge.position.line))
    counts = Counter(found[1] for found in present)
    if all(counts[number] >= count for number, count in enumerate(needed)):
        return Stop("fail", _reached(present, sum(needed)), call.edge)
    arrived = call.threads.with_thread(replace(call.me, phase=Phase("target", _NOWHERE)))
    sync = arrived.sync.set(_NOWHERE, (_NOWHERE, Meeting(present)))
    return Performed(replace(arrived, sync=sync), None, accesses, complete=False)


def _reached(present: tuple[tuple[int, int, int], ...], needed: int) -> str:
    if needed == 1:
        return f"line {present[-1][2]} is reached"
    return " and ".join(f"thread {thread} is at line {line}" for thread, _, line in sorted(present))
