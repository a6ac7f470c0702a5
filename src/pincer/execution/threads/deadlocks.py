"""Deadlocks: threads that wait for each other in a circle, or all of them waiting for what never comes."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from pincer.execution.threads.calls import Waiting, object_name
from pincer.execution.threads.interleaving import Interleaver
from pincer.execution.threads.state import Thread, ThreadedState
from pincer.execution.threads.transitions import NextTransition


class ThreadDeadlock(Struct, frozen=True):
    """`waits` tells for each thread in it what it waits for; with `circle` they wait for each other."""

    waits: tuple[tuple[int, Waiting], ...]
    circle: bool

    def __str__(self) -> str:
        return "; ".join(f"thread {number} waits for {waiting.what}{_held(waiting)}" for number, waiting in self.waits)


def _held(waiting: Waiting) -> str:
    if not waiting.holders or waiting.until_end:
        return ""
    return ", held by " + " and ".join(f"thread {holder}" for holder in waiting.holders)


def deadlock(interleaver: Interleaver, threads: ThreadedState) -> ThreadDeadlock | None:
    """The deadlock in a state, if there is one."""
    return deadlock_among(threads, {t.number: interleaver.pending(threads, t.number) for t in threads.live()})


def deadlock_among(threads: ThreadedState, pending: Mapping[int, NextTransition]) -> ThreadDeadlock | None:
    """The deadlock in a state of which it is known what its live threads wait for."""
    live = threads.live()
    waits = {t.number: pending[t.number].waiting or unsignalled(threads, t) for t in live if not t.stuck}
    blocked = {number: waiting for number, waiting in waits.items() if waiting is not None}
    circle = _circle(blocked, {t.number for t in live})
    if circle:
        return ThreadDeadlock(tuple((number, blocked[number]) for number in circle), True)
    if blocked and len(blocked) == len(waits) and not any(t.stuck for t in live):
        return ThreadDeadlock(tuple(sorted(blocked.items())), False)
    return None


def unsignalled(threads: ThreadedState, thread: Thread) -> Waiting | None:
    """What a thread waits for that may wake up without a signal, but need not."""
    phase = thread.phase
    if phase is None or phase.kind != "condition" or phase.woken or phase.timed:
        return None
    return Waiting(f"a signal of {object_name(threads.state, phase.address)}")


def _circle(blocked: dict[int, Waiting], live: set[int]) -> list[int]:
    """Threads that wait for each other, in order; or one that waits for a lock whose holder is over."""
    for start in sorted(blocked):
        path: list[int] = []
        found = _follow(start, blocked, live, path)
        if found is not None:
            return found
    return []


def _follow(number: int, blocked: dict[int, Waiting], live: set[int], path: list[int]) -> list[int] | None:
    if number in path:
        return path[path.index(number) :]
    if number not in live:
        return path[-1:]
    if number not in blocked:
        return None
    for holder in blocked[number].holders:
        found = _follow(holder, blocked, live, [*path, number])
        if found is not None:
            return found
    return None
