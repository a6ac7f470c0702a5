"""What must be refuted before an outline is a proof: in the manner of Owicki and Gries, one formula per move and claim.

Every move of every thread keeps what stands and establishes the assertion of the place it leads to; a thread that is
born begins in its assertion; no move of another thread makes an assertion wrong. Together: all threads that live
satisfy their assertions, always. Each formula is the negation of a claim.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from pincer.errors import Position
from pincer.evidence.c_proof.smt import Node, Script
from pincer.evidence.thread_proof import leaves
from pincer.evidence.thread_proof.leaves import ThreadStatus
from pincer.evidence.thread_proof.misuse import Misuse
from pincer.evidence.thread_proof.outline import Outline
from pincer.evidence.thread_proof.reads import Dependences, changed_for_others
from pincer.evidence.thread_proof.states import State, Step, ThreadEncoder, Turn, View
from pincer.evidence.thread_proof.steps import StepWriter
from pincer.logic.terms import Term
from pincer.program.control_flow import Allocate, Check, Fail, Unsupported
from pincer.program.thread_labels import AtomicBegin, AtomicEnd, ThreadOperation
from pincer.program.threaded_system import Action, Move, Perform, Place, ThreadedSystem, UnfoldedThread

ObligationKind = Literal["start", "sequential", "interference", "birth", "harmless"]

Errors = Literal["failures", "undefined behaviour", "nothing else"]
"""What must not be reached besides what is not modelled."""


class StepGoal(Struct, frozen=True):
    """A condition that must hold after a step: that of an assertion of a place, or one that stands (no place)."""

    thread: int
    place: Place | None
    condition: Term
    node: Node


Resting = tuple[UnfoldedThread, Place]
"""A thread, and where it is."""

There = tuple[int, Place, str]
"""A thread by number, where it is, and what it is called in formulas."""


class Claim(Struct, frozen=True):
    """From `known` and a way to end with `guard`, all `goals` follow. Without goals, the two have no model together.
    `there` says of which places the assertions are among what is known."""

    kind: ObligationKind
    text: str
    position: Position
    known: tuple[Node, ...]
    guard: Node
    goals: tuple[StepGoal, ...] = ()
    there: tuple[There, ...] = ()

    def formula(self, script: Script) -> Node:
        """The negation of the claim."""
        wrong = script.negation(script.conjunction(goal.node for goal in self.goals)) if self.goals else script.true
        parts = (*self.known, self.guard, wrong)
        whole = script.conjunction(parts)
        return whole if whole.is_false else script.conjunction((*script.facts(whole), *parts))


class ClaimWriter:
    """The claims of an outline of one program. With `coarse` memory they may be wrong where they are right exactly."""

    def __init__(self, encoder: ThreadEncoder, outline: Outline) -> None:
        self.encoder = encoder
        self.script = encoder.script
        self.outline = outline
        self.system: ThreadedSystem = encoder.system
        self.writer = StepWriter(encoder, outline.updates)
        self._misuse = Misuse(encoder, self.writer.library.objects)
        self._dependences = Dependences()
        self._changes: dict[State, frozenset[str]] = {}
        self.leaves_out_known = True

    def start(self) -> Iterator[Claim]:
        """Initial states satisfy what stands and the assertion of the main thread's entry."""
        main = self.system.threads[0]
        view = self.encoder.view("me", main)
        state = self.encoder.initial()
        goals = (*self._standing(state), *self._assertion(main, main.entry, state, view))
        if goals:
            known = tuple(self.encoder.identities())
            text = "initial states do not satisfy the outline"
            yield Claim("start", text, main.routine.position, known, self.script.true, goals)

    def _standing(self, state: State) -> Iterator[StepGoal]:
        view = self.encoder.view("me", self.system.threads[0])
        for condition in self.outline.standing:
            yield StepGoal(-1, None, condition, self.encoder.encode(condition, state, view))

    def _assertion(self, thread: UnfoldedThread, place: Place, state: State, view: View) -> Iterator[StepGoal]:
        for condition in self.outline.at(thread.number, place):
            yield StepGoal(thread.number, place, condition, self.encoder.encode(condition, state, view))

    def known(self, *there: tuple[UnfoldedThread, Place, View]) -> tuple[Node, ...]:
        """What is known before a step when different threads are at some places."""
        before, script = self.encoder.before, self.script
        views = [view for _, _, view in there]
        alive = script.constant(ThreadStatus.LIVE, 8)
        status = before.tables[leaves.STATUS.name]
        parts = [*self.encoder.identities(*views), *(script.equal(status.at(view.id), alive) for view in views)]
        parts += self.writer.library.readers_together(before, *views)
        parts += [goal.node for goal in self._standing(before)]
        for thread, place, view in there:
            parts += [goal.node for goal in self._assertion(thread, place, before, view)]
        return tuple(dict.fromkeys(parts))

    def steps(self, thread: UnfoldedThread, move: Move) -> list[Step]:
        return self.writer.steps(thread, move, self.encoder.view("me", thread))

    def sequential(self, thread: UnfoldedThread, move: Move, steps: Sequence[Step]) -> Iterator[Claim]:
        """A move keeps what stands, and leads to the assertion of its target; a newborn's assertion holds."""
        me = self.encoder.view("me", thread)
        known = self.known((thread, move.source, me))
        for step in steps:
            goals = [*self._standing(step.after)]
            if move.target is not None:
                goals += self._assertion(thread, move.target, step.after, me)
            text = f"what is claimed after this move of {_named(thread)} does not follow"
            there = ((thread.number, move.source, me.who),)
            yield from self._open(Claim("sequential", text, move.position, known, step.guard, tuple(goals), there))
            if step.birth is not None:
                born = step.birth.thread
                begun = tuple(self._assertion(born, born.entry, step.after, step.birth.view))
                text = f"what is claimed at the beginning of {_named(born)} does not follow"
                yield from self._open(Claim("birth", text, move.position, known, step.guard, begun, there))

    def interference(
        self, thread: UnfoldedThread, move: Move, steps: Sequence[Step], beside: Resting
    ) -> Iterator[Claim]:
        """A move of a thread does not make the assertion wrong that another one rests on at a place."""
        other, place = beside
        me, you = self.encoder.view("me", thread), self.encoder.view("you", other)
        before = self.encoder.before
        known: tuple[Node, ...] | None = None
        for step in steps:
            changed = self._changes.get(step.after)
            if changed is None:
                changed = self._changes[step.after] = changed_for_others(before, step.after, me.who)
            goals = tuple(
                StepGoal(other.number, place, condition, self.encoder.encode(condition, step.after, you))
                for condition in self.outline.at(other.number, place)
                if not changed.isdisjoint(self._dependences.of(condition))
            )
            if not goals:
                continue
            if known is None:
                known = self.known((thread, move.source, me), (other, place, you))
            text = f"this move of {_named(thread)} interferes with {_named(other)} at {place}"
            there = ((thread.number, move.source, me.who), (other.number, place, you.who))
            yield from self._open(Claim("interference", text, move.position, known, step.guard, goals, there))

    def harmless(self, thread: UnfoldedThread, move: Move, errors: Errors) -> Iterator[Claim]:
        """Errors, what is not modelled, and allocations that are too large are not reached."""
        me = self.encoder.view("me", thread)
        known: tuple[Node, ...] | None = None
        for action, ways in self.writer.prefixes(thread, move, me):
            for way in ways:
                found = self._error(Turn(thread, move, me), action, way.after, errors)
                if found is None:
                    continue
                known = self.known((thread, move.source, me)) if known is None else known
                text, wrong = found
                guard = self.script.conjunction((way.guard, wrong))
                there = ((thread.number, move.source, me.who),)
                yield Claim("harmless", f"this may be reached: {text}", move.position, known, guard, there=there)

    def _error(self, turn: Turn, action: Action | None, state: State, errors: Errors) -> tuple[str, Node] | None:
        """What may go wrong with an action, and when."""
        match action:
            case Perform(label=Unsupported(what)):
                return what, self.script.true
            case Perform(label=Allocate() as label):
                return "an allocation that is too large", self.writer.oversized(label, state, turn.me)
            case Perform(label=Fail(message)) if errors == "failures":
                return message, self.script.true
            case Perform(label=Check(_, condition, message)) if errors == "undefined behaviour":
                return message, self.script.negation(self.encoder.encode(condition, state, turn.me))
            case Perform(label=AtomicBegin() | AtomicEnd()):
                return None
            case Perform(label=ThreadOperation() as label, half=half) if errors == "undefined behaviour":
                wrong = self._misuse.of(turn, label, half, state)
                return None if wrong.is_false else (f"{label.function} is misused", wrong)
        return None

    def _open(self, claim: Claim) -> Iterator[Claim]:
        """A claim with the goals that are not known anyway, if there are such."""
        have = set(claim.known) if self.leaves_out_known else set()
        left = tuple(goal for goal in claim.goals if not goal.node.is_true and goal.node not in have)
        if left:
            yield replace(claim, goals=left)

    def rivals(self, thread: UnfoldedThread) -> Iterator[UnfoldedThread]:
        """The threads that may run beside a thread, another one of its kind among them."""
        for other in self.system.threads:
            if other is not thread or thread.several:
                yield other


def _named(thread: UnfoldedThread) -> str:
    return f"{'a thread' if thread.several else 'the thread'} {thread.routine.name}"
