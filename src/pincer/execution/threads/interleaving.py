"""Transitions: what one thread does from one scheduling point to the next.

A transition begins with a step that other threads may notice (an access to what they share, a call of the threads
library, the end of the thread or of the program) and goes on through all the steps that nobody notices. An atomic
section is part of one transition as a whole. Values are concrete and symbolic at once: where the path depends on
inputs, a transition notes the other ways it could have gone on as `turns`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from immutables import Map
from msgspec.structs import replace

from pincer.execution.machine import History, State, World
from pincer.execution.stepping import Stop
from pincer.execution.testing import Node, Tester, extended
from pincer.execution.threads.accesses import Access, Footprint
from pincer.execution.threads.calls import Blocked, LibraryCall, Performed, Waiting, object_name
from pincer.execution.threads.footprints import (
    Escaped,
    SharedData,
    ThreadView,
    atomic,
    renewed,
    shared_data,
    touched_object,
)
from pincer.execution.threads.library import is_blind, perform
from pincer.execution.threads.lifecycle import ended, main_thread, region
from pincer.execution.threads.limits import ExecutionLimits
from pincer.execution.threads.locks import is_held
from pincer.execution.threads.sharing import owners_after, shown
from pincer.execution.threads.state import ThreadedState
from pincer.execution.threads.transitions import (
    InputTurn,
    NextTransition,
    ThreadTransition,
    Underway,
    finished,
    note_turns,
    stopped,
)
from pincer.execution.threads.waiting import picks
from pincer.logic import bitvectors
from pincer.logic.terms import Term
from pincer.program.control_flow import Allocate, Assume, Call, Check, ControlFlowProgram, Edge, Input, Observe
from pincer.program.thread_labels import (
    UNNOTICED,
    AtomicBegin,
    AtomicEnd,
    BarrierWait,
    Meet,
    Signal,
    SyncKind,
    ThreadOperation,
    Unlock,
    Wait,
)


class Unmergeable(Exception):
    """A call may see what merging leaves out."""


_READY = NextTransition()
_MARKED = 256
"""After so many steps it is noted where a thread is, to see whether it comes back there."""


@dataclass
class Interleaver:
    """Takes the transitions of a program's threads. `default_input` gives inputs that are not planned. A `concrete` one
    does not follow how values depend on inputs.

    With `merges`, the unlock of a mutex that the thread holds, and the end of a thread, belong to the transition before
    them. Nobody notices as long as others only lock mutexes, unlock them and wait (these steps are Lipton's left
    movers); a call that could notice raises Unmergeable.
    """

    program: ControlFlowProgram
    limits: ExecutionLimits = field(default_factory=ExecutionLimits)
    default_input: Callable[[Input, Term], int] = field(default=lambda label, symbol: label.usual)
    merges: bool = False
    concrete: bool = False
    world: World = field(init=False)

    def __post_init__(self) -> None:
        self.world = World(self.program, self.default_input, concrete=self.concrete)
        self._tester = Tester(self.world)

    @cached_property
    def _labels(self) -> frozenset[str]:
        """Where formulas ask whether a thread is there: coming and going on are transitions."""
        labels = {place.label for one in self.program.watched for _, place in one.places}
        return frozenset(f"{way} {label}" for label in labels for way in ("to", "at"))

    @cached_property
    def shared(self) -> SharedData:
        return shared_data(self.program)

    def initial(self, planned: Mapping[Term, int] | None = None) -> ThreadedState:
        """Only the first thread, before its first step."""
        state = self.world.initial_state(planned)
        main = main_thread(self.program, state)
        return ThreadedState(state, 0, Map({0: main}))

    def pending(self, threads: ThreadedState, number: int) -> NextTransition:
        """Whether a live thread can take its next transition."""
        thread = threads.threads[number]
        if thread.stuck:
            return NextTransition(Waiting("an assumption that does not hold"))
        edges = thread.frame.procedure.outgoing.get(thread.location, ())
        label = edges[0].label if edges else None
        if thread.fresh or not isinstance(label, ThreadOperation) or isinstance(label, AtomicBegin | AtomicEnd):
            return _READY
        answer = perform(self._call(threads.resumed(number, self.shared.registers), edges[0], label, 0))
        if isinstance(answer, Stop):
            return NextTransition(settled=False)
        return NextTransition(answer.waiting if isinstance(answer, Blocked) else None, answer.accesses)

    def is_unchanged(self, pending: NextTransition, footprint: Footprint) -> bool:
        """Whether another thread's transition leaves what a thread waits for as it was: it touches neither that nor
        the memory in which it lies."""
        if not pending.accesses:
            return pending.settled
        if footprint.ends or footprint.conflicts(Footprint(pending.accesses)):
            return False
        mask = self.world.slot_mask
        written = {a.start & mask for a in footprint.accesses if a.write and a.space in ("memory", "life")}
        return not any(a.space == "sync" and a.start & mask in written for a in pending.accesses)

    def enabled(self, threads: ThreadedState) -> list[int]:
        """The threads that can take a transition."""
        return [t.number for t in threads.live() if self.pending(threads, t.number).waiting is None]

    def picks(self, threads: ThreadedState, number: int) -> int:
        """How many outcomes a thread's next transition has that neither schedule nor inputs decide."""
        thread = threads.threads[number]
        edges = thread.frame.procedure.outgoing.get(thread.location, ())
        label = edges[0].label if edges else None
        if thread.fresh or not isinstance(label, Signal | Wait | BarrierWait):
            return 1
        return picks(self._call(threads.resumed(number, self.shared.registers), edges[0], label, 0))

    def footprint(self, threads: ThreadedState, number: int) -> Footprint:
        """What the next transition of an enabled thread touches, with the inputs as they are."""
        return self.take(threads, number).footprint

    def take(self, threads: ThreadedState, number: int, pick: int = 0) -> ThreadTransition:
        """The next transition of an enabled thread."""
        threads = threads.resumed(number, self.shared.registers)
        thread = threads.threads[number]
        node = Node(thread.location, threads.state, thread.frame, None, None, threads.conditions)
        return self._run(Underway(threads, node, pick, begun=thread.fresh))

    def turn(self, turn: InputTurn, model: dict[Term, int]) -> ThreadTransition:
        """Another way for a transition to go on, with input values for it."""
        progress, node = turn.progress, turn.progress.node
        threads = replace(progress.threads, state=node.state).under(model)
        conditions = extended(turn.path, [turn.condition])
        again = Node(node.location, threads.state, node.frame, None, node.edge, conditions)
        return self._run(replace(progress, threads=threads, node=again))

    def _run(self, progress: Underway) -> ThreadTransition:
        turns: list[InputTurn] = []
        mark = progress
        while True:
            following = self._advance(progress, turns)
            if isinstance(following, ThreadTransition):
                return replace(following, turns=tuple(turns))
            progress = following
            if progress.begun != mark.begun or progress.steps % _MARKED == 0:
                mark = progress
            elif _is_back(mark.node, progress.node):
                stop = Stop("steps", "a thread comes back to where it was without having done anything", returns=True)
                return replace(stopped(progress, stop), turns=tuple(turns))

    def _advance(self, progress: Underway, turns: list[InputTurn]) -> Underway | ThreadTransition:
        node = progress.node
        if node.location == node.frame.procedure.exit and node.frame.caller is None:
            return self._end(progress)
        edges = node.frame.procedure.outgoing.get(node.location, ())
        most = self.limits.steps_per_transition
        if progress.steps > most:
            return stopped(progress, Stop("steps", f"stopped after {most} steps of a thread"))
        if edges and isinstance(edges[0].label, ThreadOperation):
            return self._library(progress, edges[0], edges[0].label, turns)
        if not edges:
            return self._plain(progress, None, turns)
        return self._plain(progress, edges[0], turns)

    def _plain(self, progress: Underway, edge: Edge | None, turns: list[InputTurn]) -> Underway | ThreadTransition:
        """An ordinary step."""
        node, me = progress.node, progress.threads.running
        try:
            accesses = self._accesses(progress, edge)
        except Escaped:
            message = "a pointer to a thread's own object reaches another thread in a way that is not followed"
            return stopped(progress, Stop("unsupported", message, edge))
        asked = edge is not None and isinstance(edge.label, Observe) and edge.label.moment in self._labels
        if (accesses or asked) and progress.begun and not progress.atomic and not progress.joint:
            return finished(progress)
        touched = None if edge is None else touched_object(progress.threads, node.state, edge.label)
        if touched is not None:
            message = f"the bytes of {object_name(node.state, touched)}, which is in use, are read or written"
            return stopped(progress, Stop("unsupported", message, edge), accesses)
        following = self._tester.advance(node)
        if isinstance(following, Stop):
            if following.edge is None and following.kind == "halt":
                return self._stuck(progress, turns)
            return stopped(progress, following, accesses)
        note_turns(progress, node, following, turns)
        threads = progress.threads
        label = None if following.edge is None or edge is None else following.edge.label
        if isinstance(label, Call) and following.frame is not node.frame:
            following.frame = replace(following.frame, call_node=None)
        elif label is not None:
            owners = owners_after(node.state, following.state, threads.owners, label, me)
            if accesses:
                accesses += shown(following.state, threads.owners, owners)
            sync = renewed(threads, node.state, label)
            if owners is not threads.owners or sync is not threads.sync:
                threads = replace(threads, owners=owners, sync=sync)
        following.parent = None
        if isinstance(label, Allocate) and following.state.registers[self.program.top] > region(self.program, me)[1]:
            return stopped(progress, Stop("unsupported", "more objects than a thread has addresses for", edge))
        life = any(access.space == "life" for access in accesses)
        return replace(
            progress,
            threads=threads,
            node=following,
            begun=progress.begun or bool(accesses) or asked,
            accesses=progress.accesses + accesses,
            joint=isinstance(label, Check) and (life or progress.joint),
            edges=progress.edges if following.edge is None else History(following.edge, progress.edges),
            steps=progress.steps + 1,
        )

    def _accesses(self, progress: Underway, edge: Edge | None) -> tuple[Access, ...]:
        threads = progress.threads
        if edge is None or (is_alone(threads) and not self.program.watched):
            return ()
        found = self.shared.accesses(ThreadView(progress.node.state, threads.owners, threads.running), edge.label)
        return atomic(found) if progress.atomic else found

    def _library(
        self, progress: Underway, edge: Edge, label: ThreadOperation, turns: list[InputTurn]
    ) -> Underway | ThreadTransition:
        """A step of the threads library. What it is about is decided first: whether a thread waits may depend on that,
        so inputs that decide it are told apart while the transition before the call is still under way."""
        if not isinstance(label, AtomicBegin | AtomicEnd):
            progress = self._decided(progress, edge, label, turns)
        visible = not isinstance(label, (*UNNOTICED, AtomicEnd))
        separate = visible and progress.begun and not progress.atomic
        if separate and not (_unlocks_mutex(label) and self._may_merge(progress)):
            return finished(progress)
        if self.merges and visible and not is_blind(label) and not is_alone(progress.threads):
            raise Unmergeable
        if isinstance(label, Meet) and progress.atomic:
            return stopped(progress, Stop("unsupported", "a line inside an atomic section as a target", edge))
        if isinstance(label, AtomicBegin | AtomicEnd):
            return self._section(progress, edge, isinstance(label, AtomicBegin))
        node = progress.node
        current = replace(progress.threads, state=node.state, conditions=node.conditions)
        call = self._call(current, edge, label, progress.pick)
        if separate and not self._holds(call):
            return finished(progress)
        answer = perform(call)
        if isinstance(answer, Blocked):
            if progress.atomic:
                return stopped(progress, Stop("unsupported", "waiting inside an atomic section", edge))
            return finished(progress)
        if isinstance(answer, Stop):
            return stopped(progress, answer)
        return self._performed(progress, call, answer, turns)

    def _performed(
        self, progress: Underway, call: LibraryCall, answer: Performed, turns: list[InputTurn]
    ) -> Underway | ThreadTransition:
        """The transition after a step of the library."""
        node, edge, label = progress.node, call.edge, call.label
        visible = not isinstance(label, UNNOTICED)
        separate = visible and progress.begun and not progress.atomic
        state = answer.threads.state
        if label.result is not None and answer.result is not None:
            state = state.with_register(label.result, answer.result & _mask(label.result), None)
        conditions = extended(node.conditions, _unknown(node.conditions, call.conditions))
        following = Node(edge.target if answer.complete else node.location, state, node.frame, None, edge, conditions)
        note_turns(progress, node, following, turns)
        after = replace(
            progress,
            threads=answer.threads,
            node=following,
            begun=progress.begun or visible,
            accesses=progress.accesses + self._noticed(answer, progress) + self._shown(answer, progress),
            edges=History(edge, progress.edges),
            steps=progress.steps + 1,
            parts=progress.parts + separate,
        )
        over = not answer.complete or answer.threads.threads[answer.threads.running].ended
        return finished(after) if over else after

    def _decided(self, progress: Underway, edge: Edge, label: ThreadOperation, turns: list[InputTurn]) -> Underway:
        """The transition with conditions for the arguments of the call to come; other arguments are other turns."""
        node = progress.node
        current = replace(progress.threads, state=node.state, conditions=node.conditions)
        new = _unknown(node.conditions, self._call(current, edge, label, progress.pick).conditions)
        if not new:
            return progress
        following = Node(node.location, node.state, node.frame, None, node.edge, extended(node.conditions, new))
        note_turns(progress, node, following, turns)
        return replace(progress, node=following)

    def _may_merge(self, progress: Underway) -> bool:
        return self.merges and not progress.threads.threads[progress.threads.running].fresh

    def _holds(self, call: LibraryCall) -> bool:
        """Whether the mutex of a call is held by its thread, and in memory that nobody can end meanwhile."""
        assert isinstance(call.label, Unlock)
        address = call[call.label.lock]
        return address & self.world.slot_mask in self.shared.static and is_held(call, address)

    def _noticed(self, answer: Performed, progress: Underway) -> tuple[Access, ...]:
        """The accesses of a call, without those to memory of the thread's own, and with those to the life of the
        objects that hold what it is about. What was acquired in the same transition is not held when that begins, so
        its release is none to others."""
        owners, mask = answer.threads.owners, self.world.slot_mask
        kept = tuple(a for a in answer.accesses if a.space != "memory" or a.start & mask not in owners)
        bases = {a.start & mask: a.name for a in kept if a.space == "sync"}
        mortal = {base for base in bases if base and base not in self.shared.static and base not in owners}
        kept += tuple(Access("life", base, name=bases[base]) for base in sorted(mortal))
        acquired = {a.start for a in progress.accesses if a.space == "sync" and a.role == "acquire"}
        if acquired:
            kept = tuple(replace(a, role="") if a.space == "sync" and a.start in acquired else a for a in kept)
        return atomic(kept) if progress.atomic else kept

    @staticmethod
    def _shown(answer: Performed, progress: Underway) -> tuple[Access, ...]:
        return shown(answer.threads.state, progress.threads.owners, answer.threads.owners)

    def _section(self, progress: Underway, edge: Edge, begin: bool) -> Underway | ThreadTransition:
        if not begin and not progress.atomic:
            return stopped(progress, Stop("check", "an atomic section ends that has not begun", edge))
        node = progress.node
        following = Node(edge.target, node.state, node.frame, None, edge, node.conditions)
        return replace(
            progress, node=following, begun=True, atomic=progress.atomic + (1 if begin else -1),
            edges=History(edge, progress.edges), steps=progress.steps + 1,
        )  # fmt: skip

    def _call(self, threads: ThreadedState, edge: Edge, label: ThreadOperation, pick: int) -> LibraryCall:
        """A call with its operands; those that decide what it does and depend on inputs are pinned to their values."""
        conditions: list[Term] = []
        state = threads.state
        values = {term: state.value(term) for term in label.passed}
        for term in label.decisive:
            values[term] = state.value(term) if _is_fixed(state, term) else state.pinned(term, conditions)
        return LibraryCall(threads, edge, label, values, pick, self.limits, conditions)

    def _end(self, progress: Underway) -> ThreadTransition:
        """The thread's start routine has returned; when the first thread returns, the program ends."""
        separate = progress.begun and not progress.atomic
        if separate and (progress.threads.running == 0 or not self._may_merge(progress)):
            return finished(progress)
        node, procedure = progress.node, progress.node.frame.procedure
        if progress.threads.running == 0:
            return stopped(progress, Stop("halt", f"{procedure.name} returned"))
        state = node.state
        value, symbol = 0, None
        if procedure.result is not None:
            value, symbol = state.registers.get(procedure.result, 0), state.symbols.get(procedure.result)
            missing = self.program.layout.pointer_bits - bitvectors.width(procedure.result)
            if symbol is not None and missing > 0:
                symbol = bitvectors.extend(symbol, missing, False)
        answer = ended(replace(progress.threads, state=state), value, symbol)
        accesses = progress.accesses + answer.accesses + self._shown(answer, progress)
        over = Node(node.location, answer.threads.state, node.frame, None, node.edge, node.conditions)
        after = replace(progress, threads=answer.threads, node=over, begun=True, accesses=accesses)
        return finished(replace(after, parts=progress.parts + separate))

    def _stuck(self, progress: Underway, turns: list[InputTurn]) -> ThreadTransition:
        """No assumption holds here: the thread never goes on, so the execution counts only up to here.

        With other inputs one of them may hold."""
        node = progress.node
        for edge in node.frame.procedure.outgoing.get(node.location, ()):
            if isinstance(edge.label, Assume):
                pins: list[Term] = []
                condition = node.state.symbolic(edge.label.condition, pins)
                if pins:
                    message = "an assumption about memory at an address that depends on inputs"
                    return stopped(progress, Stop("unsupported", message, edge))
                turns.append(InputTurn(progress, node.conditions, condition))
        if progress.atomic:
            return stopped(progress, Stop("halt", "the assumption does not hold"))
        thread = replace(progress.threads.threads[progress.threads.running], stuck=True)
        return finished(replace(progress, threads=progress.threads.with_thread(thread)))


def _is_back(before: Node, now: Node) -> bool:
    """Whether a thread is where it was, and nothing has changed meanwhile. Inputs that were read do not matter where
    all that is known of them is their values."""
    if now.location != before.location or now.frame is not before.frame:
        return False
    old, new = before.state, now.state
    if new is old or not new.world.concrete:
        return new is old
    return new.registers == old.registers and new.cells == old.cells and new.objects == old.objects


def _unlocks_mutex(label: ThreadOperation) -> bool:
    return isinstance(label, Unlock) and label.kind is SyncKind.MUTEX


def is_alone(threads: ThreadedState) -> bool:
    """Whether all other threads are over and known to be."""
    me = threads.running
    return all(number == me or (t.ended and t.joined) for number, t in threads.threads.items())


def _is_fixed(state: State, term: Term) -> bool:
    """Whether a term reads nothing but registers that depend on no input."""
    return not any(register in state.symbols for register in term.variables) and not bitvectors.state_reads(term)


def _unknown(history: History | None, conditions: list[Term]) -> list[Term]:
    """The conditions that a path does not have yet."""
    known = set[Term]() if history is None or not conditions else set(history)
    return [condition for condition in conditions if condition not in known]


def _mask(register: Term) -> int:
    return (1 << bitvectors.width(register)) - 1
