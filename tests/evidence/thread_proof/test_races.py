"""Claims about accesses: who is about to access the same data."""

from __future__ import annotations

from pincer.evidence.c_proof.smt import Script
from pincer.evidence.thread_proof.checker import claim_writer
from pincer.evidence.thread_proof.outline import Outline
from pincer.evidence.thread_proof.races import RaceClaims
from pincer.evidence.thread_proof.unfolding import unfolded
from tests.evidence.thread_proof.threaded_programs import lowered

TEXT = """
int x, y; atomic_int a; struct { int n[2000]; } big, other;
void *f(void *p) { x = 1; a = 2; other = big; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); int r = x; y = 1; a = 3; big.n[0] = 1; return r; }
"""


def claims(all_accesses: bool) -> int:
    """How many pairs of places have accesses to the same data."""
    program = lowered(TEXT)
    system = unfolded(program, False)
    races = RaceClaims(claim_writer(program, system, Outline(), Script(), False))
    main, other = system.threads
    return sum(
        len(list(races.apart((main, here), (other, there), all_accesses)))
        for here in main.places
        for there in other.places
    )


def test_plain_accesses_to_the_same_data_are_claimed_to_be_apart() -> None:
    """x is read here and written there, and the record is copied there while it is written; the atomic one is not."""
    assert claims(all_accesses=True) == 2


def test_without_the_question_for_races_only_copies_of_blocks_count() -> None:
    assert claims(all_accesses=False) == 1


def test_the_bytes_of_a_mutex_are_not_for_others() -> None:
    text = """
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int x[4];
int main(void) { int i = __VERIFIER_nondet_int(); pthread_mutex_lock(&m); x[i] = 1; x[0] = 2; return 0; }
"""
    program = lowered(text)
    system = unfolded(program, False)
    races = RaceClaims(claim_writer(program, system, Outline(), Script(), False))
    main = system.threads[0]
    assert sum(len(list(races.untouched(main, place))) for place in main.places) == 1
