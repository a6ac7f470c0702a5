"""What moves do, as formulas: calls, memory, ends."""

from __future__ import annotations

from pincer.evidence.c_proof.asking import Asking, Budget
from pincer.evidence.c_proof.smt import Script
from pincer.evidence.thread_proof.checker import claim_writer, updates
from pincer.evidence.thread_proof.outline import Outline
from pincer.evidence.thread_proof.states import Ghost
from pincer.evidence.thread_proof.unfolding import unfolded
from pincer.logic import bitvectors
from pincer.program.control_flow import Allocate
from pincer.program.threaded_system import EndThread, Enter, Perform
from pincer.runtime.run import Run
from tests.evidence.thread_proof.threaded_programs import COUNTER, lowered

TEXT = """
int g;
int twice(int n) { int m = n + n; return m; }
void *f(void *a) { int x = 0; int *p = &x; *p = twice(2); g = *p; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); return 0; }
"""


def test_the_return_of_main_has_no_step_and_that_of_a_thread_has_one() -> None:
    program = lowered(TEXT)
    system = unfolded(program, False)
    claims = claim_writer(program, system, Outline(), Script(), False)
    counts = [
        len(claims.steps(thread, move))
        for thread in system.threads
        for move in thread.moves
        if isinstance(move.actions[-1], EndThread)
    ]
    assert counts == [0, 1]


def test_a_call_gives_parameters_their_values_and_forgets_other_registers() -> None:
    program = lowered(TEXT)
    system = unfolded(program, False)
    claims = claim_writer(program, system, Outline(), Script(), False)
    thread = system.threads[1]
    [call] = [move for move in thread.moves if isinstance(move.actions[0], Enter)]
    [step] = claims.steps(thread, call)
    assert step.after.changed["me|twice::n"].value == 2
    assert step.after.changed["me|twice::m"].value is None


def test_a_new_object_lies_where_none_is() -> None:
    program = lowered(TEXT)
    system = unfolded(program, False)
    script = Script()
    claims = claim_writer(program, system, Outline(), script, False)
    thread = system.threads[1]
    [begin] = [
        m for m in thread.moves if isinstance(m.actions[0], Perform) and isinstance(m.actions[0].label, Allocate)
    ]
    [step] = claims.steps(thread, begin)
    [address] = [node for name, node in step.after.changed.items() if name.endswith("&x")]
    slot = claims.encoder.slot_of(address)
    taken = script.negation(script.equal(claims.encoder.before.rooms.at(slot), script.constant(0, 64)))
    assert Asking(script, Budget(), Run()).has_no_model(script.conjunction((step.guard, taken)))
    assert step.after.rooms.at(slot).value == 4


def test_ghosts_get_values_from_before_the_move() -> None:
    program = lowered(COUNTER)
    system = unfolded(program, False)
    script = Script()
    ghost = bitvectors.variable("ghost:g", 8)
    outline = Outline(ghosts={"g": Ghost(8, 0)}, updates={(1, 0): {"g": bitvectors.constant(1, 8)}})
    claims = claim_writer(program, system, outline, script, False)
    [step] = claims.steps(system.threads[1], system.threads[1].moves[0])
    view = claims.encoder.view("me", system.threads[1])
    assert claims.encoder.encode(ghost, step.after, view).value == 1
    assert claims.encoder.encode(ghost, claims.encoder.before, view).value is None


def test_the_marks_of_a_section_do_not_count_as_changes_of_memory() -> None:
    text = """
atomic_int a; void *f(void *p) { a = 1; atomic_fetch_add(&a, 1); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); return 0; }
"""
    system = unfolded(lowered(text), False)
    assert [updates(move) for move in system.threads[1].moves if move.atomic] == [1, 1]
