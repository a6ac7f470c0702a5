"""Bit-vector terms against definitions that are computed without them."""

from __future__ import annotations

from random import Random

import pytest

from pincer.logic import bitvectors as bv
from pincer.logic import terms
from pincer.logic.evaluation import evaluate
from pincer.logic.machine_arithmetic import COMPARISON
from pincer.logic.terms import FALSE, TRUE, Term
from tests.logic.random_words import WordMaker, draw_values
from tests.logic.word_definitions import ALL, P, X, build, meaning, number, pairs, plus


def as_number(term: Term) -> int | None:
    return bv.constant_value(term) if term.sort.width else {TRUE: 1, FALSE: 0}.get(term)


def check_shape(term: Term) -> None:
    """The normal form, in every subterm."""
    for part in terms.postorder(term):
        assert part.op not in ("bvadd", "bvsub", "bvult", "bvslt")
        if part.op == "bvlin":
            coefficients, offset = part.args
            factors = [factor for factor, _ in coefficients]
            assert factors == sorted(set(factors), key=lambda factor: factor.id)
            assert all(0 < c < 1 << bv.width(part) for _, c in coefficients)
            assert all(factor.op not in ("bvlin", "bvconst") for factor in factors)
            assert len(factors) > 1 or coefficients[0][1] != 1 or offset
        if part.op in ("same", *COMPARISON):
            assert part.args[0].op != "bvconst"


@pytest.mark.parametrize("block", range(8))
def test_random_terms_keep_their_value_and_fold_on_constants(block: int) -> None:
    rng = Random(block)
    for _ in range(400):
        maker = WordMaker(rng)
        sample = maker.any(rng.randint(1, 64), rng.randint(1, 4))
        check_shape(sample.term)
        assert sample.term.variables <= maker.variables.keys()
        for _ in range(4):
            values = draw_values(rng, list(maker.variables))
            expected = sample.meaning(values)
            assert evaluate(sample.term, values) == expected, (sample.term, values)
            constants = {v: bv.constant(value, bv.width(v)) for v, value in values.items()}
            assert as_number(terms.substitute(sample.term, constants)) == expected, (sample.term, values)


@pytest.mark.parametrize("bits", [1, 2, 3])
def test_small_widths_are_right_on_all_values(bits: int) -> None:
    rng = Random(bits)
    for _ in range(300):
        maker = WordMaker(rng, variable_widths=range(1, 65))
        sample = maker.any(bits, 3)
        if sum(bv.width(v) for v in sample.term.variables) > 8:
            continue
        variables = sorted(sample.term.variables, key=lambda v: v.id)
        others = draw_values(rng, [v for v in maker.variables if v not in sample.term.variables])
        for pattern in range(1 << sum(map(bv.width, variables))):
            values, rest = dict(others), pattern
            for v in variables:
                values[v], rest = rest & ((1 << bv.width(v)) - 1), rest >> bv.width(v)
            assert evaluate(sample.term, values) == sample.meaning(values)


def test_state_reads_come_innermost_first() -> None:
    inner = bv.load(P, 4)
    outer = bv.load(plus(inner, 4), 2)
    formula = terms.conjunction(bv.compare("bvule", number(2), bv.room(inner)), terms.equal(outer, number(1, 16)))
    reads = bv.state_reads(formula)
    assert set(reads) == {inner, outer, bv.room(inner)}
    assert reads.index(inner) < reads.index(outer)
    assert reads.index(inner) < reads.index(bv.room(inner))
    assert bv.state_reads(plus(X, 1)) == ()


def constant_of(term: Term) -> int | None:
    if term in (terms.TRUE, terms.FALSE):
        return int(term is terms.TRUE)
    return bv.constant_value(term)


@pytest.mark.parametrize("op", ALL)
def test_operations_follow_their_definition(op: str) -> None:
    rng = Random(op)
    for bits in range(1, 9):
        x, y = bv.variable(f"x{bits}", bits), bv.variable(f"y{bits}", bits)
        general = build(op, x, y)
        for a, b in pairs(bits, rng, 30):
            expected = meaning(op, a, b, bits)
            left, right = bv.constant(a, bits), bv.constant(b, bits)
            assert constant_of(build(op, left, right)) == expected, (bits, a, b)
            assert evaluate(general, {x: a, y: b}) == expected, (bits, a, b)
            assert evaluate(build(op, left, y), {y: b}) == expected, (bits, a, b)
            assert evaluate(build(op, x, right), {x: a}) == expected, (bits, a, b)
            assert constant_of(terms.substitute(general, {x: left, y: right})) == expected, (bits, a, b)
