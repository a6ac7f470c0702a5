"""What is easily got wrong about threads: programs that must not be proved, each beside one that is right."""

from __future__ import annotations

import pytest

from pincer.evidence.thread_proof.certificate import ThreadProofKind
from pincer.evidence.thread_proof.outline import Outline
from pincer.evidence.thread_proof.unfolding import Unfoldable
from tests.evidence.thread_proof.threaded_programs import checked, is_certified

TWO = "int main(void) { pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, g, 0); return 0; }"
ONE = "int main(void) { pthread_t a; pthread_create(&a, 0, f, 0); g(0); return 0; }"


@pytest.mark.parametrize("hidden", ["while (1);", "__VERIFIER_assume(0);", "while (1) { }"])
def test_a_write_before_an_endless_loop_or_a_stuck_place_is_seen_by_others(hidden: str) -> None:
    text = f"int x; void *f(void *a) {{ x = 1; {hidden} return 0; }} void *g(void *a) {{ assert(x == 0); return 0; }}"
    assert not is_certified(text + TWO)
    assert is_certified(text.replace("x = 1", "x = 0") + TWO)


def test_the_moment_between_flag_and_turn_is_not_lost() -> None:
    """Peterson's algorithm with the two assignments of one thread in the wrong order."""
    text = """
atomic_int f0, f1, turn; int x;
void *f(void *a) { turn = 1; f0 = 1; while (f1 == 1 && turn == 1); x = 0; assert(x <= 0); f0 = 0; return 0; }
void *g(void *a) { f1 = 1; turn = 0; while (f0 == 1 && turn == 0); x = 1; assert(x >= 1); f1 = 0; return 0; }
"""
    assert not is_certified(text + TWO)


@pytest.mark.parametrize(
    ("signal", "kind", "right"),
    [
        ("pthread_cond_signal(&c);", "deadlock", True),
        ("", "deadlock", False),
        ("pthread_cond_broadcast(&c);", "deadlock", True),
    ],
)
def test_a_wait_without_a_signal_is_a_deadlock(signal: str, kind: ThreadProofKind, right: bool) -> None:
    text = f"""
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER; int ready;
void *f(void *a) {{ pthread_mutex_lock(&m); ready = 1; {signal} pthread_mutex_unlock(&m); return 0; }}
void *g(void *a) {{
  pthread_mutex_lock(&m);
  while (ready == 0) pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  return 0;
}}
"""
    assert is_certified(text + ONE, kind) is right


def test_a_signal_before_the_condition_is_set_is_lost() -> None:
    text = """
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER; int ready;
void *f(void *a) { pthread_cond_signal(&c); pthread_mutex_lock(&m); ready = 1; pthread_mutex_unlock(&m); return 0; }
void *g(void *a) {
  pthread_mutex_lock(&m); while (ready == 0) pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m); return 0;
}
"""
    assert not is_certified(text + ONE, "deadlock")


def test_waiting_may_end_without_a_signal_when_that_is_asked_for() -> None:
    text = """
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER; int ready;
void *f(void *a) { pthread_mutex_lock(&m); ready = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m); return 0; }
void *g(void *a) {
  pthread_mutex_lock(&m); if (ready == 0) pthread_cond_wait(&c, &m); assert(ready == 1); pthread_mutex_unlock(&m);
  return 0;
}
"""
    assert not is_certified(text + ONE, "assertions", spurious=True)
    assert is_certified(text.replace("if (ready", "while (ready") + ONE, "assertions", spurious=True)


def test_a_lock_that_two_threads_take_in_different_orders_is_a_deadlock() -> None:
    text = """
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
void *f(void *a) {
  pthread_mutex_lock(&m); pthread_mutex_lock(&n); pthread_mutex_unlock(&n); pthread_mutex_unlock(&m); return 0;
}
void *g(void *a) {
  pthread_mutex_lock(&n); pthread_mutex_lock(&m); pthread_mutex_unlock(&m); pthread_mutex_unlock(&n); return 0;
}
"""
    assert not is_certified(text + TWO, "deadlock")
    assert is_certified(text.split("void *g")[0] + "void *g(void *a) { return f(a); }" + TWO, "deadlock")


@pytest.mark.parametrize("end", ["return 0;", "pthread_exit(0);"])
def test_a_lock_must_not_be_held_at_the_end_of_a_thread(end: str) -> None:
    text = f"""
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *f(void *a) {{ pthread_mutex_lock(&m); {end} }}
void *g(void *a) {{ pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return 0; }}
"""
    assert not is_certified(text + TWO, "deadlock")


def test_locking_twice_is_a_deadlock() -> None:
    text = """
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *f(void *a) { pthread_mutex_lock(&m); pthread_mutex_lock(&m); return 0; }
void *g(void *a) { return 0; }
"""
    assert not is_certified(text + TWO, "deadlock")


def test_only_joined_threads_are_over() -> None:
    text = """
int x;
void *f(void *a) { x = 1; x = 2; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); assert(x != 1); x = 3; return 0; }
"""
    assert is_certified(text, "race")
    assert is_certified(text)
    for worse in (text.replace("pthread_join(t, 0);", ""), text.replace("pthread_join(t, 0);", "pthread_detach(t);")):
        assert not is_certified(worse, "race")
        assert not is_certified(worse)


def test_the_return_of_main_ends_all_threads_and_its_exit_none() -> None:
    text = """
int x;
void *f(void *a) { assert(x == 0); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); END }
"""
    assert is_certified(text.replace("END", "return 0;"))
    assert not is_certified(text.replace("END", "x = 1; pthread_exit(0);"))


def test_mixed_atomic_and_plain_accesses_race() -> None:
    text = "int x; void *f(void *a) { __atomic_store_n(&x, 1, __ATOMIC_SEQ_CST); return 0; }"
    plain = "void *g(void *a) { int y = x; return 0; }"
    atomic = "void *g(void *a) { int y = __atomic_load_n(&x, __ATOMIC_SEQ_CST); return 0; }"
    assert not is_certified(text + plain + TWO, "race")
    assert is_certified(text + atomic + TWO, "race")


def test_a_section_is_one_step_and_what_is_outside_is_not() -> None:
    text = """
int x, y;
void *f(void *a) { __VERIFIER_atomic_begin(); x = 1; y = 1; __VERIFIER_atomic_end(); return 0; }
void *g(void *a) { __VERIFIER_atomic_begin(); int u = x, v = y; __VERIFIER_atomic_end(); assert(u == v); return 0; }
"""
    assert is_certified(text + TWO)
    torn = text.replace("__VERIFIER_atomic_begin(); x = 1; y = 1; __VERIFIER_atomic_end();", "x = 1; y = 1;")
    assert not is_certified(torn + TWO)


def test_readers_share_and_writers_do_not() -> None:
    text = """
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER; int x;
void *f(void *a) { while (1) { pthread_rwlock_wrlock(&l); x = x + 1; pthread_rwlock_unlock(&l); } return 0; }
void *g(void *a) { while (1) { pthread_rwlock_rdlock(&l); int y = x; pthread_rwlock_unlock(&l); } return 0; }
int main(void) {
  pthread_t a; pthread_create(&a, 0, f, 0); while (1) pthread_create(&a, 0, g, 0);
}
"""
    assert is_certified(text, "race")
    assert not is_certified(text.replace("wrlock", "rdlock"), "race")


def test_two_threads_of_one_kind_are_two() -> None:
    text = """
int x;
void *f(void *a) { x = x + 1; return 0; }
int main(void) { pthread_t t; for (int i = 0; i < 2; i++) pthread_create(&t, 0, f, 0); return 0; }
"""
    assert not is_certified(text, "race")
    assert not is_certified(text.replace("x = x + 1;", "x = x + 1; assert(x == 1);"))


def test_a_lock_that_was_not_had_protects_nothing() -> None:
    text = """
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int x;
void *f(void *a) { if (pthread_mutex_trylock(&m) == 0) { x = x + 1; pthread_mutex_unlock(&m); } return 0; }
void *g(void *a) { pthread_mutex_lock(&m); x = x + 1; pthread_mutex_unlock(&m); return 0; }
"""
    assert is_certified(text + TWO, "race")
    assert not is_certified(
        text.replace("if (pthread_mutex_trylock(&m) == 0)", "pthread_mutex_trylock(&m);") + TWO, "race"
    )


def test_permits_are_counted() -> None:
    text = """
sem_t s; int x;
void *f(void *a) { sem_wait(&s); x = x + 1; sem_post(&s); return 0; }
int main(void) { pthread_t t, u; sem_init(&s, 0, PERMITS);
  pthread_create(&t, 0, f, 0); pthread_create(&u, 0, f, 0); pthread_join(t, 0); pthread_join(u, 0); return 0; }
"""
    assert not is_certified(text.replace("PERMITS", "2"), "race")
    assert not is_certified(text.replace("PERMITS", "0"), "deadlock")


@pytest.mark.parametrize(
    "text",
    [
        "void *f(void *a) { f(a); return 0; }" + TWO.replace("g", "f"),
        "pthread_mutex_t m[2]; void *f(void *a) { pthread_mutex_lock(&m[(long)a]); return 0; }" + TWO.replace("g", "f"),
        "pthread_barrier_t b; void *f(void *a) { pthread_barrier_wait(&b); return 0; }" + TWO.replace("g,", "f,"),
        "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; void *f(void *a) { *(int *)&m = 1; pthread_mutex_lock(&m);"
        " return 0; }" + TWO.replace("g,", "f,"),
        "_Thread_local int t; void *f(void *a) { int *p = &t; *p = 1; return 0; }" + TWO.replace("g,", "f,"),
    ],
)  # fmt: skip
def test_what_is_not_followed_is_refused(text: str) -> None:
    try:
        answer = checked(text, Outline())
    except Unfoldable:
        return
    assert not answer.accepted


@pytest.mark.parametrize(("type", "right"), [("__int128", False), ("long", True)])
def test_a_value_wider_than_a_word_is_read_in_parts(type: str, right: bool) -> None:
    text = f"{type} v; void *f(void *a) {{ while (1) {{ v = -1; v = 0; }} }}"
    reader = f"void *g(void *a) {{ {type} t = v; assert(t == 0 || t == -1); return 0; }}"
    assert is_certified(text + reader + TWO) is right
