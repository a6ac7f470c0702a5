"""The dataflow under locks held: what each procedure has given up and taken since its entry, and each thread holds."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from pincer.analysis.locks import Named, named_lock
from pincer.analysis.threads import AbstractThread, Threads
from pincer.logic.terms import Term
from pincer.program.control_flow import Call, Edge, Procedure
from pincer.program.labels import written_register
from pincer.program.memory_regions import Pointer
from pincer.program.points_to import PointsTo

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Change(Generic[Item]):
    """What happened since the entry of a procedure."""

    removed: frozenset[Pointer]
    added: frozenset[Item]


class LockFlow(ABC, Generic[Item]):
    """Changes at all locations of all procedures, to a fixpoint, and from them what each thread holds."""

    def __init__(self, threads: Threads, pointers: PointsTo) -> None:
        self.threads, self.pointers = threads, pointers
        self.calls = threads.calls
        self.names: dict[Term, Named] = {}
        self.whole: dict[str, Change[Item] | None] = dict.fromkeys(self.calls.program.procedures)
        self.within: dict[str, dict[int, Change[Item]]] = {}
        changed = True
        while changed:
            changed = False
            for name, procedure in self.calls.program.procedures.items():
                self.within[name] = self._locations(procedure)
                end = self.within[name].get(procedure.exit)
                if end != self.whole[name]:
                    self.whole[name], changed = end, True

    def held(
        self, starts: Mapping[AbstractThread, frozenset[Item]]
    ) -> dict[AbstractThread, dict[int, frozenset[Item]]]:
        return {thread: self._held_by(thread, start) for thread, start in starts.items()}

    def _held_by(self, thread: AbstractThread, start: frozenset[Item]) -> dict[int, frozenset[Item]]:
        entries = {thread.routine: start}
        waiting = [thread.routine]
        while waiting:
            name = waiting.pop()
            for site in self.calls.from_procedure.get(name, ()):
                change = self.within[name].get(site.edge.source)
                if site.kind != "call" or change is None:
                    continue
                passed = self._outside(self.applied(entries[name], change))
                known = entries.get(site.callee)
                after = passed if known is None else self.meet_added(known, passed)
                if after != known:
                    entries[site.callee] = after
                    waiting.append(site.callee)
        return {
            at: self.applied(entry, change)
            for name, entry in entries.items()
            for at, change in self.within[name].items()
        }

    def applied(self, held: frozenset[Item], change: Change[Item]) -> frozenset[Item]:
        return frozenset(item for item in held if not self.is_removed(item, change.removed)) | change.added

    def _locations(self, procedure: Procedure) -> dict[int, Change[Item]]:
        found: dict[int, Change[Item]] = {procedure.entry: Change(frozenset(), frozenset())}
        waiting = [procedure.entry]
        while waiting:
            location = waiting.pop()
            for edge in procedure.outgoing.get(location, ()):
                if edge.source not in self.pointers.reached:
                    continue
                after = self._after(edge, found[location])
                if after is None:
                    continue
                known = found.get(edge.target)
                joined = after if known is None else self._joined(known, after)
                if joined != known:
                    found[edge.target] = joined
                    waiting.append(edge.target)
        return found

    def _joined(self, left: Change[Item], right: Change[Item]) -> Change[Item]:
        return Change(self.meet_removed(left.removed, right.removed), self.meet_added(left.added, right.added))

    def _after(self, edge: Edge, before: Change[Item]) -> Change[Item] | None:
        """None while a callee is not known to return."""
        change = self._registers(edge, before)
        called = [self.whole[site.callee] for site in self.calls.at_edge.get(edge, ()) if site.kind == "call"]
        if not called:
            return self.operate(edge, change)
        known = [self._then(change, summary) for summary in called if summary is not None]
        if not isinstance(edge.label, Call):
            known.append(self.operate(edge, change))
        if not known:
            return None
        result = known[0]
        for other in known[1:]:
            result = self._joined(result, other)
        return result

    def _then(self, first: Change[Item], second: Change[Item]) -> Change[Item]:
        kept = self.applied(first.added, Change(second.removed, self._outside(second.added)))
        return Change(first.removed | second.removed, kept)

    def _outside(self, items: frozenset[Item]) -> frozenset[Item]:
        seen = (self.outside(item) for item in items)
        return frozenset(item for item in seen if item is not None)

    def _registers(self, edge: Edge, before: Change[Item]) -> Change[Item]:
        register = written_register(edge.label)
        if register is None or not before.added:
            return before
        kept = (self.reassigned(item, register) for item in before.added)
        return Change(before.removed, frozenset(item for item in kept if item is not None))

    def named(self, term: Term) -> Named:
        known = self.names.get(term)
        if known is None:
            known = self.names[term] = named_lock(term, self.threads, self.pointers)
        return known

    @abstractmethod
    def meet_removed(self, left: frozenset[Pointer], right: frozenset[Pointer]) -> frozenset[Pointer]:
        """What two paths to a location have both, or either, given up."""

    @abstractmethod
    def meet_added(self, left: frozenset[Item], right: frozenset[Item]) -> frozenset[Item]:
        """What two paths to a location have both, or either, taken."""

    @abstractmethod
    def is_removed(self, item: Item, removed: frozenset[Pointer]) -> bool:
        """Whether an item is no longer held after locks were given up."""

    @abstractmethod
    def operate(self, edge: Edge, before: Change[Item]) -> Change[Item]:
        """The effect of an edge that is not a call."""

    @abstractmethod
    def outside(self, item: Item) -> Item | None:
        """An item seen from another procedure, whose registers are not those of this one."""

    @abstractmethod
    def reassigned(self, item: Item, register: Term) -> Item | None:
        """An item after a register got a new value."""
