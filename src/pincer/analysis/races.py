"""Pairs of accesses that may race: same place, one of them a write, no lock in common, at the same time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from pincer.analysis.accesses import StaticAccess
from pincer.analysis.locks import HeldLock
from pincer.analysis.parallelism import Parallelism
from pincer.analysis.sharing import Sharing
from pincer.analysis.threads import AbstractThread, Threads
from pincer.logic.terms import Term
from pincer.program.memory_regions import ANYTHING, AbstractObject

Must = Mapping[AbstractThread, Mapping[int, frozenset[HeldLock]]]


class RacePair(Struct, frozen=True):
    """Two accesses and threads that may make them at the same time."""

    first: StaticAccess
    second: StaticAccess
    threads: tuple[AbstractThread, AbstractThread]


def race_pairs(threads: Threads, shared: Sharing, parallel: Parallelism, must: Must) -> Iterator[RacePair]:
    """All pairs, each unordered pair of accesses once, in the order of the program."""
    groups: dict[Term | AbstractObject, list[StaticAccess]] = {}
    for given in shared.accesses.values():
        for access in given:
            if shared.is_shared(access):
                for key in {access.register} if access.register else {r.pointer.object for r in access.regions}:
                    groups.setdefault(key, []).append(access)
    anywhere = groups.pop(ANYTHING, [])
    seen: set[tuple[int, int]] = set()
    for key, group in [*groups.items(), (ANYTHING, [])]:
        members = group if isinstance(key, Term) else group + [a for a in anywhere if a not in group]
        for i, first in enumerate(members):
            for second in members[i:]:
                if (id(first), id(second)) not in seen and _conflict(first, second):
                    seen.add((id(first), id(second)))
                    found = _threads(first, second, threads, parallel, must)
                    if found is not None:
                        yield RacePair(first, second, found)


def _conflict(first: StaticAccess, second: StaticAccess) -> bool:
    if not (first.write or second.write):
        return False
    return first.touches(second)


def _threads(
    first: StaticAccess, second: StaticAccess, threads: Threads, parallel: Parallelism, must: Must
) -> tuple[AbstractThread, AbstractThread] | None:
    """Two threads that may make the accesses at the same time."""
    for mine in threads.running[threads.calls.home(first.location)]:
        for theirs in threads.running[threads.calls.home(second.location)]:
            if parallel.may_happen_in_parallel(mine, first.location, theirs, second.location):
                held = must[mine].get(first.location), must[theirs].get(second.location)
                if held[0] is None or held[1] is None:
                    continue
                if not any(lock.excludes(other) for lock in held[0] for other in held[1]):
                    return mine, theirs
    return None
