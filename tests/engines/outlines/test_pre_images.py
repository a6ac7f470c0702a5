"""Conditions carried back over moves."""

from __future__ import annotations

from pincer.engines.outlines.pre_images import pre_image, replaced
from pincer.errors import Position
from pincer.evidence.thread_proof.leaves import ghost
from pincer.logic import bitvectors, terms
from pincer.program.control_flow import Assign, Input, Label, Store
from pincer.program.registers import global_register
from pincer.program.threaded_system import Move, Perform, Place

X, Y = global_register("x", 32), global_register("y", 32)
CELL = bitvectors.load(bitvectors.constant(4096, 64), 4)


def move(*labels: Label) -> Move:
    return Move(0, Place((), 1), tuple(map(Perform, labels)), Place((), 2), Position("p.c", 1, 1))


def number(value: int) -> terms.Term:
    return bitvectors.constant(value, 32)


def test_assignments_and_stores_are_put_in() -> None:
    condition = terms.equal(X, number(3))
    assert pre_image(move(Assign(X, Y)), condition, {}, 64) is terms.equal(Y, number(3))
    stored = pre_image(move(Store(bitvectors.constant(4096, 64), Y)), terms.equal(CELL, number(1)), {}, 64)
    assert stored is terms.equal(Y, number(1))


def test_the_last_action_is_the_first_to_be_put_in() -> None:
    both = move(Assign(X, number(1)), Assign(Y, X))
    assert pre_image(both, terms.equal(Y, number(1)), {}, 64) is terms.TRUE


def test_inputs_have_no_value_before() -> None:
    assert pre_image(move(Input(X, "input")), terms.equal(X, number(1)), {}, 64) is None


def test_ghosts_have_values_from_before_the_move() -> None:
    owner = ghost("own", 32)
    found = pre_image(move(Assign(X, number(7))), terms.equal(owner, X), {"own": X}, 64)
    assert found is terms.equal(X, number(7))


def test_reads_of_memory_are_replaced() -> None:
    assert replaced(terms.equal(CELL, X), {CELL: Y}) is terms.equal(Y, X)
