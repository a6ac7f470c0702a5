"""A picture of which lock protects which data: at how many of its accesses each lock is certainly held."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from msgspec import Struct

from pincer.analysis.accesses import StaticAccess
from pincer.analysis.thread_facts import ThreadFacts
from pincer.logic.terms import Term
from pincer.program.memory_regions import ANYTHING, AbstractObject, AbstractPointer
from pincer.report.graph import EdgeKind, Graph, GraphEdge, GraphKind, GraphNode, kinds

_Data = Term | AbstractObject


class Protected(Struct, frozen=True):
    """Data that several threads use: its accesses, and how many of them are made with each lock held."""

    name: str
    accesses: int
    line: int
    held: tuple[tuple[str, int], ...]
    endangered: bool

    @property
    def is_locked(self) -> bool:
        """Whether some lock is held at every access."""
        return any(count == self.accesses for _, count in self.held)

    @property
    def sentence(self) -> str:
        """What people are told about it."""
        always = [lock for lock, count in self.held if count == self.accesses]
        if always:
            return f"{' and '.join(always)} is held at every access"
        if self.endangered:
            return "two threads may access it at the same time: see the warnings about races"
        return "no lock is held at every access; what orders the others is who starts and joins whom, or an atomic step"


def protection(facts: ThreadFacts) -> Graph:
    """Data and locks; an arrow from a lock to data that is accessed while it is held."""
    found = list(protected_data(facts))
    locks = {
        lock: f"l{number}" for number, lock in enumerate(sorted({name for data in found for name, _ in data.held}))
    }
    nodes = [GraphNode(number, (lock,), kinds(initial=True)) for lock, number in locks.items()]
    edges = []
    for number, data in enumerate(found):
        detail = (("accesses", str(data.accesses)), ("protected", data.sentence))
        told = (data.name,) if data.is_locked else (data.name, "no lock at every access")
        nodes.append(GraphNode(f"d{number}", told, line=data.line, detail=detail))
        for lock, count in data.held:
            label = "at every access" if count == data.accesses else f"at {count} of {data.accesses} accesses"
            kind = EdgeKind.MUST if count == data.accesses else EdgeKind.MAY
            edges.append(GraphEdge(locks[lock], f"d{number}", label, kind))
    return Graph("Locks and the data they protect", GraphKind.LOCK_ORDER, tuple(nodes), tuple(edges))


def protected_data(facts: ThreadFacts) -> Iterator[Protected]:
    """All data that threads share and somebody writes, by name."""
    groups: dict[_Data, list[StaticAccess]] = {}
    for given in facts.sharing.accesses.values():
        for access in given:
            if facts.sharing.is_shared(access):
                for data in _data(access):
                    groups.setdefault(data, []).append(access)
    suspects = {data for pair in facts.race_pairs for access in (pair.first, pair.second) for data in _data(access)}
    named = sorted(((_name(data), data) for data in groups), key=lambda item: item[0])
    for name, data in named:
        if any(access.write for access in groups[data]):
            yield _protected(facts, name, groups[data], data in suspects)


def _protected(facts: ThreadFacts, name: str, accesses: Iterable[StaticAccess], endangered: bool) -> Protected:
    held: Counter[str] = Counter()
    total, line = 0, 0
    for access in accesses:
        for thread in facts.threads.running[facts.threads.calls.home(access.location)]:
            total += 1
            line = line or access.edge.position.line
            locks = facts.must_held[thread].get(access.location, frozenset())
            held.update({_lock_name(lock.pointer) for lock in locks})
    return Protected(name, total, line, tuple(sorted(held.items())), endangered)


def _data(access: StaticAccess) -> set[_Data]:
    if access.register is not None:
        return {access.register}
    return {region.pointer.object for region in access.regions if region.pointer.object is not ANYTHING}


def _name(data: _Data) -> str:
    return str(data.args[0]) if isinstance(data, Term) else data.name


def _lock_name(pointer: AbstractPointer) -> str:
    return f"{pointer.object.name}+{pointer.offset}" if pointer.offset else pointer.object.name
