"""Constants that registers of threads are certain to hold."""

from __future__ import annotations

from pincer.evidence.thread_proof.constants import valued
from pincer.evidence.thread_proof.unfolding import unfolded
from pincer.logic import bitvectors
from pincer.program.control_flow import Assign, Copy, Fill, Free, Skip, Store
from pincer.program.registers import register_of
from pincer.program.thread_labels import Lock, Start, Unlock
from pincer.program.threaded_system import Perform
from tests.evidence.thread_proof.threaded_programs import is_certified, lowered

X, Y = (register_of("f", name, 64) for name in "xy")
FIVE = bitvectors.constant(5, 64)

POOLS = """
struct pool { pthread_mutex_t lock; int used; };
struct pool first, second;
static void use(struct pool *pool) {
  pthread_mutex_lock(&pool->lock);
  pool->used = 1; assert(pool->used == 1); pool->used = 0;
  pthread_mutex_unlock(&pool->lock);
}
static void *worker(void *given) { struct pool *pool = given; while (1) use(pool); return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, &first); pthread_create(&b, 0, worker, SECOND);
  while (1) use(&first);
}
"""


def operands(text: str, kind: type[Lock] | type[Unlock]) -> list[tuple[int, str]]:
    """The threads that take a lock, or give it up, and the operators of its addresses."""
    return [
        (thread.number, action.label.lock.op)
        for thread in unfolded(lowered(text), False).threads
        for move in thread.moves
        for action in move.actions
        if isinstance(action, Perform) and isinstance(action.label, kind)
    ]


def test_pointers_that_are_passed_on_are_constants_in_each_thread_and_each_call() -> None:
    for kind in (Lock, Unlock):
        assert operands(POOLS.replace("SECOND", "&second"), kind) == [(0, "bvconst"), (1, "bvconst"), (2, "bvconst")]


def test_what_differs_from_way_to_way_is_no_constant() -> None:
    text = POOLS.replace("SECOND", "&second")
    chosen = text.replace("struct pool *pool = given;", "struct pool *pool = given; if (first.used) pool = &second;")
    assert dict(operands(chosen, Lock))[1] != "bvconst" and dict(operands(chosen, Lock))[2] == "bvconst"
    moving = text.replace("while (1) use(pool)", "while (1) { use(pool); pool = pool + 1; }")
    assert dict(operands(moving, Lock))[1] != "bvconst"


def test_what_is_read_from_memory_is_no_constant() -> None:
    text = POOLS.replace("SECOND", "&second").replace(
        "struct pool first", "struct pool *volatile kept; struct pool first"
    )
    assert dict(operands(text.replace("use(pool);", "use(kept);"), Lock))[1] != "bvconst"


def test_a_routine_that_is_passed_on_is_known() -> None:
    text = """
static void *worker(void *unused) { return 0; }
static void start(void *(*routine)(void *)) { pthread_t t; pthread_create(&t, 0, routine, 0); }
int main(void) { start(worker); return 0; }
"""
    first, second = unfolded(lowered(text), False).threads
    (label,) = (move.label for move in first.moves if isinstance(move.label, Start))
    assert second.routine.name == "worker" and label.routine.op == "bvconst"


def test_programs_that_pass_their_locks_on_are_proved() -> None:
    text = POOLS.replace("SECOND", "&second")
    assert is_certified(text, "assertions") and is_certified(text, "race") and is_certified(text, "deadlock")
    wrong = text.replace("use(&first)", "first.used = 2")
    assert not is_certified(wrong, "assertions") and not is_certified(wrong, "race")


def test_steps_read_values_and_keep_what_they_assign() -> None:
    values = {X: FIVE}
    assert valued(Assign(X, X), values) == Assign(X, FIVE)
    assert valued(Assign(X, Y), values) == Assign(X, Y)
    assert valued(Store(X, Y), values) == Store(FIVE, Y)
    assert valued(Copy(X, Y, X), values) == Copy(FIVE, Y, FIVE)
    assert valued(Fill(Y, X, bitvectors.constant(0, 8)), values) == Fill(Y, FIVE, bitvectors.constant(0, 8))
    assert valued(Free(X), values) == Free(FIVE)
    assert valued(Skip(), values) == Skip()
    assert valued(Assign(Y, X), {}) == Assign(Y, X)
