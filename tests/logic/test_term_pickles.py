"""Terms reach another process as what they are there."""

from __future__ import annotations

import multiprocessing
from typing import Any

import pytest

from pincer.logic import bitvectors, terms
from pincer.logic.term_pickles import packed, unpacked
from pincer.logic.terms import Term

X, Y = bitvectors.variable("x", 32), bitvectors.variable("y", 32)
N = terms.variable("n")
BYTES = bitvectors.concat(bitvectors.load(bitvectors.variable("p", 64), 1), bitvectors.extract(7, 0, X))
SUM = bitvectors.combination([(X, 3), (Y, 1)], 7, 32)
FORMULAS = [
    terms.TRUE,
    terms.conjunction(bitvectors.compare("bvule", SUM, Y), terms.negate(terms.equal(X, Y))),
    terms.equal(BYTES, bitvectors.constant(3, 16)),
    terms.at_most_zero(terms.combination([(N, 2), (terms.divide(N, 3), -1)], 5)),
    bitvectors.binary("bvmul", bitvectors.binary("bvand", X, Y), Y),
    terms.conditional(terms.equal(X, Y), X, bitvectors.constant(1, 32)),
    bitvectors.extend(X, 32, True),
]


@pytest.mark.parametrize("term", FORMULAS, ids=str)
def test_a_term_is_itself_again(term: Term) -> None:
    assert unpacked(packed(term)) is term


def test_values_keep_their_shape_and_share_terms() -> None:
    value = {"facts": [(3, (FORMULAS[1], FORMULAS[2]))], "inputs": ({X: 4},), "text": "no term"}
    assert unpacked(packed(value)) == value


def test_long_chains_need_no_recursion() -> None:
    chain = X
    for _ in range(20_000):
        chain = bitvectors.binary("bvxor", bitvectors.binary("bvmul", chain, Y), X)
    assert unpacked(packed(chain)) is chain


def _made_elsewhere(connection: Any) -> None:
    late, early = bitvectors.variable("late", 32), bitvectors.variable("early", 32)
    connection.send_bytes(packed(bitvectors.binary("bvand", late, early)))
    connection.close()


def test_the_order_in_which_terms_were_made_elsewhere_does_not_matter() -> None:
    early = bitvectors.variable("early", 32)
    late = bitvectors.variable("late", 32)
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe()
    process = context.Process(target=_made_elsewhere, args=(there,))
    process.start()
    assert unpacked(here.recv_bytes()) is bitvectors.binary("bvand", early, late)
    process.join()
