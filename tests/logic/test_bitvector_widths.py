"""Operands of different widths are refused by the constructors, and by the checker of proofs."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pincer.errors import PincerError
from pincer.evidence.c_proof.smt import Node, Script
from pincer.logic import bitvectors, terms
from pincer.logic.terms import Term

WIDE, NARROW = bitvectors.variable("wide", 35), bitvectors.variable("narrow", 32)
BUILDERS: list[Callable[[Term, Term], Term]] = [
    terms.equal,
    lambda a, b: bitvectors.compare("bvule", a, b),
    lambda a, b: bitvectors.compare("bvslt", a, b),
    lambda a, b: bitvectors.binary("bvadd", a, b),
    lambda a, b: bitvectors.binary("bvsub", a, b),
    lambda a, b: bitvectors.binary("bvmul", a, b),
    lambda a, b: bitvectors.binary("bvlshr", a, b),
    lambda a, b: terms.conditional(terms.variable("c", terms.BOOL), a, b),
]
CHECKED: list[Callable[[Script, Node, Node], Node]] = [
    Script.equal,
    Script.add,
    Script.difference,
    Script.at_most,
    lambda script, a, b: script.binary("bvand", a, b),
    lambda script, a, b: script.compare("bvsle", a, b),
    lambda script, a, b: script.conditional(script.at_most(a, a), a, b),
]


@pytest.mark.parametrize("build", BUILDERS)
@pytest.mark.parametrize("right", [NARROW, bitvectors.constant(3, 32)])
def test_terms_of_different_widths_cannot_be_combined(build: Callable[[Term, Term], Term], right: Term) -> None:
    with pytest.raises(ValueError, match="operands of the sorts"):
        build(WIDE, right)


@pytest.mark.parametrize("build", CHECKED)
def test_the_checker_refuses_operands_of_different_widths(build: Callable[[Script, Node, Node], Node]) -> None:
    script = Script()
    with pytest.raises(PincerError, match="35 and of 32 bits"):
        build(script, script.variable("a", 35), script.variable("b", 32))


def test_the_same_bits_of_terms_of_different_widths_may_be_compared() -> None:
    atom = terms.equal(bitvectors.extract(15, 0, WIDE), bitvectors.extract(15, 0, NARROW))
    assert atom.op == "same"
