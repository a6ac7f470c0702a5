"""What is waited for, and the claims that exclude deadlocks."""

from __future__ import annotations

import pytest

from pincer.errors import PincerError
from pincer.evidence.c_proof.smt import Script
from pincer.evidence.thread_proof.checker import claim_writer
from pincer.evidence.thread_proof.deadlocks import DeadlockClaims
from pincer.evidence.thread_proof.outline import Order, Outline
from pincer.evidence.thread_proof.unfolding import unfolded
from tests.evidence.thread_proof.threaded_programs import COUNTER, HAND_OVER, lowered


def claims_of(text: str, order: Order) -> DeadlockClaims:
    program = lowered(text, "deadlock")
    return DeadlockClaims(claim_writer(program, unfolded(program, False), Outline(order=order), Script(), False))


def test_locks_joins_signals_and_permits_are_waited_for() -> None:
    text = """
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; sem_t s;
void *f(void *a) { pthread_mutex_lock(&m); pthread_mutex_trylock(&m); sem_wait(&s); sem_trywait(&s); return 0; }
int main(void) { pthread_t t; sem_init(&s, 0, 0); pthread_create(&t, 0, f, 0); pthread_join(t, 0); return 0; }
"""
    assert [found.kind for found in claims_of(text, Order()).blocking] == ["join", "lock", "permit"]
    assert [found.kind for found in claims_of(HAND_OVER, Order()).blocking] == ["lock", "signal", "lock"]


def test_a_lock_without_a_rank_is_refused() -> None:
    with pytest.raises(PincerError, match="no rank"):
        list(claims_of(COUNTER, Order()).ordered())


def test_what_ranks_below_needs_no_proof() -> None:
    [lock] = claims_of(COUNTER, Order()).locks
    right = list(claims_of(COUNTER, Order({lock: 1}, {0: 0, 1: 0})).ordered())
    wrong = list(claims_of(COUNTER, Order({lock: 0}, {0: 0, 1: 0})).ordered())
    assert len(wrong) == len(right) + 1
    assert any("end of the thread itself" in claim.text for claim in wrong)


def test_all_combinations_of_blocked_places_with_a_signal_are_claimed_impossible() -> None:
    texts = [claim.text for claim in claims_of(HAND_OVER, Order()).standstill()]
    assert len(texts) == 2
    assert all("main at" in text for text in texts)


def test_several_threads_that_wait_for_signals_are_refused() -> None:
    text = """
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER;
void *f(void *a) { pthread_mutex_lock(&m); pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t t; while (1) pthread_create(&t, 0, f, 0); }
"""
    with pytest.raises(PincerError, match="several threads"):
        list(claims_of(text, Order()).standstill())


def test_once_is_refused() -> None:
    text = """
pthread_once_t o = PTHREAD_ONCE_INIT; void once(void) { }
int main(void) { pthread_once(&o, once); return 0; }
"""
    with pytest.raises(PincerError, match="pthread_once"):
        claims_of(text, Order())
