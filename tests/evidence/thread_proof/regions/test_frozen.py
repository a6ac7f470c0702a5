"""P and M: when threads may stand still, and when not."""

from __future__ import annotations

from pincer.program.control_flow import Assign, Assume, Fail
from pincer.program.thread_labels import Join, Lock, Unlock
from tests.evidence.thread_proof.regions.region_programs import BOTH, LOCKSTEP, known

ENDLESS = """
int a, b;
void *f(void *x) { while (1) a++; return 0; }
void *g(void *x) { b = 1; assert(b == 0); return 0; }
""" + BOTH.replace("AFTER", "")


def test_independence_alone_is_not_enough() -> None:
    """Trap: the first thread never ends and depends on nobody; whoever lets it go on for ever misses the error."""
    found = known(ENDLESS)
    join, loop, entry = found.place_before(0, Join), found.place_before(1, Assign), found.place_before(2, Assign)
    assert all(found.footprints.independent((1, one), (2, two)) for one in found.moves(1) for two in found.moves(2))
    problem = found.problem((join, loop, entry), (1,))
    assert problem is not None and "err" in problem
    assert found.problem((join, loop, entry), (2,)) is None
    assert found.problem((join, loop, entry), (0, 1, 2)) is None


def test_whoever_waits_for_a_thread_that_stands_still_does_nothing() -> None:
    found = known(LOCKSTEP)
    added = [
        next(str(m.source) for m in found.moves(t) if f"register={v}," in repr(m.label))
        for t, v in ((1, "a"), (2, "b"))
    ]
    at = found.place_before(0, Join), *added
    assert found.problem(at, (1,)) is None
    assert found.problem(at, (2,)) is None
    unknown = known(LOCKSTEP, with_addresses=False).problem(at, (1,))
    assert unknown is not None and "err" in unknown


LOCKED = """
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int x;
void *f(void *a) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0; }
void *g(void *a) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0; }
""" + BOTH.replace("AFTER", "assert(x == 2);")


def test_in_a_critical_section_a_thread_is_alone() -> None:
    found = known(LOCKED)
    lock = found.product.objects.address(next(m.label.lock for m in found.moves(1) if isinstance(m.label, Lock)))
    at = found.place_before(0, Join), found.place_before(1, Unlock), found.place_before(2, Lock)
    assert found.problem(at, (1,), ((lock, 1),)) is None
    without = found.problem(at, (1,))
    assert without is not None and "depends" in without
    of_another = found.problem(at, (1,), ((lock, 2),))
    assert of_another is not None


def test_a_lock_that_others_begin_anew_protects_nothing() -> None:
    text = LOCKED.replace("void *g(void *a) {", "void *g(void *a) { pthread_mutex_init(&m, 0);")
    found = known(text)
    lock = found.product.objects.address(next(m.label.lock for m in found.moves(1) if isinstance(m.label, Lock)))
    at = found.place_before(0, Join), found.place_before(1, Unlock), str(found.moves(2)[0].source)
    problem = found.problem(at, (1,), ((lock, 1),))
    assert problem is not None


def test_threads_between_two_visible_steps_move_alone() -> None:
    found = known("int x; void *f(void *a) { int i = x; if (i > 2) x = 0; return 0; }\n"
                  "void *g(void *a) { assert(x < 9); return 0; }" + BOTH.replace("AFTER", ""))  # fmt: skip
    branch = next(str(m.source) for m in found.moves(1) if isinstance(m.label, Assume))
    at = found.place_before(0, Join), branch, found.place_before(2, Assign)
    assert found.problem(at, (1,)) is None
    assert found.problem(at, (1, 2)) is not None
    assert any(isinstance(move.label, Fail) for move in found.moves(2))
