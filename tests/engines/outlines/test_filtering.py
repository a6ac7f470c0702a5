"""What is left of guesses is inductive, and what holds is not dropped."""

from __future__ import annotations

from pincer.engines.outlines.filtering import Filter
from pincer.engines.outlines.ordering import ranks
from pincer.engines.outlines.questions import Questions
from pincer.engines.outlines.support import Support
from pincer.evidence.c_proof.smt import Script
from pincer.evidence.thread_proof import leaves
from pincer.evidence.thread_proof.checker import claim_writer
from pincer.evidence.thread_proof.leaves import ME, Status, leaf, thread_leaf
from pincer.evidence.thread_proof.outline import Outline
from pincer.evidence.thread_proof.unfolding import unfolded
from pincer.logic import bitvectors, terms
from pincer.logic.terms import Term
from pincer.program.registers import global_register
from pincer.runtime.run import Run
from tests.evidence.thread_proof.threaded_programs import COUNTER, lowered

X = global_register("x", 32)


def x_is(value: int) -> Term:
    return terms.equal(X, bitvectors.constant(value, 32))


def filtered(standing: tuple[Term, ...], everywhere: tuple[Term, ...]) -> Filter:
    program = lowered(COUNTER)
    system = unfolded(program, False)
    places = {thread.number: dict.fromkeys(thread.places, everywhere) for thread in system.threads}
    script = Script()
    coarse, exact = (claim_writer(program, system, Outline(standing, places), script, flag) for flag in (True, False))
    made = Filter(coarse, exact, Questions(script, Run()))
    for _ in made.run():
        pass
    return made


def the_lock() -> int:
    [lock] = [item.address for item in lowered(COUNTER).objects if item.name == "m"]
    return lock


def mine() -> Term:
    return terms.equal(leaf(leaves.OWNER, the_lock(), bits=64), thread_leaf(ME, 64))


def owners_live() -> Term:
    """Otherwise a thread that is born might hold the lock already."""
    free = terms.equal(leaf(leaves.OWNER, the_lock(), bits=64), bitvectors.constant(0, 64))
    status = leaf(leaves.STATUS, f"owner:{the_lock()}", bits=64)
    return terms.disjunction(free, terms.equal(status, bitvectors.constant(Status.LIVE, 8)))


def test_wrong_guesses_are_dropped_and_right_ones_stay() -> None:
    values = terms.disjunction(x_is(0), x_is(1))
    made = filtered((x_is(0), x_is(7), values), (mine(), terms.negate(mine())))
    assert made.outline.standing == (values,)
    worker = made.outline.assertions[1]
    assert {len(conditions) for conditions in worker.values()} <= {0, 1}
    assert any(conditions == (mine(),) for conditions in worker.values())


def test_ranks_put_ends_of_threads_below_the_locks_they_wait_for() -> None:
    order = ranks(filtered((owners_live(),), (mine(), terms.negate(mine()))))
    assert order is not None
    [rank] = order.locks.values()
    assert order.threads[1] < rank


def test_without_knowing_what_is_held_a_lock_has_no_rank() -> None:
    assert ranks(filtered((), ())) is None


def test_the_support_of_nothing_is_nothing() -> None:
    made = filtered((terms.disjunction(x_is(0), x_is(1)),), ())
    support = Support(made).outline([])
    while True:
        try:
            next(support)
        except StopIteration as ended:
            assert ended.value.standing == ()
            break
