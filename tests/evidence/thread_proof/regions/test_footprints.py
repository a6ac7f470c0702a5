from __future__ import annotations

import pytest

from pincer.program.control_flow import Begin, Store
from pincer.program.thread_labels import Join, Lock, Start
from tests.evidence.thread_proof.regions.region_programs import BOTH, Known, known

FRAME = """
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, o = PTHREAD_MUTEX_INITIALIZER; int x, y, cells[4];
void *f(void *a) {{ {0} return 0; }}
void *g(void *a) {{ {1} return 0; }}
""" + BOTH.replace("{", "{{").replace("}", "}}").replace("AFTER", "")


def all_independent(first: str, second: str) -> bool:
    found = known(FRAME.format(first, second))
    pairs = ((one, two) for one in found.moves(1) for two in found.moves(2))
    return all(found.footprints.independent((1, one), (2, two)) for one, two in pairs)


@pytest.mark.parametrize(
    ("first", "second", "independent"),
    [
        ("x = 1;", "y = 1;", True),
        ("x = 1;", "x = 1;", False),
        ("int r = x; y = r;", "int r = x; r++;", True),
        ("int r = x; r++;", "x = 2;", False),
        ("cells[1] = 1;", "cells[2] = 1;", True),
        ("cells[x & 3] = 1;", "int r = cells[2]; r++;", False),
        ("pthread_mutex_lock(&m);", "pthread_mutex_lock(&o);", True),
        ("pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);", False),
        ("pthread_mutex_trylock(&m);", "pthread_mutex_trylock(&m);", False),
        ("__VERIFIER_atomic_begin(); x++; __VERIFIER_atomic_end();", "x = 1;", False),
    ],
)
def test_moves_that_touch_the_same_depend_on_each_other(first: str, second: str, independent: bool) -> None:
    assert all_independent(first, second) is independent


def a_move(found: Known, thread: int, label: type) -> int:
    return next(move.number for move in found.moves(thread) if isinstance(move.label, label))


def test_a_thread_and_who_joins_it_depend_on_each_other() -> None:
    found = known(FRAME.format("", ""))
    main = found.moves(0)
    joins = [move for move in main if isinstance(move.label, Join)]
    assert [found.footprints.joined(0, move) for move in joins] == [1, 2]
    end = found.moves(1)[-1]
    assert not found.footprints.independent((1, end), (0, joins[0]))
    assert found.footprints.independent((1, end), (0, joins[1]))
    start = main[a_move(found, 0, Start)]
    assert found.footprints.joined(0, start) is None
    assert not found.footprints.independent((0, start), (1, joins[0]))


def test_whom_a_thread_joins_is_not_known_where_its_number_may_be_changed() -> None:
    text = FRAME.format("*shared = 0;", "").replace("int x", "pthread_t *shared; int x")
    found = known(text.replace("pthread_t p, q;", "pthread_t p, q; shared = &p;"))
    joins = [move for move in found.moves(0) if isinstance(move.label, Join)]
    assert found.footprints.joined(0, joins[0]) is None


def test_an_object_that_begins_is_written() -> None:
    local = FRAME.format("", "").replace("pthread_t p, q;", "pthread_t p, q; int k[2]; k[0] = 1;")
    found = known(local)
    store = found.moves(0)[a_move(found, 0, Store)]
    begins = [move for move in found.moves(0) if isinstance(move.label, Begin)]
    apart = [found.footprints.touch_other_data((0, move), (0, store)) for move in begins]
    assert sorted(apart) == [False, True, True]


def test_objects_of_the_library_end_with_their_memory() -> None:
    found = known(
        "pthread_mutex_t *w; " + FRAME.format("", "").replace("pthread_t p, q;", "pthread_t p, q; int k[2]; k[0] = 1;")
    )
    main = found.moves(0)
    assert all(found.footprints.reset(move) == set() for move in main)
    text = "int main(void) { pthread_mutex_t l; pthread_t p; pthread_mutex_init(&l, 0); pthread_mutex_lock(&l);"
    found = known("void *f(void *a) { return 0; }" + text + " pthread_create(&p, 0, f, 0); }")
    resets = [found.footprints.reset(move) for move in found.moves(0)]
    locks = {found.product.objects.address(m.label.lock) for m in found.moves(0) if isinstance(m.label, Lock)}
    assert locks in resets
