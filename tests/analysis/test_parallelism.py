"""Creation and joins tell what may happen in parallel."""

from __future__ import annotations

from pathlib import Path

from pincer.analysis.thread_facts import ThreadFacts
from tests.analysis.threaded_programs import analysed, edges_at, thread_of, two_threads


def together(facts: ThreadFacts, text: str, first: tuple[str, str], second: tuple[str, str]) -> bool:
    """Whether two routines may be at marked lines at the same time."""
    threads = [thread_of(facts, routine) for routine, _ in (first, second)]
    places = [edges_at(facts, text, mark)[0].source for _, mark in (first, second)]
    return facts.parallelism.may_happen_in_parallel(threads[0], places[0], threads[1], places[1])


ORDERED = """
int g;
void *one(void *arg) {
  g = 1; /* ONE */
  return 0;
}
void *two(void *arg) {
  g = 2; /* TWO */
  return 0;
}
int main(void) {
  pthread_t x, y;
  g = 3; /* BEFORE */
  pthread_create(&x, 0, one, 0);
  g = 4; /* DURING */
  pthread_join(x, 0);
  g = 5; /* AFTER */
  pthread_create(&y, 0, two, 0);
  g = 6; /* LAST */
  return 0;
}
"""


def test_a_thread_runs_beside_its_creator_between_creation_and_join(tmp_path: Path) -> None:
    facts = analysed(tmp_path, ORDERED)
    assert not together(facts, ORDERED, ("one", "ONE"), ("main", "BEFORE"))
    assert together(facts, ORDERED, ("one", "ONE"), ("main", "DURING"))
    assert not together(facts, ORDERED, ("one", "ONE"), ("main", "AFTER"))
    assert together(facts, ORDERED, ("main", "LAST"), ("two", "TWO"))


def test_a_joined_thread_does_not_run_beside_one_created_later(tmp_path: Path) -> None:
    facts = analysed(tmp_path, ORDERED)
    assert not together(facts, ORDERED, ("one", "ONE"), ("two", "TWO"))
    assert not together(facts, ORDERED, ("two", "TWO"), ("one", "ONE"))


def test_siblings_run_together(tmp_path: Path) -> None:
    text = two_threads("\ng = 1; /* ONE */\n", "\ng = 2; /* TWO */\n")
    assert together(analysed(tmp_path, text), text, ("one", "ONE"), ("two", "TWO"))


def test_a_join_that_may_be_skipped_or_of_an_unknown_thread_proves_nothing(tmp_path: Path) -> None:
    for join in ("if (g) pthread_join(x, 0);", "pthread_tryjoin_np(x, 0);", "x = y; pthread_join(x, 0);"):
        text = ORDERED.replace("pthread_join(x, 0);", join)
        assert text != ORDERED
        assert together(analysed(tmp_path, text), text, ("one", "ONE"), ("main", "AFTER")), join


def test_joining_a_thread_ends_those_that_it_joined(tmp_path: Path) -> None:
    text = """
int g;
void *inner(void *arg) {
  g = 1; /* INNER */
  return 0;
}
void *outer(void *arg) {
  pthread_t t; pthread_create(&t, 0, inner, 0); pthread_join(t, 0);
  return 0;
}
int main(void) {
  pthread_t t; pthread_create(&t, 0, outer, 0); pthread_join(t, 0);
  g = 2; /* AFTER */
  return 0;
}
"""
    assert not together(analysed(tmp_path, text), text, ("inner", "INNER"), ("main", "AFTER"))
    text = text.replace("pthread_create(&t, 0, inner, 0); pthread_join(t, 0);", "pthread_create(&t, 0, inner, 0);")
    assert together(analysed(tmp_path, text), text, ("inner", "INNER"), ("main", "AFTER"))


def test_a_thread_created_in_a_loop_runs_beside_itself(tmp_path: Path) -> None:
    text = """
int g;
void *run(void *arg) {
  g = 1; /* RUN */
  return 0;
}
int main(void) {
  pthread_t t;
  g = 0; /* BEFORE */
  for (int i = 0; i < 2; i++) pthread_create(&t, 0, run, 0);
  return 0;
}
"""
    facts = analysed(tmp_path, text)
    assert thread_of(facts, "run").several
    assert together(facts, text, ("run", "RUN"), ("run", "RUN"))
    assert not together(facts, text, ("run", "RUN"), ("main", "BEFORE"))


def test_creation_in_a_called_procedure_counts_from_the_call_on(tmp_path: Path) -> None:
    text = """
int g;
void *run(void *arg) {
  g = 1; /* RUN */
  return 0;
}
void spawn(void) { pthread_t t; pthread_create(&t, 0, run, 0); }
int main(void) {
  g = 2; /* BEFORE */
  spawn();
  g = 3; /* AFTER */
  return 0;
}
"""
    facts = analysed(tmp_path, text)
    assert not together(facts, text, ("run", "RUN"), ("main", "BEFORE"))
    assert together(facts, text, ("run", "RUN"), ("main", "AFTER"))


def test_the_main_thread_before_creating_does_not_run_beside_grandchildren(tmp_path: Path) -> None:
    text = """
int g;
void *inner(void *arg) {
  g = 1; /* INNER */
  return 0;
}
void *outer(void *arg) { pthread_t t; pthread_create(&t, 0, inner, 0); return 0; }
int main(void) {
  pthread_t t;
  g = 2; /* BEFORE */
  pthread_create(&t, 0, outer, 0);
  g = 3; /* AFTER */
  return 0;
}
"""
    facts = analysed(tmp_path, text)
    assert not together(facts, text, ("inner", "INNER"), ("main", "BEFORE"))
    assert together(facts, text, ("inner", "INNER"), ("main", "AFTER"))
