"""Conditions, barriers, semaphores and what runs once."""

from __future__ import annotations

from .explored_programs import explored, two

CONDITION = "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER; int x, y;"
WAIT = "pthread_mutex_lock(&m); while (!x) pthread_cond_wait(&c, &m); assert(x == 1); pthread_mutex_unlock(&m);"
SIGNAL = "pthread_mutex_lock(&m); x = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m);"


def test_a_signal_wakes_who_waits() -> None:
    for kind in ("assertions", "race", "deadlock", "memory"):
        assert explored(two(WAIT, SIGNAL, CONDITION), kind) == ""


def test_a_lost_signal_is_a_deadlock() -> None:
    lost = two(WAIT.replace("while (!x)", ""), SIGNAL.replace("x = 1;", "x = 1;"), CONDITION)
    assert "never comes" in explored(lost, "deadlock")


def test_waiting_without_a_loop_fails_only_with_spurious_wake_ups() -> None:
    hasty = two(WAIT.replace("while (!x)", "if (!x)"), SIGNAL, CONDITION)
    assert explored(hasty) == ""
    assert "failure" in explored(hasty, spurious=True)


def test_a_signal_wakes_only_one_and_any() -> None:
    wait = "pthread_mutex_lock(&m); x++; pthread_cond_wait(&c, &m); {} pthread_mutex_unlock(&m);"
    after = "pthread_mutex_lock(&m); if (x == 2) { pthread_cond_signal(&c); } pthread_mutex_unlock(&m);"
    text = two(wait.replace("{}", "y = 1;"), wait.replace("{}", "assert(y == 1);"), CONDITION)
    text = text.replace("pthread_join(s, 0);", after + "pthread_join(s, 0);")
    assert "failure" in explored(text)
    assert "never comes" in explored(text, "deadlock")


def test_a_barrier_holds_until_all_are_there() -> None:
    shared = "pthread_barrier_t b; int x, y;"
    first = "x = 1; pthread_barrier_wait(&b); assert(y == 1);"
    second = "y = 1; int r = pthread_barrier_wait(&b); assert(x == 1); assert(r == 0 || r == -1);"
    text = two(first, second, shared).replace("pthread_t s, t;", "pthread_t s, t; pthread_barrier_init(&b, 0, 2);")
    assert explored(text) == "" and explored(text, "race") == "" and explored(text, "deadlock") == ""
    assert "failure" in explored(text.replace("r == 0 || r == -1", "r == -1"))
    assert "failure" in explored(text.replace("r == 0 || r == -1", "r == 0"))
    assert "never comes" in explored(text.replace("0, 2)", "0, 3)"), "deadlock")


def test_semaphores_count() -> None:
    shared = "sem_t p; int x, y;"
    body = "sem_wait(&p); x = x + 1; sem_post(&p);"
    text = two(body, body, shared, "int v; sem_getvalue(&p, &v); assert(v == 1 && x == 2);")
    text = text.replace("pthread_t s, t;", "pthread_t s, t; sem_init(&p, 0, 1);")
    assert explored(text) == "" and explored(text, "deadlock") == ""
    assert "same data" in explored(text.replace("0, 1)", "0, 2)"), "race")


def test_a_semaphore_that_is_zero_refuses_who_only_tries() -> None:
    text = "sem_t s; int main(void) { sem_init(&s, 0, 0); assert(sem_trywait(&s) == -1 && errno == EAGAIN); return 0; }"
    assert explored(text) == ""


def test_a_routine_runs_once() -> None:
    shared = "pthread_once_t o = PTHREAD_ONCE_INIT; int x; void set(void) { x = x + 1; }"
    body = "pthread_once(&o, set); assert(x == 1);"
    text = two(body, body, shared)
    assert explored(text) == "" and explored(text, "race") == "" and explored(text, "deadlock") == ""


def test_a_time_limit_may_pass() -> None:
    text = two(
        "struct timespec l = {1, 0}; pthread_mutex_lock(&m); int r = 0;"
        "while (!x && !r) r = pthread_cond_timedwait(&c, &m, &l);"
        "assert(x == 1 || r == ETIMEDOUT); pthread_mutex_unlock(&m);",
        SIGNAL,
        "#include <time.h>\n" + CONDITION,
    )
    assert explored(text) == "" and explored(text, "deadlock") == ""
    assert "failure" in explored(text.replace("x == 1 || r == ETIMEDOUT", "x == 1"))


def test_a_time_limit_is_assumed_to_be_a_valid_time_where_it_may_be_one() -> None:
    wait = "struct timespec l = {1, 0}; LIMIT; pthread_mutex_lock(&m); pthread_cond_timedwait(&c, &m, &l);"
    text = two(
        wait + "assert(l.tv_nsec < 1000000000); pthread_mutex_unlock(&m);", SIGNAL, "#include <time.h>\n" + CONDITION
    )
    assert explored(text.replace("LIMIT", "l.tv_nsec = __VERIFIER_nondet_int()")) == ""
    assert "no valid time" in explored(text.replace("LIMIT", "l.tv_nsec = 1000000000"))
