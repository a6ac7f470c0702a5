"""Which transitions of an execution happened before which, and executions with independent ones in another order."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from msgspec import Struct

from pincer.execution.threads.accesses import Access, Footprint, races
from pincer.execution.threads.schedules import Schedule, ThreadChoice
from pincer.execution.threads.state import ThreadedState
from pincer.execution.threads.transitions import ThreadTransition
from pincer.logic import bitvectors
from pincer.logic.terms import Term

_SYMBOL = re.compile(r"(input|undefined)(\d+)(\+\d+)?")


class Event(Struct, frozen=True):
    """A transition in an execution. `past` has a bit for each event that happened before this one, and its own bit.

    `counters` are the machine's numbers of objects and inputs before and after it; `parts` is how many transitions it
    is when nothing is merged.
    """

    thread: int
    pick: int
    footprint: Footprint
    past: int
    counters: tuple[tuple[int, int], tuple[int, int]]
    parts: int = 1

    @property
    def choices(self) -> tuple[ThreadChoice, ...]:
        """What a schedule says about it."""
        return (ThreadChoice(self.thread, self.pick), *[ThreadChoice(self.thread)] * (self.parts - 1))


def happened(events: Sequence[Event], own: int, transition: ThreadTransition, before: ThreadedState) -> Event:
    """The event that a transition is after others; `own` is the past of its thread."""
    past = own | 1 << len(events)
    for i in range(len(events) - 1, -1, -1):
        event = events[i]
        if not past >> i & 1 and event.footprint.conflicts(transition.footprint):
            past |= event.past
    counters = before.state.counters, transition.threads.state.counters
    return Event(transition.thread, transition.pick, transition.footprint, past, counters, transition.parts)


def reversible(events: Sequence[Event], own: int, footprint: Footprint) -> list[int]:
    """Earlier events that conflict with a transition to come and are not known to be before it, latest first."""
    found = []
    for i in range(len(events) - 1, -1, -1):
        event = events[i]
        if not own >> i & 1 and event.footprint.conflicts(footprint) and not event.footprint.never_together(footprint):
            found.append(i)
    return found


def initials(events: Sequence[Event], at: int, thread: int, own: int, footprint: Footprint) -> list[int]:
    """The threads that can come first after the event `at` is left out, together with all that depends on it, and the
    thread's transition to come is put last: those that wait for none of the others."""
    kept = [k for k in range(at + 1, len(events)) if not events[k].past >> at & 1]
    mask = sum(1 << k for k in kept)
    found = [events[k].thread for k in kept if not events[k].past & mask & ~(1 << k)]
    past = own
    for k in kept:
        if events[k].footprint.conflicts(footprint):
            past |= events[k].past
    return found if past & mask else [thread, *found]


def racing(events: Sequence[Event], own: int, event: Event) -> tuple[int, tuple[Access, Access]] | None:
    """An earlier event that races with one: nothing that happened in between orders the two."""
    direct = [i for i in range(len(events)) if events[i].footprint.conflicts(event.footprint)]
    for i in direct:
        if own >> i & 1 or events[i].thread == event.thread:
            continue
        pair = races(events[i].footprint, event.footprint)
        if pair is None:
            continue
        others = own
        for k in direct:
            if k != i:
                others |= events[k].past
        if not others >> i & 1:
            return i, pair
    return None


def without(events: Sequence[Event], excluded: int, values: Mapping[Term, int]) -> Schedule:
    """The schedule of all events that do not depend on an excluded one, in the same order."""
    kept = [event for event in events if not event.past >> excluded & 1]
    choices = tuple(choice for event in kept for choice in event.choices)
    return Schedule(choices, _renumbered(events, kept, values))


def _renumbered(events: Sequence[Event], kept: Sequence[Event], values: Mapping[Term, int]) -> dict[Term, int]:
    """Input values under the numbers that objects and inputs get when only some of the events take place."""
    if not kept or not values:
        return dict(values) if len(kept) == len(events) else {}
    shifts: list[dict[int, int]] = [{}, {}]
    start = events[0].counters[0]
    following = list(start)
    for event in kept:
        for kind in (0, 1):
            before, after = event.counters[0][kind], event.counters[1][kind]
            for number in range(before, after):
                shifts[kind][number] = following[kind]
                following[kind] += 1
    result: dict[Term, int] = {}
    for symbol, value in values.items():
        moved = _moved(symbol, shifts, start)
        if moved is not None:
            result[moved] = value
    return result


def _moved(symbol: Term, shifts: list[dict[int, int]], start: tuple[int, int]) -> Term | None:
    match = _SYMBOL.fullmatch(str(symbol.args[0]))
    if match is None:
        return symbol
    if match[1] == "input":
        kind, number, offset = 1, int(match[2]), 0
    else:
        # The counter is one behind: the first object made after it stood at n is number n + 1.
        kind, number, offset = 0, int(match[2]) - 1, 1
    if number < start[kind]:
        return symbol
    new = shifts[kind].get(number)
    if new is None:
        return None
    return bitvectors.variable(f"{match[1]}{new + offset}{match[3] or ''}", bitvectors.width(symbol))
