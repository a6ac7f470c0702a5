"""Certainly held locks are an under-approximation, possibly held ones an over-approximation."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.analysis.thread_facts import ThreadFacts
from pincer.program.control_flow import Assign
from tests.analysis.threaded_programs import analysed, edges_at, lock, thread_of, two_threads, unlock


def must(facts: ThreadFacts, text: str, mark: str = "HERE", routine: str = "one") -> set[str]:
    """The locks certainly held where the marked line assigns."""
    (edge,) = [
        e for e in edges_at(facts, text, mark) if isinstance(e.label, Assign) and "::" not in str(e.label.register)
    ]
    return {held.pointer.object.name for held in facts.must_held[thread_of(facts, routine)][edge.source]}


def may(facts: ThreadFacts, text: str, mark: str = "HERE", routine: str = "one") -> set[str]:
    """The locks possibly held where the marked line assigns; not the thread itself."""
    (edge,) = [
        e for e in edges_at(facts, text, mark) if isinstance(e.label, Assign) and "::" not in str(e.label.register)
    ]
    held = facts.may_held[thread_of(facts, routine)][edge.source]
    return {p.object.name for taken in held for p in taken.pointers if p.object.kind != "thread"}


def body(folder: Path, first: str, shared: str = "") -> tuple[ThreadFacts, str]:
    text = two_threads(first, "", shared)
    return analysed(folder, text), text


@pytest.mark.parametrize(
    ("code", "certain", "possible"),
    [
        (f"{lock('a')}\ng = 1; /* HERE */\n{unlock('a')}", {"a"}, {"a"}),
        (f"{lock('a', 'b')} {unlock('a')}\ng = 1; /* HERE */\n", {"b"}, {"b"}),
        (f"if (g) {{ {lock('a')} }}\ng = 1; /* HERE */\n", set(), {"a"}),
        (f"{lock('a')} if (g) {{ {unlock('a')} }}\ng = 1; /* HERE */\n", set(), {"a"}),
        (f"while (g) {{ {lock('a')} {unlock('a')} }}\ng = 1; /* HERE */\n", set(), set()),
    ],
)
def test_paths_join(tmp_path: Path, code: str, certain: set[str], possible: set[str]) -> None:
    facts, text = body(tmp_path, code)
    assert must(facts, text) == certain
    assert may(facts, text) == possible


def test_a_lock_taken_by_a_procedure_is_held_after_it_and_inside_others(tmp_path: Path) -> None:
    helpers = "void take(void); void set(void);"
    facts, text = body(tmp_path, "take();\ng = 1; /* HERE */\nset();", helpers)
    text += f"\nvoid take(void) {{ {lock('a')} }}\nvoid set(void) {{\n  g = 2; /* INSIDE */\n}}\n"
    facts = analysed(tmp_path, text)
    assert must(facts, text) == {"a"}
    assert must(facts, text, "INSIDE") == {"a"}


def test_a_procedure_called_with_and_without_a_lock_does_not_certainly_hold_it(tmp_path: Path) -> None:
    text = (
        two_threads(f"set(); {lock('a')} set();", "", "void set(void);")
        + "\nvoid set(void) {\n  g = 2; /* HERE */\n}\n"
    )
    facts = analysed(tmp_path, text)
    assert must(facts, text) == set()
    assert may(facts, text) == {"a"}


def test_threads_that_share_a_procedure_hold_their_own_locks_in_it(tmp_path: Path) -> None:
    text = two_threads(f"{lock('a')} set();", f"{lock('b')} set();", "void set(void);")
    text += "\nvoid set(void) {\n  g = 2; /* HERE */\n}\n"
    facts = analysed(tmp_path, text)
    assert must(facts, text, routine="one") == {"a"}
    assert must(facts, text, routine="two") == {"b"}


def test_a_lock_that_may_be_one_of_two_is_not_certain(tmp_path: Path) -> None:
    code = "pthread_mutex_t *m = g ? &a : &b; pthread_mutex_lock(m);\ng = 1; /* HERE */\n"
    facts, text = body(tmp_path, code)
    assert must(facts, text) == set()
    assert may(facts, text) == {"a", "b"}


def test_releasing_one_of_two_locks_loses_both(tmp_path: Path) -> None:
    code = f"{lock('a', 'b')} pthread_mutex_t *m = g ? &a : &b; pthread_mutex_unlock(m);\ng = 1; /* HERE */\n"
    facts, text = body(tmp_path, code)
    assert must(facts, text) == set()
    assert may(facts, text) == {"a", "b"}


@pytest.mark.parametrize(
    "code",
    [
        "if (pthread_mutex_trylock(&a) == 0) {\ng = 1; /* HERE */\n} else {\ng = 2; /* ELSE */\n}",
        "int r = pthread_mutex_trylock(&a); if (!r) {\ng = 1; /* HERE */\n} else {\ng = 2; /* ELSE */\n}",
        "if (pthread_mutex_lock(&a)) {\ng = 2; /* ELSE */\n} else {\ng = 1; /* HERE */\n}",
    ],
)
def test_an_attempt_holds_where_its_result_is_zero(tmp_path: Path, code: str) -> None:
    facts, text = body(tmp_path, code)
    assert must(facts, text) == {"a"}
    assert must(facts, text, "ELSE") == set()
    assert may(facts, text, "ELSE") == {"a"}


def test_a_lock_in_an_array_is_followed_by_its_index(tmp_path: Path) -> None:
    code = "int i = g; pthread_mutex_lock(&m[i]); pthread_mutex_unlock(&m[i]);\ng = 1; /* HERE */\n"
    facts, text = body(tmp_path, code, "pthread_mutex_t m[3];")
    assert must(facts, text) == set()
    assert may(facts, text) == set()
    code = "int i = g; pthread_mutex_lock(&m[i]); i = 0; pthread_mutex_unlock(&m[i]);\ng = 1; /* HERE */\n"
    facts, text = body(tmp_path, code, "pthread_mutex_t m[3];")
    assert may(facts, text) == {"m"}


def test_one_release_of_a_recursive_mutex_proves_nothing(tmp_path: Path) -> None:
    code = (
        f"pthread_mutexattr_t k; pthread_mutexattr_settype(&k, 1); {lock('a', 'a')} {unlock('a')}\ng = 1; /* HERE */\n"
    )
    facts, text = body(tmp_path, code)
    assert must(facts, text) == set()
    assert may(facts, text) == {"a"}


def test_locks_of_many_heap_objects_are_never_certain(tmp_path: Path) -> None:
    code = "struct node *n = malloc(sizeof *n); pthread_mutex_lock(&n->m);\ng = 1; /* HERE */\n"
    text = two_threads(f"for (int i = 0; i < 2; i++) {{ {code} }}", "", "struct node { pthread_mutex_t m; };")
    facts = analysed(tmp_path, text)
    assert must(facts, text) == set()


def test_a_condition_wait_holds_its_lock_afterwards(tmp_path: Path) -> None:
    code = f"{lock('a')} pthread_cond_wait(&c, &a);\ng = 1; /* HERE */\n"
    facts, text = body(tmp_path, code, "pthread_cond_t c;")
    assert must(facts, text) == {"a"}
