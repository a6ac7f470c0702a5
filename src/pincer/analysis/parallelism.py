"""Which locations of which threads may happen in parallel, from where threads are created and joined.

A thread runs beside its creator only after its creation, and not after a join that certainly waits for it. A join
counts only when the thread it names is known and is a single one. Whatever these two rules do not exclude may happen.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from pincer.analysis.thread_flow import ThreadFlow
from pincer.analysis.threads import AbstractThread, Threads
from pincer.program.control_flow import Edge
from pincer.program.points_to import PointsTo
from pincer.program.thread_labels import Exit, Join, Patience

Creations = frozenset[Edge]
"""Threads, as the edges that create them."""


class Lives(Struct, frozen=True):
    """At a location, relative to the start of the thread: who may have been created, who has certainly ended."""

    created: Creations
    ended: Creations


_START = Lives(frozenset(), frozenset())


class Parallelism(Struct, frozen=True, eq=False):
    """`progress` is known for each location of each thread that exists only once."""

    threads: Threads
    progress: Mapping[AbstractThread, Mapping[int, Lives]]

    def may_happen_in_parallel(
        self, first: AbstractThread, at_first: int, second: AbstractThread, at_second: int
    ) -> bool:
        """Whether one thread may be at a location while another one is at another."""
        if first is second:
            return first.several
        return not (self._excluded(first, at_first, second) or self._excluded(second, at_second, first))

    def _excluded(self, thread: AbstractThread, location: int, other: AbstractThread) -> bool:
        """Whether `other` has ended, or has not begun, whenever `thread` is at the location."""
        if other.site is None or thread not in self.progress:
            return False
        here = self.progress[thread].get(location)
        if here is None:
            return False
        if other.site.edge in here.ended:
            return True
        return not self._may_have_begun(other, thread, here.created)

    def _may_have_begun(self, other: AbstractThread, thread: AbstractThread, created: Creations) -> bool:
        """Whether some chain of creations leads to `other` without one that `thread` is still to make."""
        waiting, seen = [other], {other}
        while waiting:
            current = waiting.pop()
            if current.site is None:
                return True
            for parent in self.threads.parents(current):
                if parent is thread:
                    if current.site.edge in created:
                        return True
                elif parent not in seen:
                    seen.add(parent)
                    waiting.append(parent)
        return False


def parallelism(threads: Threads, pointers: PointsTo) -> Parallelism:
    """Creation and join facts for all threads."""
    flow = _CreationFlow(threads, pointers)
    progress: dict[AbstractThread, Mapping[int, Lives]] = {}
    for thread in threads.all:
        if not thread.several:
            start = _START
            if thread.site is not None:
                parents = [progress[parent] for parent in threads.parents(thread) if parent in progress]
                if len(parents) == 1 and thread.site.edge.source in parents[0]:
                    start = Lives(frozenset(), parents[0][thread.site.edge.source].ended)
            progress[thread] = flow.of_thread(thread, start)
    return Parallelism(threads, progress)


class _CreationFlow(ThreadFlow[Lives]):
    """What procedures create and wait for."""

    def __init__(self, threads: Threads, pointers: PointsTo) -> None:
        self.single = {thread.site.edge for thread in threads.all if thread.site is not None and not thread.several}
        super().__init__(threads, pointers, _START)

    def joined(self, left: Lives, right: Lives) -> Lives:
        return Lives(left.created | right.created, left.ended & right.ended)

    def then(self, first: Lives, second: Lives) -> Lives:
        return Lives(first.created | second.created, first.ended | second.ended)

    def operate(self, edge: Edge, before: Lives) -> Lives:
        if any(site.kind == "create" for site in self.calls.at_edge.get(edge, ())):
            return Lives(before.created | {edge}, before.ended)
        ended = self._ended_by(edge)
        return Lives(before.created, before.ended | ended) if ended else before

    def _ended_by(self, edge: Edge) -> Creations:
        """The thread that a join waits for, and those that it has waited for itself."""
        match edge.label:
            case Join(thread, patience=Patience.FOR_EVER):
                named = self.pointers.value(thread)
                if len(named) == 1:
                    ((target, _, _),) = named
                    if target.kind == "thread" and target.site in self.single:
                        assert target.site is not None
                        return frozenset((target.site,)) | self._ended_with(target.site)
        return frozenset()

    def _ended_with(self, creation: Edge) -> Creations:
        """The threads that a thread has certainly joined when it ends by returning."""
        routines = [site.callee for site in self.calls.at_edge[creation]]
        if len(routines) != 1 or any(self._exits(name) for name in self.calls.within_thread(routines[0])):
            return frozenset()
        whole = self.whole[routines[0]]
        return frozenset() if whole is None else whole.ended

    def _exits(self, name: str) -> bool:
        return any(isinstance(edge.label, Exit) for edge in self.calls.program.procedures[name].edges)
