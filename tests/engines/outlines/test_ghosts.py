"""Who has taken a cell that is used like a lock, and where a thread's block will end."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from pincer.engines.outlines.form import ThreadedForm
from pincer.engines.outlines.ghosts import block_ghosts, owner_ghosts, permit_ghosts
from pincer.engines.outlines.limits import LIMITS
from pincer.engines.outlines.pre_images import replaced
from pincer.evidence.thread_proof.leaves import ME, PERMITS, ghost, leaf, thread_leaf
from pincer.logic import bitvectors, terms
from pincer.program.control_flow import Assign
from pincer.program.registers import global_register
from pincer.program.thread_labels import SyncKind
from pincer.program.threaded_system import Place, UnfoldedThread
from tests.engines.outlines.outlined_programs import form_of
from tests.evidence.thread_proof.threaded_programs import COUNTER, HAND_OVER, SPIN_LOCK

SECTION = """
int l, c;
void *worker(void *a) {
  while (1) {
    __VERIFIER_atomic_begin(); __VERIFIER_assume(l == 0); l = 1; __VERIFIER_atomic_end();
    c = c + 1; assert(c == 1); c = c - 1;
    l = 0;
  }
  return 0;
}
int main(void) { pthread_t t; while (1) pthread_create(&t, 0, worker, 0); }
"""


@pytest.mark.parametrize("text", [SPIN_LOCK, SECTION])
def test_the_owner_of_a_cell_is_who_found_it_zero_until_it_is_zero_again(text: str) -> None:
    made = owner_ghosts(form_of(text))
    [cell] = made.cells.values()
    taking, freeing = sorted((new["own0"] for new in made.updates.values()), key=lambda value: value.op == "bvconst")
    for value in (0, 1):
        for owner in (0, 7):
            known = {
                cell: bitvectors.constant(value, 32),
                ghost("own0", 64): bitvectors.constant(owner, 64),
                thread_leaf(ME, 64): bitvectors.constant(5, 64),
            }
            assert bitvectors.constant_value(replaced(taking, known)) == (5 if value == 0 else owner)
            assert bitvectors.constant_value(replaced(freeing, known)) == 0


def test_a_cell_that_no_atomic_move_tests_has_no_owner() -> None:
    assert not owner_ghosts(form_of(COUNTER)).ghosts
    assert not owner_ghosts(form_of(SPIN_LOCK.replace("while (atomic_exchange(&l, 1));", "l = 1;"))).ghosts


def test_a_test_and_a_set_that_others_may_come_between_make_no_owner() -> None:
    form = form_of(SECTION)
    threads = tuple(
        replace(thread, moves=tuple(replace(move, atomic=False) for move in thread.moves))
        for thread in form.system.threads
    )
    apart = ThreadedForm(form.program, replace(form.system, threads=threads), form.objects)
    assert owner_ghosts(form).ghosts and not owner_ghosts(apart).ghosts


def end_of_block(form: ThreadedForm, thread: UnfoldedThread, place: Place | None) -> Place | None:
    """Where the local moves of straight code lead from a place."""
    while place is not None and place not in form.cuts[thread.number]:
        [move] = thread.outgoing[place]
        place = move.target
    return place


def test_a_block_ghost_says_where_the_block_ends_that_has_begun() -> None:
    form = form_of(HAND_OVER)
    giver = form.system.threads[1]
    made = block_ghosts(form)
    assert list(made.ghosts) == ["at1"] and made.ghosts["at1"].initial == 0
    unborn, *numbers, over = made.values[1]
    assert len({unborn, *numbers, over}) == len(form.cuts[1]) + 2
    number_of = dict(zip(form.cuts[1], numbers, strict=True))
    for move in giver.moves:
        if move.source in number_of:
            end = end_of_block(form, giver, move.target)
            assert made.updates[1, move.number]["at1"] is (over if end is None else number_of[end])
        else:
            assert (1, move.number) not in made.updates
    [birth] = form.system.births
    assert made.updates[birth]["at1"] is number_of[giver.entry]
    assert all(made.ends[1, cut] is number for cut, number in number_of.items())


def test_the_end_of_a_block_may_depend_on_a_register() -> None:
    """The branch is taken after the read that begins the block: the ghost is set by what is read."""
    text = """
int x, y;
void *f(void *a) { int v = x; if (v == 3) y = 1; else x = 2; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); return 0; }
"""
    form = form_of(text)
    worker = form.system.threads[1]
    made = block_ghosts(form)
    [read] = [move for move in worker.moves if isinstance(move.label, Assign) and str(move.label.value) == "x"]
    value = made.updates[1, read.number]["at1"]
    [x] = value.variables
    assert x is global_register("x", 32)
    ends = {n: replaced(value, {x: bitvectors.constant(n, 32)}) for n in (2, 3, 4)}
    assert ends[2] is ends[4] and ends[2] is not ends[3]
    assert {ends[2], ends[3]} <= set(made.values[1])


def test_threads_that_are_several_or_long_have_none() -> None:
    assert not block_ghosts(form_of(SPIN_LOCK)).ghosts
    steps = "x = x + 1; " * (LIMITS.blocks + 1)
    long = "int x; void *f(void *a) { " + steps + " return 0; }"
    main = "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); return 0; }"
    assert not block_ghosts(form_of(long + main)).ghosts


def test_moves_that_set_a_cell_to_zero_give_it_up() -> None:
    form = form_of(SPIN_LOCK)
    (worker,) = form.system.threads[1:]
    (number,) = owner_ghosts(form).given_up(worker.number)
    assert any("value=0" in str(action) for action in worker.moves[number].actions)
    assert owner_ghosts(form).given_up(0) == frozenset()


TAKING = """
sem_t s;
void *one(void *a) { sem_wait(&s); sem_post(&s); return 0; }
void *two(void *a) { if (sem_trywait(&s) == 0) sem_post(&s); return 0; }
int main(void) {
  pthread_t t;
  sem_init(&s, 0, 1);
  pthread_create(&t, 0, one, 0);
  pthread_create(&t, 0, two, 0);
}
"""


def test_who_takes_a_permit_has_it_until_one_is_given_back() -> None:
    form = form_of(TAKING)
    made = permit_ghosts(form)
    [permits] = made.cells.values()
    me, had = thread_leaf(ME, form.bits), ghost("taken0", form.bits)
    tried = terms.conditional(terms.equal(permits, bitvectors.constant(0, PERMITS.width)), had, me)
    nobody = bitvectors.constant(0, form.bits)
    values = {thread: [v["taken0"] for key, v in made.updates.items() if key[0] == thread] for thread in (0, 1, 2)}
    assert values == {0: [], 1: [me, nobody], 2: [tried, nobody]}
    assert permits is leaf(PERMITS, *form.objects.of(SyncKind.SEMAPHORE), bits=form.bits)
