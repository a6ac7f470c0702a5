"""What is left of guesses is inductive, and what holds is not dropped."""

from __future__ import annotations

from pincer.evidence.thread_proof import leaves
from pincer.evidence.thread_proof.leaves import ME, leaf, thread_leaf
from pincer.evidence.thread_proof.outline import Outline
from pincer.evidence.thread_proof.unfolding import unfolded
from pincer.logic import bitvectors, terms
from pincer.logic.terms import Term
from pincer.program.registers import global_register
from tests.engines.outlines.outlined_programs import filtered
from tests.evidence.thread_proof.threaded_programs import COUNTER, lowered

X = global_register("x", 32)


def x_is(value: int) -> Term:
    return terms.equal(X, bitvectors.constant(value, 32))


def the_lock() -> int:
    [lock] = [item.address for item in lowered(COUNTER).objects if item.name == "m"]
    return lock


def mine() -> Term:
    return terms.equal(leaf(leaves.OWNER, the_lock(), bits=64), thread_leaf(ME, 64))


def test_wrong_guesses_are_dropped_and_right_ones_stay() -> None:
    values = terms.disjunction(x_is(0), x_is(1))
    program = lowered(COUNTER)
    everywhere = {
        thread.number: dict.fromkeys(thread.places, (mine(), terms.negate(mine())))
        for thread in unfolded(program, False).threads
    }
    made = filtered(program, Outline((x_is(0), x_is(7), values), everywhere))
    assert made.outline.standing == (values,)
    worker = made.outline.assertions[1]
    assert {len(conditions) for conditions in worker.values()} <= {0, 1}
    assert any(conditions == (mine(),) for conditions in worker.values())
