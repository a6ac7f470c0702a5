"""Reads become variables, and what is known of equal addresses and of objects stays known."""

from __future__ import annotations

import pytest

from pincer.logic import bitvectors, terms
from pincer.logic.bitwuzla_solver import BitwuzlaSolver
from pincer.logic.reads import without_reads
from pincer.logic.solver import Status
from pincer.logic.terms import Term

P, Q = bitvectors.variable("p", 64), bitvectors.variable("q", 64)


def at(address: Term, by: int) -> Term:
    return bitvectors.binary("bvadd", address, bitvectors.constant(by, 64))


def satisfiable(*formulas: Term, slot_bits: int = 0) -> bool:
    solver = BitwuzlaSolver(10_000)
    for formula in without_reads(formulas, slot_bits):
        solver.add(formula)
    return solver.check(()) is Status.SAT


def same(term: Term, value: int) -> Term:
    return terms.equal(term, bitvectors.constant(value, bitvectors.width(term)))


def test_equal_addresses_read_equally() -> None:
    differ = terms.negate(terms.equal(bitvectors.load(P, 4), bitvectors.load(Q, 4)))
    assert satisfiable(differ)
    assert not satisfiable(differ, terms.equal(P, Q))


@pytest.mark.parametrize(("by", "possible"), [(8, False), (1 << 32, True)], ids=["inside a slot", "in the next slot"])
def test_addresses_of_one_slot_have_one_room(by: int, possible: bool) -> None:
    start = same(bitvectors.extract(31, 0, P), 0)
    rooms = (same(bitvectors.room(P), 24), same(bitvectors.room(at(P, by)), 0))
    assert satisfiable(start, *rooms, slot_bits=32) is possible


def test_reads_of_one_slot_differ() -> None:
    values = (same(bitvectors.load(P, 4), 1), same(bitvectors.load(at(P, 4), 4), 2))
    assert satisfiable(*values, slot_bits=32)
