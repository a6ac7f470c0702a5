"""The dataflow under facts about threads: what happens in each procedure since its entry, and so in each thread.

A summary of a procedure says what its callers see of it; calls are replaced by the summaries of what they call, to a
fixpoint. From there each thread goes through the procedures that it runs.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import reduce
from typing import Generic, TypeVar

from pincer.analysis.dataflow import forward
from pincer.analysis.threads import AbstractThread, Threads
from pincer.program.control_flow import Call, Edge
from pincer.program.points_to import PointsTo

Since = TypeVar("Since")
"""What has happened since the entry of a procedure, or the start of a thread."""


class ThreadFlow(ABC, Generic[Since]):
    """What has happened at all locations of all procedures, to a fixpoint, and from that for each thread."""

    def __init__(self, threads: Threads, pointers: PointsTo, start: Since) -> None:
        self.threads, self.pointers, self.start = threads, pointers, start
        self.calls = threads.calls
        self.whole: dict[str, Since | None] = dict.fromkeys(self.calls.program.procedures)
        self.within: dict[str, dict[int, Since]] = {}
        changed = True
        while changed:
            changed = False
            for name, procedure in self.calls.program.procedures.items():
                self.within[name] = forward(procedure, self.start, self._after, self.joined)
                end = self.within[name].get(procedure.exit)
                if end != self.whole[name]:
                    self.whole[name], changed = end, True

    def of_thread(self, thread: AbstractThread, start: Since) -> dict[int, Since]:
        """What has happened at all locations of a thread, which begins after `start`."""
        entries = {thread.routine: start}
        waiting = [thread.routine]
        while waiting:
            name = waiting.pop()
            for site in self.calls.from_procedure.get(name, ()):
                before = self.within[name].get(site.edge.source)
                if site.kind != "call" or before is None:
                    continue
                arriving = self.outside(self.then(entries[name], before))
                known = entries.get(site.callee)
                after = arriving if known is None else self.joined(known, arriving)
                if after != known:
                    entries[site.callee] = after
                    waiting.append(site.callee)
        return {at: self.then(entry, here) for name, entry in entries.items() for at, here in self.within[name].items()}

    def _after(self, edge: Edge, before: Since) -> Since | None:
        """None while a callee is not known to return. An operation that may call something need not."""
        if edge.source not in self.pointers.reached:
            return None
        change = self.assigned(edge, before)
        called = [self.whole[site.callee] for site in self.calls.at_edge.get(edge, ()) if site.kind == "call"]
        known = [self.then(change, self.outside(summary)) for summary in called if summary is not None]
        if not isinstance(edge.label, Call):
            known.append(self.operate(edge, change))
        return reduce(self.joined, known) if known else None

    @abstractmethod
    def joined(self, left: Since, right: Since) -> Since:
        """What has happened on either of two paths."""

    @abstractmethod
    def then(self, first: Since, second: Since) -> Since:
        """What has happened after one thing and then another."""

    @abstractmethod
    def operate(self, edge: Edge, before: Since) -> Since:
        """The effect of an edge that is not a call."""

    def assigned(self, edge: Edge, before: Since) -> Since:
        """The effect of a new value in the register that an edge assigns, if there is one."""
        return before

    def outside(self, since: Since) -> Since:
        """The same, seen from another procedure, whose registers are not those of this one."""
        return since
