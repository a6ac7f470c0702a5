"""Ranks of locks and of the ends of threads: what is held ranks below what is waited for."""

from __future__ import annotations

from pincer.engines.outlines.candidates import Candidates
from pincer.engines.outlines.form import ThreadedForm
from pincer.engines.outlines.ordering import ranks
from pincer.evidence.thread_proof.outline import Order, Outline
from pincer.evidence.thread_proof.sync_objects import SyncObjects
from pincer.evidence.thread_proof.unfolding import unfolded
from tests.engines.outlines.outlined_programs import filtered
from tests.evidence.thread_proof.threaded_programs import COUNTER, lowered

LOCKS = "pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER; int x;"
TAKE, GIVE = "pthread_mutex_lock(&{});", "pthread_mutex_unlock(&{});"


def locked(*names: str, inside: str = "x = 1;") -> str:
    """Locks are taken one after the other, and given back."""
    taken, given = (" ".join(map(text.format, names)) for text in (TAKE, GIVE))
    return f"{taken} {inside} {given}"


def two_threads(first: str, second: str) -> str:
    """A thread that does one thing while the main one does another and waits for it."""
    started = "pthread_t t; pthread_create(&t, 0, f, 0);"
    return f"{LOCKS} void *f(void *p) {{ {first} return 0; }} int main(void) {{ {started} {second} return 0; }}"


def order_of(text: str, guess: bool = True) -> Order | None:
    program = lowered(text, "deadlock")
    system = unfolded(program, False)
    form = ThreadedForm(program, system, SyncObjects(program, system))
    return ranks(filtered(program, Candidates(form, blocks=False, waits=True).outline() if guess else Outline()))


def ranked(text: str) -> dict[str, int]:
    """The ranks of locks by their names, those of the ends of threads by numbers."""
    order = order_of(text)
    assert order is not None
    names = {item.address: item.name for item in lowered(text, "deadlock").objects}
    return {names[lock]: rank for lock, rank in order.locks.items()} | {str(n): r for n, r in order.threads.items()}


def test_the_inner_lock_ranks_above_the_outer_one_and_ends_of_threads_below_both() -> None:
    for outer, inner in ("ab", "ba"):
        both = locked(outer, inner)
        found = ranked(two_threads(both, f"{both} pthread_join(t, 0);"))
        assert found[outer] < found[inner]
        assert found["0"] < found["1"] < found[outer]


def test_locks_taken_in_both_orders_have_no_ranks() -> None:
    assert order_of(two_threads(locked("a", "b"), locked("b", "a"))) is None


def test_who_joins_with_a_lock_in_hand_must_not_wait_for_one_that_wants_it() -> None:
    joined = locked("a", inside="pthread_join(t, 0);")
    assert order_of(two_threads(locked("a"), joined)) is None
    found = ranked(two_threads(locked("b"), joined))
    assert found["a"] < found["1"] < found["b"]


def test_taking_a_lock_twice_is_a_circle() -> None:
    assert order_of(two_threads(locked("a", "a"), "x = 1;")) is None


def test_without_knowing_what_is_held_a_lock_has_no_rank() -> None:
    assert order_of(COUNTER) is not None
    assert order_of(COUNTER, guess=False) is None
