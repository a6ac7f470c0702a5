"""Formulas of proofs as text: what is written can be read, everything else is refused."""

from __future__ import annotations

import random

import pytest

from pincer.errors import PincerError
from pincer.evidence.c_proof.formulas import Reader, Writer
from pincer.logic import bitvectors, terms
from pincer.logic.terms import Term
from tests.evidence.c_proof.proved_programs import (
    number,
    same,
)


def random_term(rng: random.Random, depth: int) -> Term:
    """A 16-bit term with all operations."""
    if depth == 0:
        return rng.choice(
            (bitvectors.variable("x", 16), bitvectors.variable("y", 16), number(rng.randrange(1 << 16), 16))
        )
    left, right = random_term(rng, depth - 1), random_term(rng, depth - 1)
    match rng.randrange(8):
        case 0:
            operations = "bvadd bvsub bvmul bvudiv bvurem bvsdiv bvsrem bvand bvor bvxor bvshl bvlshr bvashr"
            return bitvectors.binary(rng.choice(operations.split(" ")), left, right)
        case 1:
            return bitvectors.concat(bitvectors.extract(11, 4, left), bitvectors.extract(7, 0, right))
        case 2:
            return bitvectors.extract(16, 1, bitvectors.extend(left, rng.randrange(1, 9), rng.random() < 0.5))
        case 3:
            return bitvectors.load(left, 2)
        case 4:
            return bitvectors.room(left)
        case 5:
            return terms.conditional(random_condition(rng, depth - 1), left, right)
    return bitvectors.binary("bvadd", left, right)


def random_condition(rng: random.Random, depth: int) -> Term:
    parts = [
        bitvectors.compare(
            rng.choice(("bvult", "bvule", "bvslt", "bvsle")), random_term(rng, depth), bitvectors.variable("z", 16)
        ),
        terms.equal(random_term(rng, depth), random_term(rng, depth)),
        terms.negate(terms.equal(bitvectors.variable("x", 16), random_term(rng, depth))),
    ]
    return terms.iff(terms.conjunction(*parts[:2]), terms.disjunction(*parts[1:]))


@pytest.mark.parametrize("seed", range(40))
def test_every_term_can_be_read_back_from_its_text(seed: int) -> None:
    rng = random.Random(seed)
    roots = [random_condition(rng, 3) for _ in range(3)]
    writer = Writer(roots)
    reader = Reader(writer.registers, writer.definitions)
    assert [reader.predicate(writer.text(root)) for root in roots] == roots


def test_a_very_deep_term_can_be_written_and_read() -> None:
    term = bitvectors.variable("x", 16)
    for n in range(3000):
        term = bitvectors.binary(
            "bvxor", bitvectors.binary("bvmul", term, bitvectors.variable("y", 16)), number(n | 1, 16)
        )
    root = same(term, 0)
    writer = Writer([root])
    assert Reader(writer.registers, writer.definitions).predicate(writer.text(root)) is root


@pytest.mark.parametrize(
    "text",
    [
        "",
        "|x|",
        "(= |x| |y|",
        "(= |x| |y|))",
        "(= |x| |nobody|)",
        "(= |x| (_ bv1 8))",
        "(= |x| (_ bv70000 16))",
        "(= |x| (_ bv1 0))",
        "(= |x| p0)",
        "(and |x| true)",
        "(not true false)",
        "(bvule |x|)",
        "(bvfoo |x| |y|)",
        "(= ((_ extract 16 0) |x|) |y|)",
        "(= ((_ extract 3 4) |x|) |y|)",
        "(= ((_ rotate_left 3) |x|) |y|)",
        "(= (load 0 |x|) |y|)",
        "(= (load |x| 2) |y|)",
        "(room true)",
        "(forall ((a Bool)) a)",
        "(= |x| |y|) (= |x| |y|)",
        "true\\",
        "()",
        "(ite true |x| false)",
        "(_ bv1 16)",
        "((((",
        "(" * 100_000,
        "(not " * 5000,
    ],
)
def test_text_that_is_not_a_condition_is_refused(text: str) -> None:
    reader = Reader({"x": 16, "y": 16}, [])
    with pytest.raises(PincerError, match="malformed proof"):
        reader.predicate(text)


def test_a_definition_may_use_earlier_ones_only() -> None:
    assert Reader({"x": 8}, ["(= |x| (_ bv1 8))", "(not p0)"]).predicate("p1").op == "not"
    with pytest.raises(PincerError, match="malformed proof"):
        Reader({"x": 8}, ["(not p1)", "(= |x| (_ bv1 8))"])
