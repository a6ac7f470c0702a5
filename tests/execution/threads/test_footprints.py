"""Footprints: which accesses of a step other threads may notice."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.execution.threads.interleaving import Interleaver
from tests.execution.threads.threaded_c import TWO, both_started, finished, lowered


def touched(folder: Path, first: str) -> list[tuple[str, str, bool]]:
    """Space, name and kind of the accesses of a thread's first transition."""
    text = f"int x, y; int a[4]; const int fixed = 3; {first} void *two(void *u) {{ x = y = a[0] = 1; return 0; }}"
    interleaver = Interleaver(lowered(folder, text + TWO))
    footprint = interleaver.footprint(both_started(interleaver), 1)
    return [(access.space, access.name, access.write) for access in footprint.accesses]


@pytest.mark.parametrize(
    ("statement", "accesses"),
    [
        ("x = 1;", [("register", "x", True)]),
        ("int own = y;", [("register", "y", False)]),
        ("a[2] = 1;", [("memory", "a[2]", True)]),
        ("int own = a[1];", [("memory", "a[1]", False)]),
    ],
)
def test_shared_variables_are_noticed_by_name(
    tmp_path: Path, statement: str, accesses: list[tuple[str, str, bool]]
) -> None:
    assert touched(tmp_path, f"void *one(void *u) {{ {statement} return 0; }}") == accesses


def test_constants_are_no_matter_of_scheduling(tmp_path: Path) -> None:
    found = touched(tmp_path, "void *one(void *u) { int own = *(const int *)&fixed; x = own; return 0; }")
    assert found == [("register", "x", True)]


def test_the_bytes_of_a_mutex_in_use_are_not_to_be_touched(tmp_path: Path) -> None:
    text = """pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    int main(void) { pthread_mutex_lock(&m); return *(char *)&m; }"""
    _, stop = finished(tmp_path, text)
    assert (stop.kind, stop.message) == ("unsupported", "the bytes of m, which is in use, are read or written")


def test_a_destroyed_mutex_may_be_given_a_static_initialiser(tmp_path: Path) -> None:
    text = """pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, fresh = PTHREAD_MUTEX_INITIALIZER;
    int main(void) { pthread_mutex_destroy(&m); m = fresh; pthread_mutex_lock(&m); return 0; }"""
    assert finished(tmp_path, text)[1].message == "main returned"


def test_what_is_behind_an_object_that_is_freed_is_nobody_elses_business(tmp_path: Path) -> None:
    text = """
    int *volatile given; void *one(void *u) { given = malloc(4); int *own = malloc(4); *own = 1; return 0; }
    void *two(void *u) { int local; int *p = &local; *p = 1; free(given); return 0; }
    """
    interleaver = Interleaver(lowered(tmp_path, text + TWO))
    threads = both_started(interleaver)
    for number in (1, 2, 2):
        taken = interleaver.take(threads, number)
        assert taken.stop is None or taken.stop.kind != "unsupported"
        threads = taken.threads
