"""Generated Python functions compute what the definitions say."""

from __future__ import annotations

from random import Random

import pytest

from pincer.logic import bitvectors as bv
from pincer.logic import terms
from pincer.logic.compilation import _compile, compile_expression
from pincer.logic.evaluation import evaluate
from tests.logic.random_words import WordMaker, draw_values
from tests.logic.word_definitions import P, Q, X, Y, number, plus


@pytest.mark.parametrize("block", range(4))
def test_compiled_expressions_compute_the_same_before_and_after_compilation(block: int) -> None:
    rng = Random(1000 + block)
    for _ in range(100):
        maker = WordMaker(rng)
        sample = maker.any(rng.randint(1, 64), 4)
        function = compile_expression(sample.term)
        compiled = _compile(sample.term)
        for _ in range(4):
            values = draw_values(rng, list(maker.variables))
            assert function(values, no_load, no_room) == sample.meaning(values)
            assert compiled(values, no_load, no_room) == sample.meaning(values)


def no_load(address: int, size: int) -> int:
    raise AssertionError("nothing to load")


def no_room(address: int) -> int:
    raise AssertionError("no object")


def test_compiled_expressions_read_memory_through_the_functions_given() -> None:
    term = terms.conjunction(
        terms.equal(bv.load(plus(P, bv.load(Q, 4)), 1), number(9, 8)), bv.compare("bvule", number(1), bv.room(P))
    )
    memory = {(100, 4): 20, (57, 1): 9}
    for _ in range(40):
        assert compile_expression(term)({P: 37, Q: 100}, lambda a, n: memory[a, n], lambda a: 4) == 1
        assert compile_expression(term)({P: 37, Q: 100}, lambda a, n: memory[a, n], lambda a: 0) == 0
    loads = dict.fromkeys(bv.state_reads(term), 0)
    assert evaluate(term, {P: 0, Q: 0, **loads}) == 0


def test_shared_subterms_do_not_explode() -> None:
    term = X
    for _ in range(200):
        term = bv.binary("bvmul", plus(term, 1), bv.binary("bvxor", term, Y))
    value = expected = 3
    for _ in range(200):
        value = expected = (expected + 1) * (expected ^ 5) % 2**32
    assert evaluate(term, {X: 3, Y: 5}) == value
    assert _compile(term)({X: 3, Y: 5}, no_load, no_room) == value
    assert len(str(term)) < 10_000


def test_long_chains_need_no_recursion() -> None:
    term, value = X, 3
    for i in range(5000):
        term = bv.binary("bvxor", bv.binary("bvmul", term, Y), number(i))
        value = value * 7 % 2**32 ^ i
    assert term.variables == {X, Y}
    assert evaluate(term, {X: 3, Y: 7}) == value
    assert _compile(term)({X: 3, Y: 7}, no_load, no_room) == value
    assert terms.substitute(term, {X: number(3), Y: number(7)}) is number(value)
    assert str(term)
