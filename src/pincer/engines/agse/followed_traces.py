"""Following abstract traces: which locations of a trace set an execution has passed, and which thread follows what.

The paper's traces name no threads. Here a thread that begins a part of a trace also follows it to the end of that
part, so that two threads in the same code are not mistaken for each other. A part begins at the start of a thread's
routine: that of the trace itself, those that refinement has put before it, and those where the trace passes from a
creation to what is created. Threads begin early, so a part is taken up by a thread wherever it is by then.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace

from pincer.analysis.distances import Distances
from pincer.engines.agse.abstract_system import start_locations
from pincer.engines.agse.abstract_traces import AbstractTrace
from pincer.engines.agse.system_flow import SystemFlow
from pincer.execution.testing import ExecutionFrame
from pincer.execution.threads.state import Thread, ThreadedState
from pincer.program.control_flow import Check, Edge
from pincer.program.graphs import reachable


class TraceGuide(Struct, frozen=True):
    """What is left of an abstract trace, and the thread that follows it now."""

    remaining: AbstractTrace
    thread: int | None = None


Guides = tuple[TraceGuide, ...]


class Missed(Struct, frozen=True):
    """A branch did not go where a trace wants it: the trace's number, what was left of it, and the outcome.

    `passable`: the trace may go on nevertheless, on a way around."""

    trace: int
    remaining: AbstractTrace
    taken: Edge
    passable: bool = False


def stack_of(frame: ExecutionFrame) -> Iterator[int]:
    """The locations that the procedures on a thread's stack return to, the innermost first."""
    current: ExecutionFrame | None = frame
    while current is not None and current.call is not None:
        yield current.call.target
        current = current.caller


class Following:
    """The rules of following, for one program."""

    def __init__(self, flow: SystemFlow) -> None:
        self.flow = flow
        self._around: dict[tuple[int, int], set[int]] = {}

    @cached_property
    def distances(self) -> Distances:
        return Distances(self.flow.facts.calls)

    @cached_property
    def starts(self) -> frozenset[int]:
        return frozenset(start_locations(self.flow))

    def passed(self, guides: Guides, thread: int, edges: Iterable[Edge]) -> tuple[Guides, tuple[Missed, ...]]:
        """Lines 11 to 16 of Fig. 4, for all the locations that a thread passes in a transition."""
        missed: list[Missed] = []
        for edge in edges:
            for number, guide in enumerate(guides):
                if guide.thread != thread or len(guide.remaining) < 2 or guide.remaining[0] != edge.source:
                    continue
                leads = not self.flow.branch(edge.source) or self._leads(edge, guide.remaining[1])
                if not leads or self._turns_away(edge, guide.remaining[1]):
                    missed.append(Missed(number, guide.remaining, edge, leads))
                if leads:
                    after = replace(guide, remaining=guide.remaining[1:])
                    guides = (*guides[:number], after, *guides[number + 1 :])
        return guides, tuple(missed)

    def _leads(self, taken: Edge, wanted: int) -> bool:
        """Whether an outcome of a branch leads to a location of its procedure without coming to the branch again.

        Fig. 4 asks whether it is the location itself; but where the other outcome matters as well, a trace may go
        past the branch on a side that has no location of its own."""
        key = taken.source, taken.target
        if key not in self._around:
            following = [taken.target] if taken.target != taken.source else []
            self._around[key] = reachable(
                following, lambda at: [edge.target for edge in self.flow.edges(at) if edge.target != taken.source]
            )
        return wanted in self._around[key]

    def _turns_away(self, taken: Edge, wanted: int) -> bool:
        """Whether another outcome of a branch is the wanted location itself (line 14)."""
        return taken.target != wanted and any(edge.target == wanted for edge in self.flow.edges(taken.source))

    def loss(self, guides: Guides, lost: int, edges: Sequence[Edge]) -> Missed | None:
        """The branch whose outcome took a thread off a trace, though it may not be on the trace itself; or the check
        that the trace leads to, which should have failed."""
        remaining = guides[lost].remaining
        down = self.distances.down(self._part(remaining)[-1])
        for edge in reversed(edges):
            if edge.source == remaining[-1] and isinstance(edge.label, Check):
                return Missed(lost, remaining, edge)
            if self.flow.branch(edge.source) and edge.source in down and edge.target not in down:
                return Missed(lost, remaining, edge)
        return None

    def settled(self, threads: ThreadedState, guides: Guides) -> Guides | int:
        """Traces taken up by threads, without the locations that lie behind these; or the number of a lost trace.

        Locations that cannot be reached any more are left out as long as the end of the part still can: then they
        did not matter."""
        for number, guide in enumerate(guides):
            after = self._settled(threads, guide, {other.thread for other in guides if other is not guide})
            if after is None:
                return number
            guides = (*guides[:number], after, *guides[number + 1 :])
        return guides

    def _settled(self, threads: ThreadedState, guide: TraceGuide, busy: set[int | None]) -> TraceGuide | None:
        """Targets need a thread each; a part before them may be followed by one that follows another trace as well."""
        if guide.thread is not None and not self._begins_part(guide):
            return self._reachable_part(threads, guide)
        wanted = self._part(guide.remaining)
        able = [t for t in threads.live() if self.flow.facts.program.procedures[t.start].entry == guide.remaining[0]]
        if len(wanted) == len(guide.remaining):
            able = [t for t in able if t.number not in busy]
        near = [(t.number in busy, self.distance(t, wanted[-1]), t.number) for t in able if not t.stuck]
        found = [(late, away, number) for late, away, number in near if away is not None]
        if not found:
            return replace(guide, thread=None)
        taker = min(found)[2]
        taken_up = TraceGuide(guide.remaining[1:] if len(wanted) > 1 else guide.remaining, taker)
        return self._reachable_part(threads, taken_up)

    def _begins_part(self, guide: TraceGuide) -> bool:
        """Whether the part of the trace that the thread follows is over and another one begins."""
        return len(guide.remaining) > 1 and guide.remaining[0] in self.starts

    def _part(self, trace: AbstractTrace) -> AbstractTrace:
        """A trace up to where another thread has to go on."""
        for i in range(1, len(trace)):
            if trace[i] in self.starts:
                return trace[:i]
        return trace

    def _reachable_part(self, threads: ThreadedState, guide: TraceGuide) -> TraceGuide | None:
        assert guide.thread is not None
        thread = threads.threads[guide.thread]
        part = self._part(guide.remaining)
        for i in range(len(part)):
            if self.distance(thread, part[i]) is not None:
                return replace(guide, remaining=guide.remaining[i:])
        return None

    def distance(self, thread: Thread, location: int) -> int | None:
        """From where a thread is to a location, through calls and returns."""
        if thread.ended:
            return None
        return self.stack_distance(thread.location, thread.frame, location)

    def stack_distance(self, at: int, frame: ExecutionFrame, location: int) -> int | None:
        return self.distances.from_stack(at, tuple(stack_of(frame)), location)


def remaining_length(guides: Sequence[TraceGuide]) -> int:
    """How many locations are still to be reached, in all traces."""
    return sum(len(guide.remaining) for guide in guides)
