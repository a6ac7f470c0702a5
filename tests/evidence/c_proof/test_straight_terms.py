"""Terms written as Python have the values that the operations have by definition."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from pincer.evidence.c_proof.float_values import result
from pincer.evidence.c_proof.smt import VALUES
from pincer.evidence.c_proof.straight_terms import TermText, Unsettled
from pincer.logic import bitvectors, terms
from pincer.logic.evaluation import evaluate
from pincer.logic.terms import Term
from tests.logic.random_numbers import NumberMaker
from tests.logic.random_words import WordMaker, draw_values

TEXT = TermText(lambda name: f"known[{name!r}]")
X, Y = bitvectors.variable("x", 8), bitvectors.variable("y", 8)


def computed(term: Term, values: dict[Term, int], **names: Any) -> Any:
    known = {str(v.args[0]): value for v, value in values.items()}
    return eval(TEXT.of(term), {"known": known, "VALUES": VALUES, "NUMBER": result, **names})


@pytest.mark.parametrize("seed", range(2))
def test_random_words_have_their_values(seed: int) -> None:
    rng = Random(seed)
    for _ in range(400):
        maker = WordMaker(rng)
        sample = maker.any(rng.choice((1, 8, 32, 64, rng.randint(1, 64))), rng.randint(1, 3))
        values = draw_values(rng, list(maker.variables))
        assert computed(sample.term, values) == sample.meaning(values), sample.term


def test_random_numbers_have_their_values() -> None:
    maker = NumberMaker(Random(2), (32, 64, 80))
    for _ in range(300):
        bits = maker.rng.choice((32, 64, 80))
        term = maker.formula(bits, 2) if maker.rng.random() < 0.3 else maker.number(bits, 2)
        values = maker.values(term)
        assert computed(term, values) == evaluate(term, values), term


def test_memory_is_asked_with_the_address_and_the_number_of_bytes() -> None:
    pointer = bitvectors.variable("p", 64)
    address = bitvectors.binary("bvadd", pointer, bitvectors.constant(-8, 64))
    asked = []

    def load(at: int, size: int) -> int:
        asked.append((at, size))
        return 7

    read = bitvectors.binary("bvadd", bitvectors.load(address, 4), bitvectors.constant(1, 32))
    assert computed(read, {pointer: 100}, load=load) == 8
    assert asked == [(92, 4)]
    assert computed(bitvectors.room(address), {pointer: 3}, room=lambda at: at) == 2**64 - 5


def test_what_a_connective_does_not_need_is_not_computed() -> None:
    """The other parts may read where nothing is known."""
    first, second = (bitvectors.load(bitvectors.variable(name, 64), 1) for name in ("p", "q"))
    zeros = [terms.equal(read, bitvectors.constant(0, 8)) for read in (first, second)]
    pointers = {v: 64 for read in (first, second) for v in read.variables}
    for term, byte in ((terms.conjunction(*zeros), 1), (terms.disjunction(*zeros), 0)):
        asked: list[int] = []
        computed(term, pointers, load=lambda at, size, byte=byte, asked=asked: asked.append(at) or byte)
        assert len(asked) == 1
    chosen = terms.conditional(terms.equal(X, bitvectors.constant(0, 8)), first, Y)
    assert computed(chosen, {X: 5, Y: 9, **pointers}) == 9


def test_large_terms_and_strange_operations_are_left_to_others() -> None:
    deep = X
    for _ in range(50):
        deep = bitvectors.binary("bvudiv", bitvectors.binary("bvxor", deep, Y), X)
    wide = bitvectors.binary("bvmul", X, Y)
    for _ in range(9):
        wide = bitvectors.binary("bvudiv", wide, bitvectors.binary("bvor", wide, X))
    unbounded = terms.at_most(terms.variable("n"), terms.variable("m"))
    for term in (deep, wide, unbounded):
        with pytest.raises(Unsettled):
            TEXT.of(term)
