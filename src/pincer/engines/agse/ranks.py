"""Ranks of successors (section 5): lower is better.

h1 is what is left of the traces; h2 the distance to the next location of a trace, through calls and returns. Threads
are ranked by where they are before their step, so that only the best successor has to be generated; the ways a step
can go with other inputs are ranked by where they lead (h3 of the paper: data choices that lead to the trace first).
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass

from pincer.engines.agse.followed_traces import Following, Guides, remaining_length
from pincer.execution.machine import chronological
from pincer.execution.testing import ExecutionFrame
from pincer.execution.threads.calls import Waiting
from pincer.execution.threads.state import Thread, ThreadedState
from pincer.execution.threads.transitions import InputTurn, ThreadTransition
from pincer.program.control_flow import Check, Edge
from pincer.program.property import PropertyKind

NOWHERE = 1_000_000
"""The distance of a thread that leads to no trace; one that is at its target should rather stay there."""

AT_TARGET = 2 * NOWHERE

Rank = tuple[int, int, float]
"""h1, h2, and a random number that decides between equals."""


@dataclass
class RandomRanks:
    """Ranks with their own source of chance."""

    following: Following
    dice: random.Random
    property: PropertyKind

    def h1(self, guides: Guides) -> int:
        """What is left of the traces."""
        return remaining_length(guides)

    def of_thread(self, threads: ThreadedState, guides: Guides, number: int, blocked: Mapping[int, Waiting]) -> Rank:
        """The rank of letting a thread go on."""
        return self.h1(guides), self._thread_distance(threads, guides, number, blocked), self.dice.random()

    def _thread_distance(
        self, threads: ThreadedState, guides: Guides, number: int, blocked: Mapping[int, Waiting]
    ) -> int:
        several = self.property in ("deadlock", "race")
        phase = threads.threads[number].phase
        if phase is not None and phase.kind == "target":
            return AT_TARGET
        if several and any(self.at_target(threads, guides, i) for i, g in enumerate(guides) if g.thread == number):
            return AT_TARGET
        found = [self._to_guide(threads.threads[number], threads, guides, i) for i in range(len(guides))]
        for waiter, waiting in blocked.items():
            if number in waiting.holders and any(guide.thread == waiter for guide in guides):
                found.append(NOWHERE // 2)
        return min((away for away in found if away is not None), default=NOWHERE)

    def _to_guide(self, thread: Thread, threads: ThreadedState, guides: Guides, which: int) -> int | None:
        guide = guides[which]
        if guide.thread is None:
            return self.following.distance(thread, guide.remaining[0])
        return self.following.distance(thread, guide.remaining[0]) if guide.thread == thread.number else None

    def at_target(self, threads: ThreadedState, guides: Guides, which: int) -> bool:
        """Whether the thread that follows a trace has come to the trace's end."""
        guide = guides[which]
        if guide.thread is None or len(guide.remaining) > 1:
            return False
        at = threads.threads[guide.thread].location
        if self.property == "race":
            at = self._behind_checks(at)
        return at == guide.remaining[0]

    def _behind_checks(self, location: int) -> int:
        """Where an access is that begins with checks of its address, which belong to the same transition."""
        edges = self.following.flow.edges(location)
        while len(edges) == 1 and isinstance(edges[0].label, Check):
            location = edges[0].target
            edges = self.following.flow.edges(location)
        return location

    def of_turn(
        self, guides: Guides, thread: int, turn: InputTurn, transition: ThreadTransition
    ) -> tuple[Rank, Rank] | None:
        """Ranks of another outcome of a branch and of the one that was taken, both right behind the branch.

        None where no branch of the source is turned."""
        before = tuple(chronological(turn.progress.edges))
        node = turn.progress.node
        taken = transition.edges[len(before)] if len(before) < len(transition.edges) else None
        others = [edge for edge in self.following.flow.edges(node.location) if edge is not taken]
        if taken is None or taken.source != node.location or not others:
            return None
        guides, _ = self.following.passed(guides, thread, before)
        other = min(self._behind(guides, thread, edge, node.frame) for edge in others)
        return other, self._behind(guides, thread, taken, node.frame)

    def _behind(self, guides: Guides, thread: int, edge: Edge, frame: ExecutionFrame) -> Rank:
        after, missed = self.following.passed(guides, thread, (edge,))
        nearest = [
            self.following.stack_distance(edge.target, frame, guide.remaining[0])
            for guide in after
            if guide.thread in (None, thread)
        ]
        away = min((found for found in nearest if found is not None), default=NOWHERE)
        return self.h1(after) + len(missed), away, 0.0
