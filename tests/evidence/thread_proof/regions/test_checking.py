"""Proofs by regions: found, written, read and checked; and refused where they are changed."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from pincer.evidence.thread_proof.regions.claim import RegionProof
from tests.evidence.thread_proof.regions.region_programs import BOTH, LOCKSTEP, checked, proved

MUTEX = """
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int x;
void *f(void *a) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0; }
void *g(void *a) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0; }
""" + BOTH.replace("AFTER", "assert(x == 2);")
CONDITION = """
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER; int ready, x;
void *f(void *a) {
  pthread_mutex_lock(&m); x = 5; ready = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m); return 0;
}
void *g(void *a) {
  pthread_mutex_lock(&m); while (!ready) pthread_cond_wait(&c, &m); assert(x == 5); pthread_mutex_unlock(&m); return 0;
}
""" + BOTH.replace("AFTER", "")
SEMAPHORE = """
sem_t s; int x;
void *f(void *a) { x = 1; sem_post(&s); return 0; }
void *g(void *a) { sem_wait(&s); assert(x == 1); return 0; }
""" + BOTH.replace("AFTER", "").replace("pthread_t p, q;", "pthread_t p, q; sem_init(&s, 0, 0);")
ARGUMENTS = """
unsigned n, a, b;
void *f(void *out) { unsigned s = 1; for (unsigned k = 0; k < n; k++) s += k; *(unsigned *)out = s; return 0; }
int main(void) {
  pthread_t p, q; n = __VERIFIER_nondet_int();
  pthread_create(&p, 0, f, &a); pthread_create(&q, 0, f, &b); pthread_join(p, 0); pthread_join(q, 0);
  assert(a == b);
}
"""


@pytest.mark.parametrize("text", [LOCKSTEP, MUTEX, CONDITION, SEMAPHORE, ARGUMENTS])
def test_what_is_found_is_accepted(text: str) -> None:
    prover, proof = proved(text)
    assert proof is not None
    answer = checked(text, prover, proof)
    assert answer.accepted, answer.refused


@pytest.mark.parametrize(
    ("text", "change"),
    [
        (LOCKSTEP, ("a += k", "a += k + 1")),
        (MUTEX, ("{ pthread_mutex_lock(&m); x++;", "{ x++; pthread_mutex_lock(&m);")),
        (CONDITION, ("while (!ready)", "if (!ready && x)")),
        (CONDITION, ("x = 5; ready = 1;", "ready = 1; pthread_mutex_unlock(&m); pthread_mutex_lock(&m); x = 5;")),
        (SEMAPHORE, ("0, 0);", "0, 1);")),
        (SEMAPHORE, ("x = 1; sem_post(&s);", "sem_post(&s); x = 1;")),
    ],
)
def test_nothing_is_proved_of_programs_that_err(text: str, change: tuple[str, str]) -> None:
    changed = text.replace(*change)
    assert changed != text
    assert proved(changed)[1] is None


def test_others_that_move_are_refused() -> None:
    prover, proof = proved(MUTEX)
    assert proof is not None
    refused = 0
    for number, region in enumerate(proof.regions):
        if len(region.move) > 1:
            fewer = replace(region, move=region.move[:1])
            regions = (*proof.regions[:number], fewer, *proof.regions[number + 1 :])
            answer = checked(MUTEX, prover, RegionProof(regions, proof.proof))
            assert not answer.accepted
            assert "more threads have to move" in answer.refused[0]
            refused += 1
    assert refused


def test_locks_that_are_not_held_are_refused() -> None:
    prover, proof = proved(MUTEX)
    assert proof is not None
    (lock,) = {lock for region in proof.regions for lock, _ in region.held}
    regions = tuple(replace(region, held=((lock, 1),)) for region in proof.regions)
    assert not checked(MUTEX, prover, RegionProof(regions, proof.proof)).accepted


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda region: replace(region, at=region.at[:-1]), "begins"),
        (lambda region: replace(region, then=()), "does not say where"),
        (lambda region: replace(region, move=(2,)), "cannot"),
    ],
)
def test_regions_must_fit(change: object, said: str) -> None:
    prover, proof = proved(LOCKSTEP)
    assert proof is not None and callable(change)
    answer = checked(LOCKSTEP, prover, RegionProof((change(proof.regions[0]), *proof.regions[1:]), proof.proof))
    assert not answer.accepted and said in answer.refused[0]


def test_a_move_leads_where_it_leads() -> None:
    prover, proof = proved(LOCKSTEP)
    assert proof is not None
    first = proof.regions[0]
    wrong = replace(first, then=tuple(replace(item, region=item.region + 1) for item in first.then))
    answer = checked(LOCKSTEP, prover, RegionProof((wrong, *proof.regions[1:]), proof.proof))
    assert not answer.accepted and "leads to where it does not" in answer.refused[0]


def test_an_error_that_an_endless_thread_hides_is_not_lost() -> None:
    """Trap: regions in which only the endless thread moves have a product without errors."""
    text = """
int a, b;
void *f(void *x) { while (1) a++; return 0; }
void *g(void *x) { b = 1; assert(b == 0); return 0; }
""" + BOTH.replace("AFTER", "")
    assert proved(text)[1] is None
