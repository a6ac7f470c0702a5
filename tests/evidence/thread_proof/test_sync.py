"""The steps of the threads library as formulas: which are possible in a given state, and what they lead to."""

from __future__ import annotations

import pytest

from pincer.evidence.c_proof.asking import Asking, Budget
from pincer.evidence.c_proof.smt import Node, Script
from pincer.evidence.thread_proof import leaves
from pincer.evidence.thread_proof.checker import claim_writer
from pincer.evidence.thread_proof.leaves import LeafKind, ThreadStatus
from pincer.evidence.thread_proof.obligations import ClaimWriter
from pincer.evidence.thread_proof.outline import Outline
from pincer.evidence.thread_proof.states import Step
from pincer.evidence.thread_proof.unfolding import unfolded
from pincer.program.thread_labels import Join, Lock, Post, SemaphoreWait, Signal, Start, ThreadOperation, Unlock, Wait
from pincer.program.threaded_system import Move, Perform, UnfoldedThread
from pincer.runtime.run import Run
from tests.evidence.thread_proof.threaded_programs import COUNTER, HAND_OVER, lowered

SEMAPHORE = """
sem_t s;
void *f(void *a) { sem_wait(&s); sem_post(&s); return 0; }
int main(void) { pthread_t t; sem_init(&s, 0, 1); pthread_create(&t, 0, f, 0); pthread_join(t, 0); return 0; }
"""


class Scene:
    """The steps of the moves of one program with a label of a class, and questions about them."""

    def __init__(self, text: str) -> None:
        program = lowered(text)
        self.script = Script()
        self.system = unfolded(program, False)
        self.claims: ClaimWriter = claim_writer(program, self.system, Outline(), self.script, False)
        self._asking = Asking(self.script, Budget(), Run())

    def moves(self, label: type[ThreadOperation], half: str = "") -> tuple[UnfoldedThread, Move]:
        for thread in self.system.threads:
            for move in thread.moves:
                action = move.actions[0]
                if isinstance(action, Perform) and isinstance(action.label, label) and action.half == half:
                    return thread, move
        raise AssertionError("there is no such move")

    def steps(self, label: type[ThreadOperation], half: str = "") -> tuple[list[Step], Node]:
        """The steps, and who makes them."""
        thread, move = self.moves(label, half)
        return self.claims.steps(thread, move), self.claims.encoder.view("me", thread).id

    def before(self, kind: LeafKind, *index: Node) -> Node:
        return self.claims.encoder.before.tables[kind.name].at(self.claims.encoder.index(*index))

    def after(self, step: Step, kind: LeafKind, *index: Node) -> Node:
        return step.after.tables[kind.name].at(self.claims.encoder.index(*index))

    def is_possible(self, *parts: Node) -> bool:
        facts = self.claims.encoder.identities(self.claims.encoder.view("me", self.system.threads[-1]))
        return not self._asking.has_no_model(self.script.conjunction((*facts, *parts)))

    def address(self, number: int) -> Node:
        return self.script.constant(number, self.claims.encoder.bits)

    def equal(self, left: Node, right: Node | int) -> Node:
        other = self.script.constant(right, left.width) if isinstance(right, int) else right
        return self.script.equal(left, other)


def test_a_lock_is_taken_only_if_it_is_free() -> None:
    scene = Scene(COUNTER)
    [step], me = scene.steps(Lock)
    [lock] = scene.claims.writer.library.objects.of(*scene.claims.writer.library.objects.kinds_and_addresses[0][:1])
    owner = scene.before(leaves.OWNER, scene.address(lock))
    assert scene.is_possible(step.guard, scene.equal(owner, 0))
    assert not scene.is_possible(step.guard, scene.equal(owner, me))
    assert scene.after(step, leaves.OWNER, scene.address(lock)) is me


def test_only_the_owner_unlocks() -> None:
    scene = Scene(COUNTER)
    [step], me = scene.steps(Unlock)
    [lock] = dict.fromkeys(address for _, address in scene.claims.writer.library.objects.kinds_and_addresses)
    owner = scene.before(leaves.OWNER, scene.address(lock))
    assert not scene.is_possible(step.guard, scene.equal(owner, 0))
    assert scene.is_possible(step.guard, scene.equal(owner, me))
    assert scene.after(step, leaves.OWNER, scene.address(lock)).value == 0


def test_giving_up_and_waiting_is_one_step_and_going_on_another() -> None:
    scene = Scene(HAND_OVER)
    _, move = scene.moves(Wait, "release")
    assert isinstance(move.actions[0], Perform) and isinstance(move.actions[0].label, Wait)
    objects = scene.claims.writer.library.objects
    condition, lock = (scene.address(objects.address(t)) for t in move.actions[0].label.operands[:2])
    [release], me = scene.steps(Wait, "release")
    assert scene.after(release, leaves.OWNER, lock).value == 0
    assert scene.after(release, leaves.WAITS, me, condition).value == 1
    [resume], me = scene.steps(Wait, "resume")
    waits, owner = scene.before(leaves.WAITS, me, condition), scene.before(leaves.OWNER, lock)
    assert not scene.is_possible(resume.guard, scene.equal(waits, 1))
    assert not scene.is_possible(resume.guard, scene.script.negation(scene.equal(owner, 0)))
    assert scene.is_possible(resume.guard)


def test_a_signal_wakes_whoever_waits_and_nobody_only_if_nobody_does() -> None:
    scene = Scene(HAND_OVER)
    steps, _ = scene.steps(Signal)
    main = scene.claims.encoder.single(0)
    [condition] = scene.claims.writer.library.objects.waiters
    waits = scene.before(leaves.WAITS, main, scene.address(condition))
    lost, woken = steps
    assert not scene.is_possible(lost.guard, scene.equal(waits, 1))
    assert not scene.is_possible(woken.guard, scene.equal(waits, 0))
    assert scene.after(woken, leaves.WAITS, main, scene.address(condition)).value == 0


def test_a_thread_begins_once_and_is_joined_after_its_end() -> None:
    scene = Scene(SEMAPHORE)
    [start], _ = scene.steps(Start)
    born = scene.claims.encoder.single(1)
    status = scene.before(leaves.STATUS, born)
    assert not scene.is_possible(start.guard, scene.equal(status, ThreadStatus.LIVE))
    assert scene.after(start, leaves.STATUS, born).value == ThreadStatus.LIVE
    steps, _ = scene.steps(Join)
    thread, move = scene.moves(Join)
    assert isinstance(move.label, Join)
    view = scene.claims.encoder.view("me", thread)
    joined = scene.claims.encoder.encode(move.label.thread, scene.claims.encoder.before, view)
    for status_now, possible in ((ThreadStatus.LIVE, False), (ThreadStatus.ENDED, True), (ThreadStatus.JOINED, False)):
        now = scene.equal(scene.before(leaves.STATUS, joined), status_now)
        assert any(scene.is_possible(step.guard, now) for step in steps) is possible


@pytest.mark.parametrize(("label", "most", "change"), [(SemaphoreWait, 0, -1), (Post, (1 << 31) - 1, 1)])
def test_permits_are_counted(label: type[ThreadOperation], most: int, change: int) -> None:
    scene = Scene(SEMAPHORE)
    steps, _ = scene.steps(label)
    [semaphore] = dict.fromkeys(address for _, address in scene.claims.writer.library.objects.kinds_and_addresses)
    permits = scene.before(leaves.PERMITS, scene.address(semaphore))
    assert not scene.is_possible(steps[0].guard, scene.equal(permits, most))
    assert scene.after(steps[0], leaves.PERMITS, scene.address(semaphore)) is scene.script.shifted(permits, change)
