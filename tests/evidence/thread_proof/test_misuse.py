"""Memory of programs with threads that never end: what is in order is proved, and nothing that may go wrong is."""

from __future__ import annotations

import pytest

from pincer.evidence.thread_proof.outline import Outline
from tests.evidence.thread_proof.threaded_programs import checked, is_certified, proved

_ENDLESS = "int main(void) {{ {before} pthread_t t; for (;;) {{ pthread_create(&t, 0, worker, {argument}); }} }}"


def _program(data: str, body: str, before: str = "", argument: str = "0") -> str:
    worker = f"void *worker(void *a) {{ for (;;) {{ {body} }} return 0; }}"
    return "\n".join((data, worker, _ENDLESS.format(before=before, argument=argument)))


MUTEX = "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; "
LOCK, UNLOCK = "pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);"
CONDITION = "pthread_cond_t c = PTHREAD_COND_INITIALIZER; "
RIGHT = {
    "an index that a lock keeps below its bound": _program(
        MUTEX + "int b[8]; unsigned n;", f"{LOCK} if (n < 8) b[n++] = 1; {UNLOCK}"
    ),
    "an object of main": _program("int x;", "x = *(int *)a;", "int v = 3;", "&v"),
    "an object on the heap": _program(
        "#include <stdlib.h>\nint *p;", "int x = *p; if (x) x = 0;", "p = malloc(sizeof *p); *p = 1;"
    ),
    "waiting with the lock": _program(
        MUTEX + CONDITION + "int n;", f"{LOCK} while (n == 0) pthread_cond_wait(&c, &m); n = 0; {UNLOCK}"
    ),
    "a semaphore that main makes": _program(
        "sem_t s; int x;", "sem_wait(&s); x = 1; sem_post(&s);", "sem_init(&s, 0, 1);"
    ),
    "a mutex that main initialises": _program("pthread_mutex_t m;", f"{LOCK} {UNLOCK}", "pthread_mutex_init(&m, 0);"),
    "a read-write lock": _program(
        "pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;", "pthread_rwlock_rdlock(&l); pthread_rwlock_unlock(&l);"
    ),
    "joined once": """
int x;
void *worker(void *a) { x = 1; return 0; }
int main(void) { pthread_t t; void *r; pthread_create(&t, 0, worker, 0); pthread_join(t, &r); return 0; }
""",
    "threads with ids in one object for each round": """
int x;
void *worker(void *a) { for (;;) x = 1; return 0; }
int main(void) { for (;;) { pthread_t t; pthread_create(&t, 0, worker, 0); } }
""",
}
WRONG = {
    "one too far": RIGHT["an index that a lock keeps below its bound"].replace("n < 8", "n < 9"),
    "without the lock": _program(MUTEX + "int b[8]; unsigned n;", "if (n < 8) b[n++] = 1;"),
    "null": _program("int x;", "x = *(int *)a;"),
    "smaller than what is read": _program("int x;", "x = *(int *)a;", "char v = 3;", "&v"),
    "freed": _program("#include <stdlib.h>\nint *p;", "int x = *p; if (x) free(p);", "p = malloc(sizeof *p); *p = 1;"),
    "unlocked without having been locked": _program(MUTEX, UNLOCK),
    "unlocked twice": _program(MUTEX, f"{LOCK} {UNLOCK} {UNLOCK}"),
    "waiting without the lock": _program(MUTEX + CONDITION, f"pthread_cond_wait(&c, &m); {UNLOCK}"),
    "waiting with different locks": _program(
        MUTEX + CONDITION + "pthread_mutex_t k = PTHREAD_MUTEX_INITIALIZER;",
        f"{LOCK} pthread_cond_wait(&c, &m); {UNLOCK} "
        "pthread_mutex_lock(&k); pthread_cond_wait(&c, &k); pthread_mutex_unlock(&k);",
    ),
    "one object as two kinds": _program(MUTEX, f"{LOCK} {UNLOCK} pthread_cond_signal((pthread_cond_t *)&m);"),
    "a semaphore that nobody makes": _program("sem_t s;", "sem_wait(&s); sem_post(&s);"),
    "a semaphore that is made too late": """
sem_t s;
void *worker(void *a) { for (;;) { sem_wait(&s); sem_post(&s); } return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, worker, 0); sem_init(&s, 0, 1); for (;;) ; }
""",
    "a semaphore that is made on one way": """
sem_t s;
void *worker(void *a) { for (;;) { sem_wait(&s); sem_post(&s); } return 0; }
int main(void) {
  pthread_t t;
  if (__VERIFIER_nondet_int()) sem_init(&s, 0, 1);
  for (;;) pthread_create(&t, 0, worker, 0);
}
""",
    "a mutex that is initialised while others use it": _program(MUTEX, f"{LOCK} {UNLOCK} pthread_mutex_init(&m, 0);"),
    "destroyed": _program(MUTEX, f"{LOCK} {UNLOCK} pthread_mutex_destroy(&m);"),
    "a read-write lock unlocked twice": RIGHT["a read-write lock"].replace(
        "pthread_rwlock_unlock(&l);", "pthread_rwlock_unlock(&l); pthread_rwlock_unlock(&l);"
    ),
    "joined twice": RIGHT["joined once"].replace("&r);", "&r); pthread_join(t, &r);"),
    "detached and joined": RIGHT["joined once"].replace("pthread_join", "pthread_detach(t); pthread_join"),
    "joined before it begins": RIGHT["joined once"].replace(
        "void *r; pthread_create(&t, 0, worker, 0);", "void *r; t = 0; if (x) pthread_create(&t, 0, worker, 0);"
    ),
    "no place for the id": _program("int x;", "x = 1;").replace("&t, 0, worker", "(pthread_t *)1, 0, worker"),
    "too little room for the result": RIGHT["joined once"].replace("void *r;", "char r;").replace("&r", "(void **)&r"),
    "a lock that ends with its function": """
pthread_mutex_t *p;
void *worker(void *a) { for (;;) { pthread_mutex_lock(p); pthread_mutex_unlock(p); } return 0; }
void start(void) {
  pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_t t; p = &m;
  pthread_create(&t, 0, worker, 0);
}
int main(void) { start(); for (;;) ; }
""",
}


@pytest.mark.parametrize("name", RIGHT)
def test_what_is_in_order_is_proved(name: str) -> None:
    assert is_certified(RIGHT[name], "memory")


@pytest.mark.parametrize("name", WRONG)
def test_what_may_go_wrong_is_not(name: str) -> None:
    assert proved(WRONG[name], "memory") is None


@pytest.mark.parametrize("name", WRONG)
def test_the_checker_refuses_it_without_an_outline_too(name: str) -> None:
    assert not checked(WRONG[name], Outline((), {}, {}, {}), "memory").accepted


def test_an_outline_for_memory_rests_on_no_assumption_about_undefined_behaviour() -> None:
    text = RIGHT["a read-write lock"]
    outline = proved(text, "memory")
    assert outline is not None
    assert checked(text, outline, "memory").assumptions == ()
