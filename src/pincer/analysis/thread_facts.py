"""All analyses of a threaded program, each computed when it is first asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from itertools import chain, islice

from msgspec import Struct

from pincer.analysis.call_graph import CallGraph, call_graph
from pincer.analysis.lock_order import LockCycle, LockWait, abandoned_locks, lock_cycles, waiting_sites
from pincer.analysis.locks import HeldLock
from pincer.analysis.locks_held import Taken, may_held, must_held
from pincer.analysis.parallelism import Parallelism, parallelism
from pincer.analysis.races import RacePair, race_pairs
from pincer.analysis.sharing import Sharing, sharing
from pincer.analysis.threads import AbstractThread, Threads, threads
from pincer.program.control_flow import ControlFlowProgram
from pincer.program.points_to import PointsTo, points_to

MOST_CYCLES = 1000
"""Cycles grow exponentially with the locks that analysis cannot tell apart. They are hints for a search: nothing is
concluded from the absence of one."""


class ThreadFacts(Struct, frozen=True, eq=False, dict=True):
    """What the analyses say about one program; `poll` is called often meanwhile, and may raise to end them."""

    program: ControlFlowProgram
    poll: Callable[[], None] = lambda: None

    @cached_property
    def pointers(self) -> PointsTo:
        return points_to(self.program, self.poll)

    @cached_property
    def calls(self) -> CallGraph:
        self.poll()
        return call_graph(self.program, self.pointers)

    @cached_property
    def threads(self) -> Threads:
        return threads(self.calls)

    @cached_property
    def parallelism(self) -> Parallelism:
        self.poll()
        return parallelism(self.threads, self.pointers)

    @cached_property
    def sharing(self) -> Sharing:
        self.poll()
        return sharing(self.threads, self.pointers)

    @cached_property
    def must_held(self) -> Mapping[AbstractThread, Mapping[int, frozenset[HeldLock]]]:
        self.poll()
        return must_held(self.threads, self.pointers)

    @cached_property
    def may_held(self) -> Mapping[AbstractThread, Mapping[int, frozenset[Taken]]]:
        self.poll()
        return may_held(self.threads, self.pointers)

    @cached_property
    def waiting_sites(self) -> tuple[LockWait, ...]:
        return waiting_sites(self.threads, self.pointers, self.must_held, self.may_held)

    @cached_property
    def lock_cycles(self) -> tuple[LockCycle, ...]:
        """Deadlock candidates, the shortest cycles first; where there are very many, only the first of them."""
        abandoned = abandoned_locks(self.threads, self.pointers, self.must_held, self.may_held)
        cycles = lock_cycles(self.waiting_sites, self.parallelism, self.poll)
        return tuple(islice(chain(cycles, abandoned), MOST_CYCLES))

    @cached_property
    def race_pairs(self) -> tuple[RacePair, ...]:
        found = []
        for pair in race_pairs(self.threads, self.sharing, self.parallelism, self.must_held):
            self.poll()
            found.append(pair)
        return tuple(found)
