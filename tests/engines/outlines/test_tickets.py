"""Locks by tickets: what is guessed of them is proved, also where numbers wrap around, and nothing of wrong ones."""

from __future__ import annotations

import pytest

from pincer.engines.outlines.tickets import ticket_ghosts, tickets
from pincer.logic import bitvectors
from tests.engines.outlines.outlined_programs import form_of
from tests.evidence.thread_proof.threaded_programs import is_certified

LOCK = """
TYPE next, serving;
int inside;
void *worker(void *a) {
  while (1) {
    NUMBER mine = atomic_fetch_add(&next, 1);
    while (serving != mine) ;
    inside = inside + 1; assert(inside == 1); inside = inside - 1;
    SERVE;
  }
  return 0;
}
int main(void) {
  pthread_t t;
  START
  return 0;
}
"""
START = "pthread_create(&t, 0, worker, 0);"


def lock(threads: int = 2, serve: str = "atomic_fetch_add(&serving, 1)", bits: str = "unsigned int") -> str:
    made = LOCK.replace("TYPE", f"_Atomic({bits})").replace("NUMBER", bits).replace("SERVE", serve)
    return made.replace("START", START * threads)


@pytest.mark.parametrize(
    "text",
    [lock(), lock(bits="unsigned char"), lock(serve="serving = serving + 1")],
    ids=["two threads", "numbers that soon wrap around", "a plain store serves"],
)
def test_locks_by_tickets_are_proved(text: str) -> None:
    assert is_certified(text, "assertions")


@pytest.mark.parametrize(
    "text",
    [
        lock(serve="atomic_fetch_add(&serving, 2)"),
        lock().replace("unsigned int mine = atomic_fetch_add(&next, 1)", "unsigned int mine = next; next = mine + 1"),
        lock().replace("serving != mine", "serving > mine"),
    ],
    ids=["one is left out", "drawn in two steps", "served too late"],
)
def test_wrong_ones_are_not(text: str) -> None:
    assert not is_certified(text, "assertions")


def test_ghosts_are_set_where_a_ticket_is_drawn_and_given_back_where_the_next_is_served() -> None:
    form = form_of(lock())
    found = tickets(form)
    drawn = {str(each.drawn): each for each in found}
    assert len(drawn) == len(found) == 2  # Either number may be the one that is drawn: both only grow by one.
    made = ticket_ghosts(form, found[:1])
    assert len(made.ghosts) == 4
    values = [value for new in made.updates.values() for value in new.values()]
    assert sorted(bitvectors.constant_value(value) or 0 for value in values if value is not found[0].drawn) == [
        0,
        0,
        1,
        1,
    ]
    assert sum(value is found[0].drawn for value in values) == 2


@pytest.mark.parametrize("text", [lock(1), lock(5), lock().replace(START * 2, f"while (1) {START}")])
def test_one_thread_many_and_any_number_have_none(text: str) -> None:
    assert not tickets(form_of(text))
