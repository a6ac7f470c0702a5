"""Reads are replaced and nothing else is; as variables, what is known of equal addresses stays known."""

from __future__ import annotations

from random import Random

import pytest

from pincer.logic import bitvectors, terms
from pincer.logic.bitwuzla_solver import BitwuzlaSolver
from pincer.logic.rewriting import rewrite, without_reads
from pincer.logic.solver import Status
from pincer.logic.terms import Term
from tests.logic.random_words import WordMaker, draw_values

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


def test_replacing_registers_is_substitution_and_replacing_nothing_changes_nothing() -> None:
    rng = Random(3)
    for _ in range(200):
        maker = WordMaker(rng)
        sample = maker.any(rng.randint(1, 64), 3)
        values = draw_values(rng, list(maker.variables))
        constants = {v: bitvectors.constant(value, bitvectors.width(v)) for v, value in values.items()}
        assert rewrite(sample.term, lambda leaf: leaf, {}) is sample.term
        replaced = rewrite(sample.term, lambda leaf, known=constants: known[leaf], {})  # type: ignore[misc]
        assert replaced is terms.substitute(sample.term, constants)


def test_the_outermost_reads_are_handed_over_with_their_addresses_inside() -> None:
    inner = bitvectors.load(P, 8)
    outer = bitvectors.load(at(inner, 4), 4)
    asked: list[Term] = []

    def leaf(term: Term) -> Term:
        asked.append(term)
        return bitvectors.constant(7, bitvectors.width(term))

    formula = terms.conjunction(same(outer, 7), bitvectors.compare("bvule", Q, bitvectors.room(P)))
    assert rewrite(formula, leaf, {}) is terms.TRUE
    assert set(asked) == {outer, Q, bitvectors.room(P)}
