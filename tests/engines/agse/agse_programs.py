"""The example of the paper and other C programs with threads, for the tests beside this module."""

from __future__ import annotations

from pincer.engines.agse.system_flow import SystemFlow
from tests.analysis.threaded_programs import FIRST

FIGURE_2 = """
struct element { int e; pthread_mutex_t lock; };
struct element elem;
void check(struct element *x) {
  if (x->e > 9) /* BRANCH */
    reach_error(); /* TARGET */
}
void reset(struct element *x) {
  x->e = 11; /* RESET */
}
void *a(void *arg) {
  int started = 1;
  pthread_mutex_lock(&elem.lock); /* LOCK A */
  check(&elem); /* CALL */
  pthread_mutex_unlock(&elem.lock); /* UNLOCK A */
  return 0;
}
void *b(void *arg) {
  int x = __VERIFIER_nondet_int(); /* INPUT */
  if (x > 18) { /* BRANCH B */
    pthread_mutex_lock(&elem.lock); /* LOCK B */
    reset(&elem); /* CALL RESET */
    pthread_mutex_unlock(&elem.lock); /* UNLOCK B */
  }
  return 0;
}
int main(void) {
  pthread_t s, t;
  elem.e = 1;
  pthread_create(&s, 0, a, 0); /* CREATE A */
  pthread_create(&t, 0, b, 0); /* CREATE B */
  return 0;
}
"""


def line_of(text: str, mark: str) -> int:
    """The line of the only place where a text has a mark in a comment of its own."""
    (found,) = [i for i, line in enumerate(text.splitlines(), FIRST) if f"/* {mark} */" in line]
    return found


def lines(flow: SystemFlow, locations: tuple[int, ...] | frozenset[int]) -> list[int]:
    """The lines of statements at locations; a location without a statement is left out."""
    return [flow.edges(location)[0].position.line for location in locations if flow.edges(location)]
