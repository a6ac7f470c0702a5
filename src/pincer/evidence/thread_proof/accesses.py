"""The accesses of a move to data that other threads may access, too: global registers and bytes of memory."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from pincer.evidence.c_proof.program_facts import assigned_register, label_terms
from pincer.evidence.c_proof.smt import Node
from pincer.evidence.c_proof.term_data import children, extended, variables
from pincer.evidence.thread_proof.obligations import ClaimWriter
from pincer.evidence.thread_proof.states import State, View
from pincer.logic.terms import Term
from pincer.program.control_flow import Copy, End, Fill, Free, Label, Store
from pincer.program.thread_labels import ThreadOperation
from pincer.program.threaded_system import Action, Enter, Leave, Move, Perform, UnfoldedThread


class GuardedAccess(Struct, frozen=True):
    """An access under a `guard` to a global register, or to `size` bytes from `start`. Ending an object is a write to
    all of it (`life`). `block` accesses are more than a machine does at once."""

    guard: Node
    write: bool
    atomic: bool
    register: str = ""
    start: Node | None = None
    size: Node | None = None
    life: bool = False
    block: bool = False


class _Moment(Struct, frozen=True):
    """When an action of a move is done: under which condition, in which state, by whom, and whether at once."""

    guard: Node
    state: State
    view: View
    atomic: bool


class AccessWriter:
    """The accesses of moves."""

    def __init__(self, claims: ClaimWriter) -> None:
        self._claims = claims
        self._encoder = claims.encoder
        self._script = claims.script
        self._word = claims.encoder.bits // 8

    def of(self, thread: UnfoldedThread, move: Move, view: View) -> Iterator[GuardedAccess]:
        """All accesses of a move, each where it happens."""
        for action, ways in self._claims.writer.prefixes(thread, move, view):
            if action is not None:
                for way in ways:
                    yield from self._action(action, _Moment(way.guard, way.after, view, move.atomic))

    def _action(self, action: Action, when: _Moment) -> Iterator[GuardedAccess]:
        match action:
            case Perform(label=label):
                for term in label_terms(label):
                    yield from self._reads(term, when)
                yield from self._register(assigned_register(label), when)
                yield from self._memory(label, when)
            case Enter(arguments=arguments):
                for term in arguments:
                    yield from self._reads(term, when)
            case Leave(result=result):
                yield from self._register(result, when)

    def _register(self, register: Term | None, when: _Moment) -> Iterator[GuardedAccess]:
        if register is not None and not self._encoder.registers.is_local(str(register.args[0])):
            yield self._scalar(register, when, write=True)

    def _scalar(self, register: Term, when: _Moment, write: bool) -> GuardedAccess:
        """A machine loads and stores a wide register in parts."""
        wide = (register.sort.width or 1) > 8 * self._word
        return GuardedAccess(when.guard, write, when.atomic, register=str(register.args[0]), block=wide)

    def _reads(self, term: Term, when: _Moment) -> Iterator[GuardedAccess]:
        for register in variables(term):
            if not self._encoder.registers.is_local(str(register.args[0])):
                yield self._scalar(register, when, write=False)
        pending, seen = [term], set[Term]()
        while pending:
            part = pending.pop()
            if part in seen:
                continue
            seen.add(part)
            pending.extend(children(part))
            if part.op == "load":
                size = self._script.constant(part.args[1], self._encoder.bits)
                yield self._bytes(part.args[0], size, when, write=False)

    def _memory(self, label: Label, when: _Moment) -> Iterator[GuardedAccess]:
        script, encoder = self._script, self._encoder

        def length(size: Term) -> Node:
            return extended(script, encoder.bits, encoder.encode(size, when.state, when.view))

        match label:
            case Store(address, value):
                size = script.constant((value.sort.width or 8) // 8, encoder.bits)
                yield self._bytes(address, size, when, write=True)
            case Copy(target, source, size):
                yield self._bytes(target, length(size), when, write=True)
                yield self._bytes(source, length(size), when, write=False)
            case Fill(target, size):
                yield self._bytes(target, length(size), when, write=True)
            case End(address) | Free(address):
                layout = encoder.program.layout
                slot = encoder.slot_of(encoder.encode(address, when.state, when.view))
                start = script.concat(slot, script.constant(0, layout.slot_bits))
                whole = script.constant(layout.slot, encoder.bits)
                yield GuardedAccess(when.guard, True, when.atomic, start=start, size=whole, life=True)
            case ThreadOperation():
                for address, count in label.stores(self._word):
                    start = encoder.encode(address, when.state, when.view)
                    there = script.negation(script.equal(start, script.constant(0, start.width)))
                    if there.is_false:
                        continue
                    size = script.constant(count, encoder.bits)
                    yield GuardedAccess(
                        script.conjunction((when.guard, there)), True, when.atomic, start=start, size=size
                    )

    def _bytes(self, address: Term, size: Node, when: _Moment, write: bool) -> GuardedAccess:
        start = self._encoder.encode(address, when.state, when.view)
        block = size.value is None or size.value > self._word
        return GuardedAccess(when.guard, write, when.atomic, start=start, size=size, block=block)

    def overlap(self, left: GuardedAccess, right: GuardedAccess) -> Node:
        """The condition under which two accesses are to the same data."""
        script = self._script
        if left.register or right.register:
            return script.boolean(left.register == right.register)
        assert left.start is not None and right.start is not None and left.size is not None and right.size is not None
        after = script.below(script.difference(right.start, left.start), left.size)
        before = script.below(script.difference(left.start, right.start), right.size)
        return script.disjunction((after, before))
