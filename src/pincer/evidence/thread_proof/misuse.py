"""Misuse of the threads library, as formulas: what an operation must not meet where memory is asked about.

Locks and conditions have to be static, and to begin as their static initialisers make them, so that they are there
whenever they are used; semaphores and spin locks are made by `main` before it starts a thread. What else may be
misused (ends of objects, detached threads, attributes) is refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from pincer.errors import PincerError
from pincer.evidence.c_proof.smt import Node
from pincer.evidence.thread_proof import leaves
from pincer.evidence.thread_proof.leaves import LeafKind, ThreadStatus
from pincer.evidence.thread_proof.states import State, ThreadEncoder, Turn, View
from pincer.evidence.thread_proof.sync_objects import SyncObjects, operations, used_objects
from pincer.logic.terms import Term
from pincer.program.thread_labels import (
    NUMBER_BYTES,
    Exit,
    Initialise,
    Join,
    Lock,
    Once,
    OnceDone,
    Post,
    SameThread,
    Self,
    SemaphoreValue,
    SemaphoreWait,
    Signal,
    Start,
    SyncKind,
    ThreadOperation,
    Unlock,
    Wait,
    Yield,
)
from pincer.program.threaded_system import Move, Perform, Place, UnfoldedThread

_MADE_BY_CALLS = (SyncKind.SEMAPHORE, SyncKind.SPIN_LOCK)
"""What has no static initialiser."""


class Misuse:
    """What operations of one program must not meet. Raises PincerError for uses that are not followed."""

    def __init__(self, encoder: ThreadEncoder, objects: SyncObjects) -> None:
        self._encoder = encoder
        self._script = encoder.script
        self._objects = objects
        self._system = encoder.system
        layout = encoder.program.layout
        self._slot = layout.slot
        self._static = {item.address: item for item in encoder.program.objects}

    def of(self, turn: Turn, label: ThreadOperation, half: str, state: State) -> Node:
        """That an operation, or one half of it, is misused in a state."""
        me, move = turn.me, turn.move
        for kind, term in used_objects(label):
            self._lasts(kind, term)
            if kind in _MADE_BY_CALLS and not isinstance(label, Initialise):
                self._is_made(turn.thread, move, self._objects.address(term))
        match label:
            case Lock(limit=None) | Signal() | Once() | OnceDone() | Post() | SemaphoreWait(limit=None):
                return self._script.false
            case Self() | SameThread() | Yield() | Exit():
                return self._script.false
            case Unlock():
                return self._script.negation(self._holds(label.kind, label.lock, state, me))
            case Wait(limit=None):
                self._has_one_lock(label)
                held = self._holds(SyncKind.MUTEX, label.lock, state, me)
                return self._script.negation(held) if half == "release" else self._script.false
            case Start() if self._is_null(label.attributes):
                return self._no_room(label.thread, self._encoder.bits // 8, state, me)
            case SemaphoreValue():
                return self._no_room(label.target, NUMBER_BYTES, state, me)
            case Initialise() if label.attributes is None or self._is_null(label.attributes):
                return self._not_fresh(label, state)
            case Join():
                return self._not_joined_so(label, state, me)
        raise PincerError(f"what {label.function} must not meet is not followed", move.position)

    def _is_null(self, term: Term) -> bool:
        return term.op == "bvconst" and term.args[0] == 0

    def _at(self, state: State, kind: LeafKind, *index: Node) -> Node:
        return state.tables[kind.name].at(self._encoder.index(*index))

    def _is(self, node: Node, value: int) -> Node:
        return self._script.equal(node, self._script.constant(value, node.width))

    def _lasts(self, kind: SyncKind, term: Term) -> None:
        """An object of the library has to be there from the beginning to the end."""
        address = self._objects.address(term)
        start = address - address % self._slot
        item = self._static.get(start)
        size = dict(self._objects.spans)[address]
        if item is None or item.read_only or address - start + size > item.size:
            raise PincerError(f"a {kind.value} that is not static is not followed in proofs about memory")
        beside = (other for other in self._objects.kinds_and_addresses if other != (kind, address))
        if any(address < other + dict(self._objects.spans)[other] and other < address + size for _, other in beside):
            raise PincerError(f"a {kind.value} shares bytes with another object of the threads library")

    def _is_made(self, thread: UnfoldedThread, move: Move, address: int) -> None:
        """Semaphores and spin locks are made before anybody uses them."""
        main = self._system.threads[0]
        before = self._made.get(move.source, frozenset()) if thread is main else self._made_before_starts
        if address not in before:
            raise PincerError("an object of the threads library may be used before it is initialised", move.position)

    @cached_property
    def _made(self) -> dict[Place, frozenset[int]]:
        """What the main thread has surely initialised at each of its places."""
        main = self._system.threads[0]
        found: dict[Place, frozenset[int]] = {main.entry: frozenset()}
        waiting = [main.entry]
        while waiting:
            place = waiting.pop()
            for move in main.outgoing[place]:
                if move.target is None:
                    continue
                after = found[place] | frozenset(map(self._objects.address, _initialised(move)))
                both = after & found.get(move.target, after)
                if found.get(move.target) != both:
                    found[move.target] = both
                    waiting.append(move.target)
        return found

    @cached_property
    def _made_before_starts(self) -> frozenset[int]:
        main = self._system.threads[0]
        starts = [move.source for move in main.moves if any(isinstance(label, Start) for label in _performed(move))]
        return frozenset.intersection(*(self._made.get(place, frozenset()) for place in starts))

    def _holds(self, kind: SyncKind, lock: Term, state: State, me: View) -> Node:
        script = self._script
        address = script.constant(self._objects.address(lock), self._encoder.bits)
        if kind is not SyncKind.READ_WRITE_LOCK:
            return script.equal(self._at(state, leaves.OWNER, address), me.id)
        writer, readers = (self._at(state, kept, address) for kept in (leaves.WRITER, leaves.READERS))
        mine = self._at(state, leaves.READS, me.id, address)
        reads = (self._is(writer, 0), script.negation(self._is(mine, 0)), script.negation(self._is(readers, 0)))
        return script.disjunction((script.equal(writer, me.id), script.conjunction(reads)))

    def _has_one_lock(self, label: Wait) -> None:
        """All who wait for a condition give up the same mutex."""
        condition, lock = self._objects.address(label.condition), self._objects.address(label.lock)
        waits = (o for thread in self._system.threads for o in operations(thread) if isinstance(o, Wait))
        locks = {self._objects.address(o.lock) for o in waits if self._objects.address(o.condition) == condition}
        if locks != {lock}:
            raise PincerError("threads wait for a condition with different mutexes")

    def _not_fresh(self, label: Initialise, state: State) -> Node:
        """An object is initialised while there are other threads, or while the main thread holds it."""
        script, bits = self._script, self._encoder.bits
        address = script.constant(self._objects.address(label.object), bits)
        others = (script.constant(thread.number, bits) for thread in self._system.threads[1:])
        wanted = [self._is(self._at(state, leaves.CREATED, number), 0) for number in others]
        match label.kind:
            case SyncKind.MUTEX | SyncKind.SPIN_LOCK:
                wanted.append(self._is(self._at(state, leaves.OWNER, address), 0))
            case SyncKind.READ_WRITE_LOCK:
                wanted += [self._is(self._at(state, kept, address), 0) for kept in (leaves.WRITER, leaves.READERS)]
        return script.negation(script.conjunction(wanted))

    def _not_joined_so(self, label: Join, state: State, me: View) -> Node:
        """What is joined is no other thread that nobody has joined, or the result has no place."""
        script = self._script
        other = self._encoder.encode(label.thread, state, me)
        status = self._at(state, leaves.STATUS, other)
        wrong = [self._is(status, value) for value in (ThreadStatus.UNBORN, ThreadStatus.JOINED)]
        wrong.append(script.equal(other, me.id))
        if not self._is_null(label.value):
            null = self._is(self._encoder.encode(label.value, state, me), 0)
            no_room = self._no_room(label.value, self._encoder.bits // 8, state, me)
            wrong.append(script.conjunction((script.negation(null), no_room)))
        return script.disjunction(wrong)

    def _no_room(self, address: Term, size: int, state: State, me: View) -> Node:
        """That the library cannot store a result of so many bytes at an address."""
        script, encoder = self._script, self._encoder
        start = encoder.encode(address, state, me)
        if start.value is not None:
            item = self._static.get(start.value - start.value % self._slot)
            if item is not None:
                return script.true if item.read_only or start.value % self._slot + size > item.size else script.false
        bits = encoder.program.layout.slot_bits
        offset = script.extend("zero_extend", encoder.bits - bits, script.extract(bits - 1, 0, start))
        slot = encoder.slot_of(start)
        room = state.rooms.at(slot)
        length = script.constant(size, encoder.bits)
        fits = (script.at_most(length, room), script.at_most(offset, script.difference(room, length)))
        constants = [
            script.equal(slot, encoder.slot_of(script.constant(item.address, encoder.bits)))
            for item in self._static.values()
            if item.read_only
        ]
        return script.disjunction((script.negation(script.conjunction(fits)), *constants))


def _performed(move: Move) -> Iterator[object]:
    return (action.label for action in move.actions if isinstance(action, Perform))


def _initialised(move: Move) -> Iterator[Term]:
    return (label.object for label in _performed(move) if isinstance(label, Initialise))
