"""Which objects and registers more than one thread may use.

An allocated object whose address never leaves the registers and private objects of its thread is private, however many
threads run the code that allocates it. All other objects are shared as soon as two threads may use them. Where a number
of unknown origin is used as an address, no object is private.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from pincer.analysis.accesses import StaticAccess, accesses
from pincer.analysis.threads import AbstractThread, Threads
from pincer.logic.terms import Term
from pincer.program.control_flow import Edge
from pincer.program.graphs import reachable
from pincer.program.memory_regions import ANYTHING, AbstractObject, AbstractPointer
from pincer.program.points_to import PointsTo
from pincer.program.registers import is_local
from pincer.program.thread_labels import ThreadOperation


class Sharing(Struct, frozen=True, eq=False):
    """`accesses` are those of all edges that may be executed, to anything that is not private."""

    objects: frozenset[AbstractObject]
    registers: frozenset[Term]
    accesses: Mapping[Edge, tuple[StaticAccess, ...]]

    def is_shared(self, access: StaticAccess) -> bool:
        """Whether an access may concern what several threads use."""
        if access.register is not None:
            return access.register in self.registers
        return any(region.pointer.object in self.objects or _anything(region.pointer) for region in access.regions)


def sharing(threads: Threads, pointers: PointsTo) -> Sharing:
    """What is shared in a program."""
    made: dict[Edge, list[StaticAccess]] = {}
    running: dict[Edge, tuple[AbstractThread, ...]] = {}
    for name, procedure in threads.calls.program.procedures.items():
        for edge in procedure.edges:
            if name in threads.running and edge.source in pointers.reached:
                made[edge], running[edge] = list(accesses(edge, pointers)), threads.running[name]
    forged = any(_anything(region.pointer) for given in made.values() for a in given for region in a.regions)
    escaped = frozenset(pointers.objects) if forged else escaping(pointers)
    private = {target for target in pointers.objects if target.kind == "allocated" and target not in escaped}
    users: dict[Term | AbstractObject, set[AbstractThread]] = {}
    found: dict[Edge, tuple[StaticAccess, ...]] = {}
    for edge, given in made.items():
        kept = tuple(_visible(given, private))
        if kept:
            found[edge] = kept
        for access in kept:
            for key in _keys(access):
                users.setdefault(key, set()).update(running[edge])
    everywhere = users.pop(ANYTHING, set())
    objects = [target for target in pointers.objects if target not in private and target.kind != "function"]
    return Sharing(
        frozenset(target for target in objects if _several(users.get(target, set()) | everywhere)),
        frozenset(key for key, by in users.items() if isinstance(key, Term) and _several(by)),
        found,
    )


def _several(users: set[AbstractThread]) -> bool:
    return len(users) > 1 or any(user.several for user in users)


def _anything(pointer: AbstractPointer) -> bool:
    return pointer.object is ANYTHING


def _visible(given: Iterable[StaticAccess], private: set[AbstractObject]) -> Iterable[StaticAccess]:
    for access in given:
        if access.register is not None:
            yield access
            continue
        regions = tuple(region for region in access.regions if region.pointer.object not in private)
        if regions:
            yield StaticAccess(access.edge, None, regions, access.write)


def _keys(access: StaticAccess) -> Iterable[Term | AbstractObject]:
    if access.register is not None:
        return (access.register,)
    return {region.pointer.object for region in access.regions}


def escaping(pointers: PointsTo) -> frozenset[AbstractObject]:
    """The objects another thread may get at: through global registers, objects with fixed addresses, arguments and
    results of threads, and whatever these point to. Numbers of unknown origin are left aside: where one is used as an
    address, nothing is private any more (`sharing` sees to that)."""
    roots = set(pointers.everywhere | pointers.results)
    for register, values in pointers.values.items():
        if not is_local(register):
            roots |= values
    for edge in pointers.program.edges():
        if isinstance(edge.label, ThreadOperation) and edge.source in pointers.reached:
            roots.update(pointer for term in edge.label.passed for pointer in pointers.value(term))
    found = {pointer.object for pointer in roots}
    found |= {target for target in pointers.objects if target.kind in ("static", "local")}

    def held(target: AbstractObject) -> Iterator[AbstractObject]:
        return (pointer.object for cell in pointers.contents.get(target, {}).values() for pointer in cell)

    return frozenset(reachable(found, held) - {ANYTHING})
