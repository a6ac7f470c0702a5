"""Claims that exclude deadlocks.

*Order*: whoever waits for a lock, or for the end of a thread, holds only what ranks strictly lower; its own end counts
as held by a thread, and at its end it holds nothing. So who waits for whom ascends in rank: there is no circle, and
where nothing but locks and ends is waited for, no standstill.

*Standstill*: where threads wait for signals or permits, every combination of places at which all of them might be
blocked, one of them so, contradicts the outline. Only single threads may wait like that.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Literal

from msgspec import Struct

from pincer.errors import PincerError
from pincer.evidence.c_proof.smt import Node
from pincer.evidence.thread_proof import leaves
from pincer.evidence.thread_proof.leaves import ThreadStatus
from pincer.evidence.thread_proof.obligations import Claim, ClaimWriter
from pincer.evidence.thread_proof.outline import Order
from pincer.evidence.thread_proof.states import View
from pincer.logic.terms import Term
from pincer.program.control_flow import Label
from pincer.program.thread_labels import Exit, Join, Lock, Once, Patience, SemaphoreWait, SyncKind, Wait
from pincer.program.threaded_system import EndThread, Move, Perform, Place, UnfoldedThread

MOST_COMBINATIONS = 4096
"""Combinations of places at which all threads might be blocked."""


class Blocking(Struct, frozen=True):
    """A move that may have to wait: for a lock at an address, for the end of a thread (a term), or for what no thread
    holds (a signal, a permit). After a wait for a signal, the mutex is waited for as well."""

    thread: UnfoldedThread
    move: Move
    kind: Literal["lock", "join", "signal", "permit"]
    lock: int = 0
    joined: Term | None = None


def blocking_move(claims: ClaimWriter, thread: UnfoldedThread, move: Move) -> Blocking | None:
    """What a move may wait for."""
    action = move.actions[0]
    label: Label | None = action.label if isinstance(action, Perform) else None
    address = claims.writer.library.objects.address
    match label:
        case Lock(lock=lock, patience=Patience.FOR_EVER):
            return Blocking(thread, move, "lock", address(lock))
        case Join(thread=joined, patience=Patience.FOR_EVER):
            return Blocking(thread, move, "join", joined=joined)
        case Wait(lock=lock) if isinstance(action, Perform) and action.half == "resume":
            return Blocking(thread, move, "signal", address(lock))
        case SemaphoreWait(patience=Patience.FOR_EVER):
            return Blocking(thread, move, "permit")
        case Once():
            raise PincerError("pthread_once is not followed in proofs about deadlocks", move.position)
    return None


class DeadlockClaims:
    """The claims about waiting of one program."""

    def __init__(self, claims: ClaimWriter) -> None:
        self._claims = claims
        self._script = claims.script
        self._before = claims.encoder.before
        self._order = claims.outline.order or Order()
        objects = claims.writer.library.objects
        self.locks = objects.of(SyncKind.MUTEX, SyncKind.SPIN_LOCK)
        self.read_write = objects.of(SyncKind.READ_WRITE_LOCK)
        self.blocking = [
            found
            for thread in claims.system.threads
            for move in thread.moves
            if (found := blocking_move(claims, thread, move)) is not None
        ]

    def _rank(self, lock: int) -> int:
        if lock not in self._order.locks:
            raise PincerError(f"the proof gives no rank to the lock at {lock}")
        return self._order.locks[lock]

    def _end_rank(self, thread: UnfoldedThread) -> int:
        if thread.number not in self._order.threads:
            raise PincerError(f"the proof gives no rank to the end of thread {thread.number}")
        return self._order.threads[thread.number]

    def _constant(self, value: int) -> Node:
        return self._script.constant(value, self._claims.encoder.bits)

    def held(self, lock: int, view: View) -> Node:
        """That a thread holds a lock."""
        script, tables = self._script, self._before.tables
        address, parts = self._constant(lock), []
        if lock in self.locks:
            parts.append(script.equal(tables[leaves.OWNER.name].at(address), view.id))
        if lock in self.read_write:
            reads = tables[leaves.READS.name].at(self._claims.encoder.index(view.id, address))
            parts.append(script.equal(tables[leaves.WRITER.name].at(address), view.id))
            parts.append(script.negation(script.equal(reads, script.constant(0, reads.width))))
        return script.disjunction(parts)

    def ordered(self) -> Iterator[Claim]:
        """Who waits holds only what ranks lower."""
        for found in self.blocking:
            view = self._claims.encoder.view("me", found.thread)
            if found.kind == "join":
                for other in self._claims.system.threads:
                    yield from self._above(found, view, self._end_rank(other), self.is_joined(found, other, view))
            elif found.kind != "permit":
                yield from self._above(found, view, self._rank(found.lock), self._script.true)
        yield from self._nothing_held()

    def is_joined(self, found: Blocking, other: UnfoldedThread, view: View) -> Node:
        """That a thread waits for the end of another."""
        script, encoder = self._script, self._claims.encoder
        assert found.joined is not None
        value = encoder.encode(found.joined, self._before, view)
        live = script.constant(ThreadStatus.LIVE, 8)
        alive = script.equal(self._before.tables[leaves.STATUS.name].at(value), live)
        singles = [encoder.single(thread.number) for thread in self._claims.system.threads if not thread.several]
        if not other.several:
            return script.conjunction((alive, script.equal(value, encoder.single(other.number))))
        return script.conjunction((alive, *(script.negation(script.equal(value, single)) for single in singles)))

    def _above(self, found: Blocking, view: View, rank: int, wanted: Node) -> Iterator[Claim]:
        script, position = self._script, found.move.position
        known = self._claims.known((found.thread, found.move.source, view))
        there = ((found.thread.number, found.move.source, view.who),)
        if self._end_rank(found.thread) >= rank:
            text = "what is waited for here does not rank above the end of the thread itself"
            yield Claim("harmless", text, position, known, wanted, there=there)
        for held in dict.fromkeys((*self.locks, *self.read_write)):
            if held == found.lock or self._rank(held) >= rank:
                guard = script.conjunction((wanted, self.held(held, view)))
                if not guard.is_false:
                    text = f"the lock at {held} may be held here, and does not rank below what is waited for"
                    yield Claim("harmless", text, position, known, guard, there=there)

    def _nothing_held(self) -> Iterator[Claim]:
        """At its end a thread holds no lock. The end of the main procedure is that of the program."""
        for thread in self._claims.system.threads:
            for move in thread.moves:
                last = move.actions[-1]
                exits = isinstance(last, Perform) and isinstance(last.label, Exit)
                if exits or (isinstance(last, EndThread) and thread.number):
                    view = self._claims.encoder.view("me", thread)
                    known = self._claims.known((thread, move.source, view))
                    for lock in dict.fromkeys((*self.locks, *self.read_write)):
                        text = f"the lock at {lock} may be held at the end of the thread"
                        there = ((thread.number, move.source, view.who),)
                        yield Claim("harmless", text, move.position, known, self.held(lock, view), there=there)

    def standstill(self) -> Iterator[Claim]:
        """Not all threads are blocked while one of them waits for a signal or a permit."""
        waiting = [found for found in self.blocking if found.kind in ("signal", "permit")]
        if not waiting:
            return
        if any(found.thread.several for found in waiting):
            raise PincerError("several threads that wait for signals or permits are not followed in proofs")
        singles = [thread for thread in self._claims.system.threads if not thread.several]
        options = [self._options(thread) for thread in singles]
        count = 1
        for found in options:
            count *= len(found)
        if count > MOST_COMBINATIONS:
            raise PincerError(f"more than {MOST_COMBINATIONS} combinations of places at which threads may be blocked")
        for combination in product(*options):
            if any(found is not None and found.kind in ("signal", "permit") for found in combination):
                yield self._combined(singles, combination)

    def _options(self, thread: UnfoldedThread) -> list[Blocking | None]:
        """Where a thread may be blocked; None if it does not live."""
        return [None, *(found for found in self.blocking if found.thread is thread)]

    def _combined(self, threads: list[UnfoldedThread], combination: tuple[Blocking | None, ...]) -> Claim:
        script, encoder = self._script, self._claims.encoder
        live = script.constant(ThreadStatus.LIVE, 8)
        status = self._before.tables[leaves.STATUS.name]
        there: list[tuple[UnfoldedThread, Place, View]] = []
        blocked: list[Node] = []
        for thread, found in zip(threads, combination, strict=True):
            view = encoder.view(f"thread {thread.number}", thread)
            if found is None:
                blocked.append(script.negation(script.equal(status.at(view.id), live)))
            else:
                there.append((thread, found.move.source, view))
                blocked.append(self._blocked(found, view))
        places = " and ".join(f"{thread.routine.name} at {place}" for thread, place, _ in there)
        first = next(found for found in combination if found is not None)
        text = f"all threads may be blocked: {places}"
        guard = script.conjunction(blocked)
        named = tuple((thread.number, place, view.who) for thread, place, view in there)
        return Claim("harmless", text, first.move.position, self._claims.known(*there), guard, there=named)

    def _blocked(self, found: Blocking, view: View) -> Node:
        """That a move cannot be made. A wait that may end by itself still counts as blocked, a timed one never does."""
        script = self._script
        action = found.move.actions[0]
        steps = self._claims.writer.steps(found.thread, found.move, view)
        possible = script.disjunction(step.guard for step in steps)
        if isinstance(action, Perform) and isinstance(action.label, Wait) and action.label.limit is not None:
            condition = self._claims.writer.library.objects.address(action.label.condition)
            index = self._claims.encoder.index(view.id, self._constant(condition))
            waits = self._before.tables[leaves.WAITS.name].at(index)
            awake = script.equal(waits, script.constant(0, waits.width))
            return script.conjunction((awake, script.negation(possible)))
        if isinstance(action, Perform) and isinstance(action.label, Join):
            value = self._claims.encoder.encode(action.label.thread, self._before, view)
            live = script.constant(ThreadStatus.LIVE, 8)
            return script.equal(self._before.tables[leaves.STATUS.name].at(value), live)
        return script.negation(possible)
