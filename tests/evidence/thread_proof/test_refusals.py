"""Nothing is concluded about races from a lock that is refused."""

from __future__ import annotations

import pytest

from pincer.evidence.thread_proof.certificate import CertifiedKind, ThreadProofKind
from pincer.evidence.thread_proof.checker import check_thread_proof, explored_certificate
from pincer.evidence.thread_proof.refusals import refusable
from pincer.program.thread_labels import Lock
from tests.evidence.thread_proof.threaded_programs import COUNTER, is_certified, lowered

TWO = """
int main(void) { pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, g, 0); return 0; }
"""
CONCLUDES = """
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int x;
void *f(void *a) { x = 1; pthread_mutex_lock(&m); return 0; }
void *g(void *a) { if (pthread_mutex_trylock(&m) != 0) assert(x == 1); return 0; }
"""
PROTECTS = """
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int x;
void *f(void *a) { pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m); return 0; }
void *g(void *a) { if (pthread_mutex_trylock(&m) == 0) { assert(x <= 1); pthread_mutex_unlock(&m); } return 0; }
"""


def is_explored(text: str, kind: ThreadProofKind) -> bool:
    program = lowered(text, kind)
    asked: CertifiedKind = kind
    return check_thread_proof(program, explored_certificate(program, asked, False)).accepted


def test_who_is_refused_has_not_seen_what_came_before_the_lock() -> None:
    assert is_explored(CONCLUDES + TWO, "assertions")
    assert not is_explored(CONCLUDES + TWO, "race")
    assert not is_certified(CONCLUDES + TWO, "race")


@pytest.mark.parametrize("lock", ["pthread_mutex_trylock(&m)", "pthread_mutex_timedlock(&m, &soon)"])
def test_who_has_the_lock_is_alone(lock: str) -> None:
    text = (
        "#include <time.h>\nstatic struct timespec soon;\n" + PROTECTS.replace("pthread_mutex_trylock(&m)", lock) + TWO
    )
    assert is_explored(text, "race")
    assert is_certified(text, "race")


def test_every_lock_that_is_tried_may_be_refused() -> None:
    program = lowered(PROTECTS + TWO, "race")
    changed = refusable(program)
    [tried] = (edge for edge in changed.procedures["g"].edges if isinstance(edge.label, Lock))
    [before] = changed.procedures["g"].incoming[tried.source]
    ways = changed.procedures["g"].outgoing[before.source]
    assert len(ways) == 2 and len(changed.procedures["f"].edges) == len(program.procedures["f"].edges)


def test_programs_that_try_no_lock_are_left_alone() -> None:
    program = lowered(COUNTER, "race")
    assert refusable(program) is program
