"""States as formulas: whose registers are whose, tables, initial values."""

from __future__ import annotations

import pytest

from pincer.errors import PincerError
from pincer.evidence.c_proof.smt import Script
from pincer.evidence.thread_proof import leaves
from pincer.evidence.thread_proof.checker import claim_writer
from pincer.evidence.thread_proof.leaves import ThreadStatus, leaf
from pincer.evidence.thread_proof.outline import Outline
from pincer.evidence.thread_proof.states import Ghost, Table, ThreadEncoder
from pincer.evidence.thread_proof.unfolding import unfolded
from pincer.logic import bitvectors
from pincer.program.registers import global_register, register_of
from tests.evidence.thread_proof.threaded_programs import COUNTER, lowered


def encoder(ghosts: dict[str, Ghost] | None = None) -> ThreadEncoder:
    program = lowered(COUNTER)
    return claim_writer(program, unfolded(program, False), Outline(ghosts=ghosts or {}), Script(), False).encoder


def test_registers_of_threads_are_told_apart_and_shared_ones_are_not() -> None:
    made = encoder()
    worker = made.system.threads[1]
    me, you = made.view("me", worker), made.view("you", worker)
    own, shared = register_of("worker", "a", 64), global_register("x", 32)
    names = {str(term.args[0]) for term in made.registers.of(worker.routine)}
    assert "worker::a" in names
    text = bitvectors.variable(str(own.args[0]), 64)
    assert made.encode(text, made.before, me) is not made.encode(text, made.before, you)
    assert made.encode(shared, made.before, me) is made.encode(shared, made.before, you)


def test_initially_only_the_main_thread_lives() -> None:
    made = encoder()
    state, main = made.initial(), made.view("me", made.system.threads[0])
    assert made.encode(leaf(leaves.STATUS, "#0", bits=64), state, main).value == ThreadStatus.LIVE
    assert made.encode(global_register("x", 32), state, main).value == 0


def test_a_table_remembers_its_changes_in_order() -> None:
    script = Script()
    here, other = script.constant(8, 64), script.constant(16, 64)
    one, two = script.constant(1, 8), script.constant(2, 8)
    table = Table(script, "t", 8, lambda _: script.constant(0, 8)).set(here, one).set(here, two)
    assert table.at(here) is two
    assert table.at(other).value == 0
    assert table.where(lambda _: script.true, one).at(here) is one


def test_a_ghost_that_names_a_thread_is_as_wide_as_one() -> None:
    made = encoder({"who": Ghost(64, 0), "small": Ghost(8, 0)})
    view = made.view("me", made.system.threads[0])
    made.encode(leaf(leaves.STATUS, "ghost:who", bits=64), made.before, view)
    for name in ("ghost:small", "ghost:none", "#1"):
        with pytest.raises(PincerError):
            made.encode(leaf(leaves.STATUS, name, bits=64), made.before, view)
