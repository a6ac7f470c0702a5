"""How threads begin and end."""

from __future__ import annotations

from .explored_programs import explored

TEXT = """
int x; void *one(void *a) { x = (int) (long) a; return (void *) ((long) a + 1); }
int main(void) {
  pthread_t t; void *r; pthread_create(&t, 0, one, (void *) 4L); pthread_join(t, &r);
  assert(x == 4 && (long) r == 5);
  return 0;
}
"""


def test_arguments_and_results_are_delivered() -> None:
    assert explored(TEXT) == "" and explored(TEXT, "race") == ""
    assert "failure" in explored(TEXT.replace("== 5", "== 4"))


def test_a_result_may_depend_on_inputs() -> None:
    text = TEXT.replace("(void *) 4L", "(void *) (long) __VERIFIER_nondet_uchar()").replace(
        "x == 4 && (long) r == 5", "{}"
    )
    assert explored(text.replace("{}", "(long) r == x + 1")) == ""
    assert "failure" in explored(text.replace("{}", "x != 200"))


def test_threads_end_by_calls() -> None:
    text = TEXT.replace("return (void *) ((long) a + 1);", "pthread_exit((void *) 5L);")
    assert explored(text) == ""
    ends = "int x; void *one(void *a) { assert(x == 0); return 0; } int main(void) { pthread_t t; " \
           "pthread_create(&t, 0, one, 0); pthread_exit(0); x = 1; }"  # fmt: skip
    assert explored(ends) == "" and explored(ends, "deadlock") == ""


def test_the_end_of_main_is_the_end() -> None:
    text = "int x; void *one(void *a) { while (1) x = 1 - x; } " \
           "int main(void) { pthread_t t; pthread_create(&t, 0, one, 0); return 0; }"  # fmt: skip
    assert explored(text, "deadlock") == ""


def test_threads_are_joined_once_and_not_when_detached() -> None:
    assert explored(TEXT.replace("pthread_join(t, &r);", "pthread_join(t, &r); pthread_join(t, &r);")).startswith(
        "refused"
    )
    assert explored(TEXT.replace("pthread_join(t, &r);", "pthread_detach(t); pthread_join(t, &r);")).startswith(
        "refused"
    )


def test_who_joins_waits_and_circles_of_that_are_deadlocks() -> None:
    text = """
pthread_t t; void *one(void *a) { pthread_join(*(pthread_t *) a, 0); return 0; }
int main(void) { pthread_t me = pthread_self(); pthread_create(&t, 0, one, &me); pthread_join(t, 0); return 0; }
"""
    assert "circle" in explored(text, "deadlock")


def test_threads_know_themselves() -> None:
    text = """
pthread_t t; void *one(void *a) { assert(pthread_equal(pthread_self(), t)); return 0; }
int main(void) { pthread_create(&t, 0, one, 0); pthread_join(t, 0); return 0; }
"""
    assert explored(text) == ""


def test_a_start_routine_without_a_body_is_not_followed() -> None:
    text = "void *one(void *a); int main(void) { pthread_t t; pthread_create(&t, 0, one, 0); return 0; }"
    assert explored(text).startswith("unexplored")
