"""What the threads library does, as formulas.

Every operation is a list of steps with their guards; where none can be taken the thread waits. The meaning is that of
POSIX, with error numbers as on Linux. Undefined uses (an unlock by another thread, joining a thread twice) end the run.
Objects of the library are known by constant addresses: programs in which they are not are refused.

Conditions keep their waiters as a set: a signal wakes any of them, and nobody only if nobody waits. Of which threads
can wait for a condition, the program's text tells: those with a `Wait` for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from pincer.errors import PincerError
from pincer.evidence.c_proof.smt import Node
from pincer.evidence.thread_proof import leaves
from pincer.evidence.thread_proof.leaves import LeafKind, ThreadStatus
from pincer.evidence.thread_proof.states import Birth, State, Step, ThreadEncoder, Turn, View
from pincer.evidence.thread_proof.sync_objects import SyncObjects
from pincer.logic.terms import Term
from pincer.program.thread_labels import (
    NUMBER_BYTES,
    Destroy,
    Detach,
    Exit,
    Initialise,
    Join,
    Lock,
    Once,
    OnceDone,
    Patience,
    Post,
    SameThread,
    Self,
    SemaphoreValue,
    SemaphoreWait,
    SetAttribute,
    Setting,
    Signal,
    Start,
    SyncKind,
    ThreadOperation,
    Unlock,
    Wait,
    Yield,
)

if TYPE_CHECKING:
    from pincer.evidence.thread_proof.steps import StepWriter

EBUSY, EINVAL, EDEADLK, ETIMEDOUT = 16, 22, 35, 110
MOST_POSTS = (1 << 31) - 1
_RESET: Mapping[SyncKind, tuple[LeafKind, ...]] = {
    SyncKind.MUTEX: (leaves.OWNER,),
    SyncKind.SPIN_LOCK: (leaves.OWNER,),
    SyncKind.READ_WRITE_LOCK: (leaves.WRITER, leaves.READERS, leaves.READS),
    SyncKind.SEMAPHORE: (leaves.PERMITS,),
    SyncKind.ONCE: (leaves.ONCE,),
}
"""What is kept about an object and begins anew with its memory."""


class LibrarySteps:
    """The steps of operations of one program."""

    def __init__(self, encoder: ThreadEncoder, writer: StepWriter) -> None:
        self._encoder = encoder
        self._script = encoder.script
        self._writer = writer
        self.objects = SyncObjects(encoder.program, encoder.system)

    def _number(self, value: int, width: int) -> Node:
        return self._script.constant(value, width)

    def _at(self, state: State, kind: LeafKind, *index: Node) -> Node:
        return state.tables[kind.name].at(self._encoder.index(*index))

    def _set(self, state: State, kind: LeafKind, value: Node, *index: Node) -> State:
        return state.with_table(kind, state.tables[kind.name].set(self._encoder.index(*index), value))

    def _is(self, node: Node, value: int) -> Node:
        return self._script.equal(node, self._number(value, node.width))

    def _not(self, node: Node, value: int) -> Node:
        return self._script.negation(self._is(node, value))

    def _all(self, *parts: Node) -> Node:
        return self._script.conjunction(parts)

    def _done(self, label: ThreadOperation, guard: Node, state: State, me: View, result: int | Node = 0) -> Step:
        """The operation is over, with a result."""
        if label.result is None:
            return Step(guard, state)
        width = label.result.sort.width or 1
        value = self._number(result, width) if isinstance(result, int) else result
        return Step(guard, self._writer.assigned(label.result, value, state, me))

    def forgotten(self, state: State, slot: Node) -> State:
        """The state after another object, or none, lies in a slot: what was kept about it is no more."""
        for kind, address in self.objects.kinds_and_addresses:
            here = self._encoder.slot_of(self._number(address, self._encoder.bits))
            if slot.value is not None and slot.value == here.value:
                for kept in _RESET.get(kind, ()):
                    state = self._reset(state, kept, self._number(address, self._encoder.bits))
        return state

    def _reset(self, state: State, kept: LeafKind, address: Node) -> State:
        """Nothing is kept about an address any more, whichever thread it is about."""
        script, bits = self._script, self._encoder.bits
        zero = self._number(0, kept.width or bits)

        def is_here(index: Node) -> Node:
            return script.equal(script.extract(bits - 1, 0, index), address)

        return state.with_table(kept, state.tables[kept.name].where(is_here, zero))

    def readers_together(self, state: State, *views: View) -> list[Node]:
        """That readers are counted rightly: what two threads have taken of a read-write lock is not more than what all
        have, which every step of this library keeps."""
        script, found = self._script, []
        for address in self.objects.of(SyncKind.READ_WRITE_LOCK):
            lock = self._number(address, self._encoder.bits)
            every = script.extend("zero_extend", 2, self._at(state, leaves.READERS, lock))
            mine = [
                script.extend("zero_extend", 2, self._at(state, leaves.READS, view.id, lock))
                for view in dict.fromkeys(views)
            ]
            total = self._number(0, every.width)
            for part in mine:
                total = script.add(total, part)
            found.append(script.at_most(total, every))
        return found

    def steps(self, turn: Turn, label: ThreadOperation, half: str, state: State) -> Iterator[Step]:
        """The ways in which an operation may end, or one half of it."""
        true, me = self._script.true, turn.me
        match label:
            case Start():
                yield self._started(turn, label, state)
            case Join():
                yield from self._joined(label, state, me)
            case Exit():
                yield Step(true, self._writer.ended(state, me))
            case Self():
                yield self._done(label, true, state, me, me.id)
            case SameThread(first, second):
                same = self._script.equal(self._value(first, state, me), self._value(second, state, me))
                yield self._done(label, same, state, me, 1)
                yield self._done(label, self._script.negation(same), state, me, 0)
            case Detach() | Destroy() | Yield():
                yield self._done(label, true, state, me)
            case SetAttribute():
                yield from self._attribute(label, state, me)
            case Initialise():
                yield from self._initialised(label, state, me)
            case Lock() | Unlock():
                yield from self._locks(label, state, me)
            case Wait():
                yield from self._waits(label, half, state, me)
            case Signal():
                yield from self._signals(label, state, me)
            case Once() | OnceDone():
                yield from self._once(label, state, me)
            case Post() | SemaphoreWait() | SemaphoreValue():
                yield from self._semaphores(label, state, me)
            case _:
                raise PincerError(f"{label.function} is not followed", turn.move.position)

    def _value(self, term: Term, state: State, me: View) -> Node:
        return self._encoder.encode(term, state, me)

    def _resized(self, node: Node, width: int) -> Node:
        """A number with as many bits as a register has: further ones are zero, or left out."""
        if node.width >= width:
            return self._script.extract(width - 1, 0, node)
        return self._script.extend("zero_extend", width - node.width, node)

    def _object(self, term: Term) -> Node:
        """The address of an object of the library."""
        return self._number(self.objects.address(term), self._encoder.bits)

    def _started(self, turn: Turn, label: Start, state: State) -> Step:
        """A thread that was not there lives; its id is stored before it does anything."""
        encoder, script, me = self._encoder, self._script, turn.me
        born = encoder.system.threads[encoder.system.births[turn.thread.number, turn.move.number]]
        new = encoder.view("new", born)
        values = {
            f"new|{name}": self._writer.fresh(width)
            for name, width in encoder.registers.widths.items()
            if encoder.registers.is_local(name)
        }
        for register, value in encoder.program.initial.items():
            if encoder.registers.is_local(str(register.args[0])):
                values[f"new|{register.args[0]}"] = self._number(value, register.sort.width or 1)
        for parameter in born.routine.parameters:
            argument = self._value(label.argument, state, me)
            values[f"new|{parameter.args[0]}"] = self._resized(argument, parameter.sort.width or 1)
        guard = self._is(self._at(state, leaves.STATUS, new.id), ThreadStatus.UNBORN)
        after = self._writer.stored(label.thread, new.id, state, me)
        after = self._set(after, leaves.STATUS, self._number(ThreadStatus.LIVE, 8), new.id)
        after = self._set(after, leaves.CREATED, self._number(1, 8), self._number(born.number, encoder.bits))
        identities = script.conjunction(encoder.identities(me, new))
        step = self._done(label, self._all(guard, identities), after, me)
        return Step(step.guard, step.after.with_values(values), Birth(born, new))

    def _joined(self, label: Join, state: State, me: View) -> Iterator[Step]:
        script = self._script
        other = self._value(label.thread, state, me)
        ended = self._is(self._at(state, leaves.STATUS, other), ThreadStatus.ENDED)
        after = self._set(state, leaves.STATUS, self._number(ThreadStatus.JOINED, 8), other)
        target = self._value(label.value, state, me)
        null = self._is(target, 0)
        if not null.is_true:
            stored = self._writer.stored(label.value, self._writer.fresh(self._encoder.bits), after, me)
            yield self._done(label, self._all(ended, script.negation(null)), stored, me)
        yield self._done(label, self._all(ended, null), after, me)
        if label.patience is not Patience.FOR_EVER:
            live = self._is(self._at(state, leaves.STATUS, other), ThreadStatus.LIVE)
            yield self._done(label, live, state, me, EBUSY)

    def _attribute(self, label: SetAttribute, state: State, me: View) -> Iterator[Step]:
        """What attributes ask for makes no difference here: mutexes of other kinds are refused (`sync_objects`)."""
        true = self._script.true
        if label.value is not None and label.setting is not Setting.IGNORED:
            value = self._value(label.value, state, me)
            if value.width != 8 * NUMBER_BYTES:
                raise PincerError("an attribute that is no int")
            yield self._done(label, true, self._writer.stored(label.attributes, value, state, me), me)
            yield self._done(label, true, state, me, EINVAL)
        elif label.value is not None:
            stored = self._writer.stored(label.attributes, self._writer.fresh(32), state, me)
            yield self._done(label, true, stored, me)
        else:
            yield self._done(label, true, state, me)

    def _initialised(self, label: Initialise, state: State, me: View) -> Iterator[Step]:
        address = self._object(label.object)
        match label.kind:
            case SyncKind.MUTEX | SyncKind.SPIN_LOCK:
                yield self._done(label, self._is(self._at(state, leaves.OWNER, address), 0), state, me)
            case SyncKind.READ_WRITE_LOCK:
                free = self._all(
                    self._is(self._at(state, leaves.WRITER, address), 0),
                    self._is(self._at(state, leaves.READERS, address), 0),
                )
                yield self._done(label, free, state, me)
            case SyncKind.CONDITION:
                yield self._done(label, self._script.true, state, me)
            case SyncKind.SEMAPHORE if label.number is not None:
                number = self._value(label.number, state, me)
                if number.width != leaves.PERMITS.width:
                    raise PincerError("a number of permits that is no int")
                fits = self._script.at_most(number, self._number(MOST_POSTS, 32))
                yield self._done(label, fits, self._set(state, leaves.PERMITS, number, address), me)
                yield self._failed(label, self._script.negation(fits), state, me)
            case _:
                raise PincerError(f"{label.function} is not followed")

    def _locks(self, label: Lock | Unlock, state: State, me: View) -> Iterator[Step]:
        if label.kind is SyncKind.READ_WRITE_LOCK:
            yield from self._read_write(label, state, me)
            return
        address = self._object(label.lock)
        owner = self._at(state, leaves.OWNER, address)
        if isinstance(label, Unlock):
            mine = self._script.equal(owner, me.id)
            yield self._done(label, mine, self._set(state, leaves.OWNER, self._number(0, owner.width), address), me)
            return
        yield self._done(label, self._is(owner, 0), self._set(state, leaves.OWNER, me.id, address), me)
        if label.patience is not Patience.FOR_EVER:
            code = EBUSY if label.patience is Patience.NOT_AT_ALL else ETIMEDOUT
            yield self._done(label, self._not(owner, 0), state, me, code)

    def _read_write(self, label: Lock | Unlock, state: State, me: View) -> Iterator[Step]:
        """One writer or any number of readers; a thread may read more than once."""
        script = self._script
        address = self._object(label.lock)
        writer, readers = (self._at(state, kind, address) for kind in (leaves.WRITER, leaves.READERS))
        mine = self._at(state, leaves.READS, me.id, address)
        nobody, alone = self._is(writer, 0), self._is(readers, 0)
        if isinstance(label, Unlock):
            zero = self._number(0, writer.width)
            yield self._done(label, script.equal(writer, me.id), self._set(state, leaves.WRITER, zero, address), me)
            fewer = self._set(state, leaves.READERS, script.shifted(readers, -1), address)
            fewer = self._set(fewer, leaves.READS, script.shifted(mine, -1), me.id, address)
            yield self._done(label, self._all(nobody, self._not(mine, 0), self._not(readers, 0)), fewer, me)
            return
        if label.shared:
            free = nobody
            more = self._set(state, leaves.READERS, script.shifted(readers, 1), address)
            taken = self._set(more, leaves.READS, script.shifted(mine, 1), me.id, address)
            # More than 2**32 - 2 readers are not followed: the counts would begin anew.
            most = self._number((1 << 32) - 1, 32)
            possible = self._all(
                script.negation(script.equal(readers, most)), script.negation(script.equal(mine, most))
            )
            yield self._done(label, self._all(free, possible), taken, me)
        else:
            free = self._all(nobody, alone)
            yield self._done(label, free, self._set(state, leaves.WRITER, me.id, address), me)
        refused = script.negation(free)
        if label.patience is Patience.NOT_AT_ALL:
            yield self._done(label, refused, state, me, EBUSY)
        else:
            own = script.equal(writer, me.id)
            yield self._done(label, self._all(refused, own), state, me, EDEADLK)
            if label.patience is Patience.A_WHILE:
                yield self._done(label, self._all(refused, script.negation(own)), state, me, ETIMEDOUT)

    def _waits(self, label: Wait, half: str, state: State, me: View) -> Iterator[Step]:
        script = self._script
        condition, lock = self._object(label.condition), self._object(label.lock)
        owner = self._at(state, leaves.OWNER, lock)
        waits = self._at(state, leaves.WAITS, me.id, condition)
        one, zero = self._number(1, 8), self._number(0, 8)
        match half:
            case "release":
                released = self._set(state, leaves.OWNER, self._number(0, owner.width), lock)
                waiting = self._set(released, leaves.WAITS, one, me.id, condition)
                yield Step(script.equal(owner, me.id), waiting)
            case "spurious":
                yield Step(script.true, self._set(state, leaves.WAITS, zero, me.id, condition))
            case "resume":
                awake = self._all(self._is(waits, 0), self._is(owner, 0))
                taken = self._set(state, leaves.OWNER, me.id, lock)
                yield self._done(label, awake, taken, me)
                if label.limit is not None:
                    yield self._done(label, awake, taken, me, ETIMEDOUT)

    def _signals(self, label: Signal, state: State, me: View) -> Iterator[Step]:
        script, encoder = self._script, self._encoder
        condition = self._object(label.condition)
        zero = self._number(0, 8)
        if label.everyone:
            yield self._done(label, script.true, self._reset(state, leaves.WAITS, condition), me)
            return
        waiters = self.objects.waiters.get(condition.value or 0, ())
        singles = [encoder.single(thread.number) for thread in waiters if not thread.several]
        asleep = [self._not(self._at(state, leaves.WAITS, waiter, condition), 0) for waiter in singles]
        yield self._done(label, script.negation(script.disjunction(asleep)), state, me)
        for waiter, sleeps in zip(singles, asleep, strict=True):
            yield self._done(label, sleeps, self._set(state, leaves.WAITS, zero, waiter, condition), me)
        if any(thread.several for thread in waiters):
            other = self._writer.fresh(encoder.bits)
            sleeps = self._not(self._at(state, leaves.WAITS, other, condition), 0)
            yield self._done(label, sleeps, self._set(state, leaves.WAITS, zero, other, condition), me)

    def _once(self, label: Once | OnceDone, state: State, me: View) -> Iterator[Step]:
        """0: nobody has run the routine; 1: somebody does; 2: it has been run."""
        address = self._object(label.control)
        known = self._at(state, leaves.ONCE, address)
        if isinstance(label, OnceDone):
            yield self._done(label, self._script.true, self._set(state, leaves.ONCE, self._number(2, 8), address), me)
            return
        yield self._done(label, self._is(known, 0), self._set(state, leaves.ONCE, self._number(1, 8), address), me, 1)
        yield self._done(label, self._is(known, 2), state, me, 0)

    def _semaphores(self, label: Post | SemaphoreWait | SemaphoreValue, state: State, me: View) -> Iterator[Step]:
        script = self._script
        address = self._object(label.semaphore)
        permits = self._at(state, leaves.PERMITS, address)
        match label:
            case Post():
                most = self._number(MOST_POSTS, 32)
                more = self._set(state, leaves.PERMITS, script.shifted(permits, 1), address)
                yield self._done(label, script.negation(script.equal(permits, most)), more, me)
                yield self._failed(label, script.equal(permits, most), state, me)
            case SemaphoreWait():
                fewer = self._set(state, leaves.PERMITS, script.shifted(permits, -1), address)
                yield self._done(label, self._not(permits, 0), fewer, me)
                if label.patience is not Patience.FOR_EVER:
                    yield self._failed(label, self._is(permits, 0), state, me)
            case SemaphoreValue():
                yield self._done(label, script.true, self._writer.stored(label.target, permits, state, me), me)

    def _failed(self, label: ThreadOperation, guard: Node, state: State, me: View) -> Step:
        """A semaphore function fails; what it leaves in errno is refused where programs have one (`sync_objects`)."""
        width = 32 if label.result is None else label.result.sort.width or 32
        return self._done(label, guard, state, me, (1 << width) - 1)
