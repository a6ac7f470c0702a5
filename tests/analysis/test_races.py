"""Race candidates: nothing that may race is missing, and locks, order and privacy exclude what they must."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.analysis.threaded_programs import analysed, line_of, lock, two_threads, unlock


def races(folder: Path, text: str) -> set[frozenset[int]]:
    """The pairs of lines."""
    pairs = analysed(folder, text).race_pairs
    return {frozenset((pair.first.edge.position.line, pair.second.edge.position.line)) for pair in pairs}


def pair(text: str, first: str = "ONE", second: str = "TWO") -> frozenset[int]:
    return frozenset((line_of(text, first), line_of(text, second)))


def marked(first: str = "g = 1;", second: str = "g = 2;", before: str = "", after: str = "") -> tuple[str, str]:
    return f"{before}\n{first} /* ONE */\n{after}", f"{before}\n{second} /* TWO */\n{after}"


def test_two_writes_without_locks_race(tmp_path: Path) -> None:
    text = two_threads(*marked())
    assert races(tmp_path, text) == {pair(text)}


def test_a_read_and_a_write_race_and_two_reads_do_not(tmp_path: Path) -> None:
    text = two_threads(*marked("int x = g;"))
    assert races(tmp_path, text) == {pair(text)}
    assert not races(tmp_path, two_threads(*marked("int x = g;", "int x = g;")))


def test_a_common_lock_excludes_the_race_and_different_locks_do_not(tmp_path: Path) -> None:
    assert not races(tmp_path, two_threads(*marked(before=lock("a"), after=unlock("a"))))
    text = two_threads(f"{lock('a')}\ng = 1; /* ONE */\n{unlock('a')}", f"{lock('b')}\ng = 2; /* TWO */\n{unlock('b')}")
    assert races(tmp_path, text) == {pair(text)}


def test_readers_of_a_read_write_lock_race_when_they_write(tmp_path: Path) -> None:
    reading = {"before": "pthread_rwlock_rdlock(&door);", "after": "pthread_rwlock_unlock(&door);"}
    text = two_threads(*marked(**reading), "pthread_rwlock_t door;")
    assert races(tmp_path, text) == {pair(text)}
    assert not races(tmp_path, text.replace("rdlock", "wrlock"))


def test_a_semaphore_excludes_nothing_for_certain(tmp_path: Path) -> None:
    text = two_threads(*marked(before="sem_wait(&s);", after="sem_post(&s);"), "sem_t s;")
    text = "#include <semaphore.h>\n" + text
    assert pair(text) in races(tmp_path, text)


def test_atomic_sections_exclude_each_other_and_not_plain_accesses(tmp_path: Path) -> None:
    header = "extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void);\n"
    section = {"before": "__VERIFIER_atomic_begin();", "after": "__VERIFIER_atomic_end();"}
    assert not races(tmp_path, header + two_threads(*marked(**section)))
    text = header + two_threads(marked(**section)[0], marked()[1])
    assert races(tmp_path, text) == {pair(text)}


def test_accesses_before_creation_and_after_join_do_not_race(tmp_path: Path) -> None:
    text = two_threads("\ng = 1; /* ONE */\n", "")
    text = text.replace("pthread_create(&x", "g = 5;\npthread_create(&x").replace(
        "return 0;\n}", "g = 6;\nreturn 0;\n}"
    )
    assert text.count("g = 5;") == 1 and text.count("g = 6;") == 1
    assert not races(tmp_path, text)


def test_different_fields_and_elements_do_not_race_and_unknown_indices_may(tmp_path: Path) -> None:
    shared = "struct pair { int x; int y; } s[3];"
    assert not races(tmp_path, two_threads(*marked("s[0].x = 1;", "s[0].y = 1;"), shared))
    assert not races(tmp_path, two_threads(*marked("s[__VERIFIER_nondet_int()].x = 1;", "s[1].y = 1;"), shared))
    text = two_threads(*marked("s[__VERIFIER_nondet_int()].x = 1;", "s[1].x = 1;"), shared)
    assert pair(text) in races(tmp_path, text)


def test_an_unknown_address_may_race_with_everything(tmp_path: Path) -> None:
    shared = "int table[2]; int *kept = table;"
    text = two_threads(*marked("*(int *)__VERIFIER_nondet_long() = 1;", "table[1] = 2;"), shared)
    assert pair(text) in races(tmp_path, text)


def test_a_write_through_a_pointer_races_with_its_target(tmp_path: Path) -> None:
    text = two_threads(*marked("*p = 1;", "x = 2;"), "int x; int *p = &x;")
    assert pair(text) in races(tmp_path, text)


def test_a_write_by_a_function_called_through_a_pointer_races(tmp_path: Path) -> None:
    shared = "void set(int v);\nvoid (*callback)(int) = set;\nvoid set(int v) {\n g = v; /* TWO */\n}\n"
    text = two_threads("\ng = 1; /* ONE */\n", "callback(4);", shared)
    assert pair(text) in races(tmp_path, text)


def test_private_heap_objects_do_not_race_and_published_ones_do(tmp_path: Path) -> None:
    text = """
int *kept;
void *run(void *arg) {
  int *n = malloc(sizeof *n);
  *n = 1; /* WRITE */
  LEAK
  return 0;
}
int main(void) { pthread_t t; for (int i = 0; i < 2; i++) pthread_create(&t, 0, run, 0); return 0; }
"""
    assert not races(tmp_path, text.replace("LEAK", ""))
    leaking = text.replace("LEAK", "kept = n;\n*kept = 2; /* THROUGH */")
    assert pair(leaking, "WRITE", "THROUGH") in races(tmp_path, leaking)


def test_freeing_an_object_races_with_using_it(tmp_path: Path) -> None:
    shared = "int *p;"
    text = two_threads("\nfree(p); /* ONE */\n", "\n*p = 1; /* TWO */\n", shared)
    text = text.replace("pthread_t x, y;", "pthread_t x, y; p = malloc(4);")
    assert pair(text) in races(tmp_path, text)


def test_a_thread_local_mutex_protects_nothing(tmp_path: Path) -> None:
    shared = "_Thread_local pthread_mutex_t own;"
    text = two_threads(*marked(before=lock("own"), after=unlock("own")), shared)
    assert pair(text) in races(tmp_path, text)


@pytest.mark.parametrize("call", ["pthread_create(&t, 0, two, 0);", "pthread_join(x, (void **)&t);"])
def test_results_that_thread_functions_store_are_writes(tmp_path: Path, call: str) -> None:
    text = two_threads("\nint n = t != 0; /* ONE */\n", "", "pthread_t t;", main=f"\n{call} /* TWO */\n")
    text = text.replace("pthread_t x, y;", "pthread_t x, y, z; pthread_create(&z, 0, one, 0);")
    assert pair(text) in races(tmp_path, text)
