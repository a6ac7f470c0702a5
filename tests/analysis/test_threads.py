"""Threads as creation sites, and what runs once."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.analysis.threaded_programs import analysed, thread_of, two_threads

NESTED = """
void *inner(void *arg) { return 0; }
void *outer(void *arg) { pthread_t t; pthread_create(&t, 0, inner, 0); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, outer, 0); return 0; }
"""


def test_every_creation_site_is_a_thread(tmp_path: Path) -> None:
    facts = analysed(tmp_path, two_threads("", ""))
    assert [thread.routine for thread in facts.threads.all] == ["main", "one", "two"]
    assert not any(thread.several for thread in facts.threads.all)


@pytest.mark.parametrize(
    ("start", "several"),
    [
        ("pthread_create(&t, 0, one, 0);", False),
        ("for (int i = 0; i < 2; i++) pthread_create(&t, 0, one, 0);", True),
        ("starts(); starts();", True),
        ("starts();", False),
    ],
)
def test_threads_of_one_site_may_be_several(tmp_path: Path, start: str, several: bool) -> None:
    text = "pthread_t t; void *one(void *arg) { return 0; }\nvoid starts(void) { pthread_create(&t, 0, one, 0); }\n"
    facts = analysed(tmp_path, text + f"int main(void) {{ {start} return 0; }}\n")
    assert thread_of(facts, "one").several is several


def test_parents_start_a_thread(tmp_path: Path) -> None:
    facts = analysed(tmp_path, NESTED)
    main, outer, inner = (thread_of(facts, name) for name in ("main", "outer", "inner"))
    assert [facts.threads.parents(thread) for thread in (main, outer, inner)] == [(), (main,), (outer,)]


def test_a_copy_of_each_thread_is_not_one_object(tmp_path: Path) -> None:
    shared = "_Thread_local int own[3]; int all[3]; int *p;"
    facts = analysed(tmp_path, two_threads("p = own; p = all; p = malloc(4);", "p[0] = 1;", shared))
    single = {target.name: facts.threads.is_single(target) for target in facts.pointers.objects}
    assert single["all"] and not single["own"]
