"""What survives a step by looking."""

from __future__ import annotations

from pincer.evidence.c_proof.smt import Script
from pincer.evidence.thread_proof.checker import claim_writer
from pincer.evidence.thread_proof.outline import Outline
from pincer.evidence.thread_proof.reads import MEMORY, TABLE, Dependences, changed_for_others
from pincer.evidence.thread_proof.unfolding import unfolded
from pincer.logic import bitvectors, terms
from pincer.program.thread_labels import Lock
from tests.evidence.thread_proof.threaded_programs import COUNTER, lowered


def test_conditions_depend_on_registers_memory_and_tables() -> None:
    zero = bitvectors.constant(0, 8)
    status = terms.equal(bitvectors.variable("(status owner:4096)", 8), zero)
    cell = terms.equal(bitvectors.load(bitvectors.constant(4096, 64), 1), zero)
    ghost = terms.equal(bitvectors.variable("(status ghost:who)", 8), zero)
    assert Dependences().of(status) == {TABLE + "status", TABLE + "owner"}
    assert Dependences().of(cell) == {MEMORY}
    assert Dependences().of(ghost) == {TABLE + "status", "ghost:who"}


def test_a_step_shows_others_what_it_changes_of_theirs() -> None:
    """A function may be called like a thread in formulas: its static variables are shared all the same."""
    text = "void me(void) { static int x; x = 1; } int main(void) { me(); return 0; }"
    program = lowered(text)
    system = unfolded(program, False)
    claims = claim_writer(program, system, Outline(), Script(), False)
    main = system.threads[0]
    changed = [
        changed_for_others(claims.encoder.before, step.after, "me")
        for move in main.moves
        for step in claims.steps(main, move)
    ]
    assert any("x" in name for keys in changed for name in keys)


def test_locking_changes_who_owns() -> None:
    program = lowered(COUNTER)
    system = unfolded(program, False)
    claims = claim_writer(program, system, Outline(), Script(), False)
    worker = system.threads[1]
    [lock] = [move for move in worker.moves if isinstance(move.label, Lock)]
    [step] = claims.steps(worker, lock)
    assert changed_for_others(claims.encoder.before, step.after, "me") == {TABLE + "owner"}
