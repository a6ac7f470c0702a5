"""The threads a program may have, as creation sites, and what runs at most once."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from msgspec import Struct

from pincer.analysis.call_graph import CallGraph, CallSite
from pincer.program.control_flow import Edge, Procedure
from pincer.program.graphs import on_cycles
from pincer.program.memory_regions import AbstractObject
from pincer.program.registers import is_thread_object


class AbstractThread(Struct, frozen=True, eq=False):
    """The main thread (`site` None), or all threads that one site starts with one routine.

    `several`: more than one of them may exist. `procedures` are those it may run.
    """

    routine: str
    site: CallSite | None
    several: bool
    procedures: frozenset[str]

    def __repr__(self) -> str:
        where = "" if self.site is None else f" of line {self.site.edge.position.line}"
        return f"<thread {self.routine}{where}>"


class Threads(Struct, frozen=True, eq=False, dict=True):
    """All threads; the first is the main thread."""

    calls: CallGraph
    all: tuple[AbstractThread, ...]

    @cached_property
    def running(self) -> Mapping[str, tuple[AbstractThread, ...]]:
        """The threads that may run each procedure."""
        found: dict[str, list[AbstractThread]] = {}
        for thread in self.all:
            for name in thread.procedures:
                found.setdefault(name, []).append(thread)
        return {name: tuple(threads) for name, threads in found.items()}

    def parents(self, thread: AbstractThread) -> tuple[AbstractThread, ...]:
        """The threads that may start a thread."""
        return () if thread.site is None else self.running.get(thread.site.caller, ())

    @cached_property
    def _thread_local(self) -> frozenset[int]:
        """Addresses of objects that every thread has its own copy of: a register of the thread holds the address."""
        initial = self.calls.program.initial
        return frozenset(address for register, address in initial.items() if is_thread_object(register))

    def is_single(self, target: AbstractObject) -> bool:
        """Whether an abstract object is one object: its address is then the same whenever it is met."""
        if target.kind in ("static", "local", "function"):
            return target.address not in self._thread_local
        if target.site is None or target.kind == "anything":
            return False
        return runs_once(self.calls, self.calls.home(target.site.source), target.site)


def threads(calls: CallGraph) -> Threads:
    """The main thread and one abstract thread for each creation site and routine."""
    main = calls.program.entry
    found = [AbstractThread(main, None, False, frozenset(calls.within_thread(main)))]
    for site in calls.creations:
        several = not runs_once(calls, site.caller, site.edge)
        found.append(AbstractThread(site.callee, site, several, frozenset(calls.within_thread(site.callee))))
    return Threads(calls, tuple(found))


def runs_once(calls: CallGraph, procedure: str, edge: Edge) -> bool:
    """Whether an edge of a procedure is executed at most once in every execution, by all threads together."""
    seen: set[str] = set()
    while True:
        if procedure in seen or edge.source in _cyclic_locations(calls.program.procedures[procedure]):
            return False
        seen.add(procedure)
        sites = calls.to_procedure.get(procedure, ())
        if procedure == calls.program.entry:
            return not sites
        if len(sites) != 1:
            return not sites
        procedure, edge = sites[0].caller, sites[0].edge


def _cyclic_locations(procedure: Procedure) -> set[int]:
    return on_cycles(procedure.outgoing, procedure.following)
