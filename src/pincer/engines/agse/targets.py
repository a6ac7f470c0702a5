"""Target sets: locations that threads should be at together for an error to happen.

In order of confidence: what the user asks for, assertions, deadlock cycles, races. Each is only a candidate until an
execution confirms it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from pincer.analysis.accesses import StaticAccess
from pincer.analysis.lock_order import LockCycle
from pincer.analysis.thread_facts import ThreadFacts
from pincer.program.control_flow import Check, Edge, Fail
from pincer.program.property import PropertyKind
from pincer.program.thread_labels import BarrierWait, Meet, Patience, SemaphoreWait, Wait

TargetKind = Literal["user", "assertion", "deadlock", "race"]


class TargetSet(Struct, frozen=True):
    """One thread for each of `edges`, at the location the edge leaves, all at the same time.

    For a race, `accesses` are the two accesses; for a deadlock, `cycle` tells who waits for what.
    """

    kind: TargetKind
    edges: tuple[Edge, ...]
    description: str
    accesses: tuple[StaticAccess, StaticAccess] | None = None
    cycle: LockCycle | None = None

    @property
    def locations(self) -> tuple[int, ...]:
        """L_t of the paper, once for each thread."""
        return tuple(edge.source for edge in self.edges)


def target_sets(facts: ThreadFacts, property: PropertyKind) -> tuple[TargetSet, ...]:
    """The target sets for a property."""
    match property:
        case "assertions":
            return (*_user_targets(facts), *_assertion_targets(facts))
        case "deadlock":
            return (*_deadlock_targets(facts), *_wait_targets(facts))
        case "race":
            return tuple(_race_targets(facts))
    return tuple(_check_targets(facts))


def _user_targets(facts: ThreadFacts) -> Iterator[TargetSet]:
    """The lines that are marked in the program make one set, if threads can come to all of them."""
    edges: list[Edge] = []
    wanted = 0
    for edge in _reached(facts):
        if isinstance(edge.label, Meet):
            edges += [edge] * edge.label.needed[edge.label.place]
            wanted = sum(edge.label.needed)
    if edges and len(edges) == wanted:
        yield TargetSet("user", tuple(edges), " and ".join(f"line {edge.position.line} is reached" for edge in edges))


def _reached(facts: ThreadFacts) -> Iterator[Edge]:
    return (edge for edge in facts.program.edges() if edge.source in facts.pointers.reached)


def _assertion_targets(facts: ThreadFacts) -> Iterator[TargetSet]:
    """Every failure that can be reached, by itself."""
    for edge in _reached(facts):
        if isinstance(edge.label, Fail):
            yield TargetSet("assertion", (edge,), edge.label.message)


def _deadlock_targets(facts: ThreadFacts) -> Iterator[TargetSet]:
    """Every cycle of the lock-order graph, each set of acquisition sites once."""
    seen: set[tuple[int, ...]] = set()
    for cycle in facts.lock_cycles:
        key = tuple(sorted(site.source for site in cycle.sites))
        if key not in seen:
            seen.add(key)
            yield TargetSet("deadlock", cycle.sites, _waiting_text(cycle), cycle=cycle)


def _waiting_text(cycle: LockCycle) -> str:
    if len(cycle.members) == 1:
        return f"a thread waits for ever in line {cycle.sites[0].position.line}"
    lines = list(dict.fromkeys(str(site.position.line) for site in cycle.sites))
    return f"threads wait for each other in {'line' if len(lines) == 1 else 'lines'} {', '.join(lines)}"


def _race_targets(facts: ThreadFacts) -> Iterator[TargetSet]:
    """Every pair of accesses that may race, each pair of locations once, writes against writes first."""
    pairs = sorted(facts.race_pairs, key=lambda pair: pair.first.write + pair.second.write, reverse=True)
    seen: set[frozenset[int]] = set()
    for pair in pairs:
        key = frozenset((pair.first.location, pair.second.location))
        if key not in seen:
            seen.add(key)
            edges = (pair.first.edge, pair.second.edge)
            lines = f"lines {edges[0].position.line} and {edges[1].position.line}"
            name = _place(pair.first)
            yield TargetSet("race", edges, f"{lines} access {name} at the same time", (pair.first, pair.second))


def _place(access: StaticAccess) -> str:
    if access.register is not None:
        return str(access.register)
    names = sorted({region.pointer.object.name for region in access.regions})
    return " or ".join(names)


def _wait_targets(facts: ThreadFacts) -> Iterator[TargetSet]:
    """Waiting for what others have to do. A thread is to come there, and to wait when nobody else can go on: so a
    signal that was sent too early, or one that never comes, is found, though no locks make a cycle."""
    for edge in _reached(facts):
        match edge.label:
            case Wait(limit=None) | BarrierWait() | SemaphoreWait(patience=Patience.FOR_EVER):
                yield TargetSet("assertion", (edge,), f"a thread waits for ever in line {edge.position.line}")


def _check_targets(facts: ThreadFacts) -> Iterator[TargetSet]:
    """Every check that can be reached, by itself; those of pointers first."""
    checks = [(edge, edge.label) for edge in _reached(facts) if isinstance(edge.label, Check)]
    for edge, check in sorted(checks, key=lambda found: found[1].kind not in ("dereference", "free")):
        yield TargetSet("assertion", (edge,), check.message)
