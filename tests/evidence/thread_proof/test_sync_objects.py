"""The objects of the threads library in a program."""

from __future__ import annotations

import pytest

from pincer.errors import PincerError
from pincer.evidence.thread_proof.sync_objects import SyncObjects
from pincer.evidence.thread_proof.unfolding import unfolded
from pincer.program.thread_labels import SyncKind
from tests.evidence.thread_proof.threaded_programs import HAND_OVER, lowered


def objects(text: str) -> SyncObjects:
    program = lowered(text)
    return SyncObjects(program, unfolded(program, False))


def test_objects_are_known_by_kind_with_their_bytes_and_who_waits() -> None:
    found = objects(HAND_OVER)
    [mutex], [condition] = found.of(SyncKind.MUTEX), found.of(SyncKind.CONDITION)
    assert dict(found.spans) == {mutex: 40, condition: 48}
    assert [thread.routine.name for thread in found.waiters[condition]] == ["main"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;"
         "int main(void) { pthread_mutex_lock(&m); return 0; }", "zeros"),
        ("pthread_mutex_t m; int main(void) { pthread_mutexattr_t a; pthread_mutexattr_init(&a);"
         "pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE); pthread_mutex_init(&m, &a); return 0; }",
         "other kinds"),
        ("pthread_barrier_t b; int main(void) { pthread_barrier_init(&b, 0, 1); pthread_barrier_wait(&b); return 0; }",
         "barrier"),
        ("pthread_mutex_t m[2];"
         "int main(void) { int i = __VERIFIER_nondet_int(); pthread_mutex_lock(&m[i]); return 0; }", "constant"),
    ],
)  # fmt: skip
def test_other_uses_are_refused(text: str, why: str) -> None:
    with pytest.raises(PincerError, match=why):
        objects(text)
