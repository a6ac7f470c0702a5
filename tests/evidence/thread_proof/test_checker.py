"""The checker accepts outlines of right programs, and none of wrong ones or with a part missing."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from msgspec.structs import replace

from pincer.engines.outlines.proving import OutlineProver
from pincer.evidence.c_proof.asking import Budget
from pincer.evidence.thread_proof.certificate import ThreadCertificate, ThreadProofKind
from pincer.evidence.thread_proof.checker import check_thread_proof, explored_certificate, unsigned_certificate
from pincer.evidence.thread_proof.exploration.claim import ExplorationClaim
from pincer.evidence.thread_proof.outline import Order, Outline
from pincer.evidence.thread_proof.unfolding import unfolded
from pincer.logic import bitvectors, terms
from pincer.program.threaded_system import Place
from pincer.runtime.run import Run
from tests.evidence.thread_proof.threaded_programs import (
    COUNTER,
    HAND_OVER,
    SPIN_LOCK,
    certificate,
    checked,
    lowered,
    proved,
)
from tests.fuzz.threads.outlines import forgery, judge_outlines, run_prover


def found(text: str, kind: ThreadProofKind = "assertions") -> Outline:
    outline = proved(text, kind)
    assert outline is not None
    return outline


@pytest.mark.parametrize("kind", ["assertions", "race", "deadlock"])
@pytest.mark.parametrize("text", [SPIN_LOCK, COUNTER, HAND_OVER])
def test_outlines_of_right_programs_are_accepted(text: str, kind: ThreadProofKind) -> None:
    answer = checked(text, found(text, kind), kind)
    assert answer.accepted, answer.refused


def test_without_the_ghost_of_who_holds_it_a_spin_lock_is_not_proved() -> None:
    outline = found(SPIN_LOCK)
    assert outline.updates
    assert not checked(SPIN_LOCK, replace(outline, updates={})).accepted


def test_a_condition_that_is_needed_cannot_be_left_out() -> None:
    outline = found(COUNTER)
    needed = 0
    for place, conditions in outline.assertions[1].items():
        places = {**outline.assertions[1], place: conditions[1:]}
        needed += not checked(COUNTER, replace(outline, assertions={**outline.assertions, 1: places})).accepted
    assert needed >= 4


def test_ranks_the_wrong_way_round_are_refused() -> None:
    outline = found(COUNTER, "deadlock")
    assert outline.order is not None
    upside_down = Order(
        {lock: -rank for lock, rank in outline.order.locks.items()},
        {thread: -rank for thread, rank in outline.order.threads.items()},
    )
    assert not checked(COUNTER, replace(outline, order=upside_down), "deadlock").accepted
    assert not checked(COUNTER, replace(outline, order=None), "deadlock").accepted


def test_that_nobody_is_ever_somewhere_must_be_shown() -> None:
    for text in (SPIN_LOCK, COUNTER, HAND_OVER):
        for thread in unfolded(lowered(text), False).threads:
            nowhere = Outline(assertions={thread.number: {thread.entry: (terms.FALSE,)}})
            assert not checked(text, nowhere).accepted


def test_the_outline_of_one_property_is_not_taken_for_another() -> None:
    outline = found(SPIN_LOCK, "deadlock")
    assert not checked(SPIN_LOCK, outline, "assertions").accepted
    assert not checked(SPIN_LOCK, outline, "race").accepted


def test_what_stands_is_not_about_one_thread() -> None:
    about_me = terms.equal(bitvectors.variable("(owner 85899345920)", 64), bitvectors.variable("me", 64))
    register = terms.equal(bitvectors.variable("worker::a", 64), bitvectors.constant(0, 64))
    for condition in (about_me, register):
        answer = checked(COUNTER, replace(found(COUNTER), standing=(condition,)))
        assert not answer.accepted
        assert "every state" in answer.refused[0]


@pytest.mark.parametrize(
    "condition",
    [
        bitvectors.variable("(holder 5)", 64),
        bitvectors.variable("(owner me)", 64),
        bitvectors.variable("(status #1)", 8),
        bitvectors.variable("(status ghost:nobody)", 8),
        bitvectors.variable("nothing", 32),
        bitvectors.variable("x", 16),
        bitvectors.variable("ghost:unknown", 8),
    ],
)
def test_conditions_about_what_there_is_not_are_refused(condition: terms.Term) -> None:
    zero = bitvectors.constant(0, bitvectors.width(condition))
    places = {Place((), lowered(COUNTER).procedures["main"].entry): (terms.equal(condition, zero),)}
    assert not checked(COUNTER, Outline(assertions={0: places})).accepted


def test_another_version_of_the_program_is_refused() -> None:
    made = certificate(COUNTER, found(COUNTER))
    program = lowered(COUNTER)
    assert not check_thread_proof(program, made, sha256="other").accepted
    assert not check_thread_proof(program, replace(made, data_model="ILP32")).accepted
    assert not check_thread_proof(program, replace(made, entry="start")).accepted
    assert not check_thread_proof(program, replace(made, threads=made.threads[:1])).accepted
    alone = (made.threads[0], replace(made.threads[1], several=False))
    assert not check_thread_proof(program, replace(made, threads=alone)).accepted


def test_without_time_nothing_is_accepted() -> None:
    answer = check_thread_proof(lowered(COUNTER), certificate(COUNTER, found(COUNTER)), Budget(seconds=0))
    assert not answer.accepted


def test_forged_outlines_of_wrong_programs_are_refused() -> None:
    wrong = COUNTER.replace("x = 0;", "")
    system = unfolded(lowered(wrong.replace("x == 1", "x == 0")), False)
    outline = found(COUNTER)
    dice = random.Random(7)
    for _ in range(20):
        forged = forgery(outline, system, dice)
        assert not checked(wrong.replace("x == 1", "x == 0"), forged).accepted


def test_random_programs_agree_with_brute_force() -> None:
    assert list(judge_outlines(range(1, 9), Counter())) == []


def test_an_exploration_is_repeated_and_counted() -> None:
    program = lowered(HAND_OVER, "deadlock")
    answer = check_thread_proof(program, explored_certificate(program, "deadlock", False))
    assert answer.accepted and answer.visited[0] > 5 and answer.obligations == answer.visited[1]
    claim = explored_certificate(program, "deadlock", False, answer.visited)
    written = ThreadCertificate.from_json(claim.to_json())
    assert written == claim and check_thread_proof(program, written).accepted


def test_explorations_of_wrong_programs_are_refused() -> None:
    wrong = HAND_OVER.replace("assert(ready == 1)", "assert(ready == 0)")
    answer = check_thread_proof(lowered(wrong), explored_certificate(lowered(wrong), "assertions", False))
    assert not answer.accepted and not answer.unfinished and "failure" in answer.refused[0]


def test_an_exploration_that_does_not_end_where_it_is_claimed_to_is_refused() -> None:
    alone = "int main(void) { static unsigned long n; while (1) { n = n + 1; if (!n) return 1; } }"
    counting = COUNTER.replace("x = 1; assert(x == 1); x = 0;", "x = x + 1; if (x == 70000) return 0;").replace(
        "while (1) pthread_create", "pthread_create"
    )
    for text in (
        alone,
        counting.replace(
            "worker, 0); }", "worker, 0); while (1) pthread_mutex_lock(&m), x--, pthread_mutex_unlock(&m); }"
        ),
    ):
        program = lowered(text)
        answer = check_thread_proof(program, explored_certificate(program, "assertions", False, (10, 10)))
        assert not answer.accepted and answer.unfinished and "moves" in answer.refused[0]


def test_an_exploration_for_another_program_or_model_is_refused() -> None:
    program = lowered(HAND_OVER)
    claim = explored_certificate(program, "assertions", False)
    for forged in (
        replace(claim, data_model="ILP32"),
        replace(claim, entry="giver"),
        replace(claim, explored=None),
        replace(claim, explored=None, property="memory"),
    ):
        assert not check_thread_proof(program, forged).accepted
    assert not check_thread_proof(program, replace(claim, sha256="1"), sha256="2").accepted
    assert check_thread_proof(program, replace(claim, explored=ExplorationClaim(1, 1))).accepted


def test_what_the_program_leaves_open_cannot_be_certified() -> None:
    text = "sem_t s;" + COUNTER.replace("x = 1;", "int v; sem_getvalue(&s, &v); x = v;")
    program = lowered(text, "race")
    assert any("race" in assumption.leaves_open for assumption in program.assumptions)
    answer = check_thread_proof(program, explored_certificate(program, "race", False))
    assert not answer.accepted and "not known" in answer.refused[0]


def test_a_proof_about_an_opened_program_is_about_that_alone() -> None:
    text = """
int x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *worker(void *a) { while (1) { pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m); } }
int main(void) { pthread_t t[2]; for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, worker, 0); return 0; }
"""
    program = lowered(text)
    prover = OutlineProver(program, "race", False, Run())
    outline, _ = run_prover(prover)
    assert outline is not None and prover.system is not None and prover.program is not program
    proof = unsigned_certificate(program, prover.system, outline, "race", False)
    assert not check_thread_proof(program, replace(proof, opened=False)).accepted
    again = ThreadCertificate.from_json(proof.to_json())
    assert again == proof and check_thread_proof(program, again).accepted
