"""Compiled evaluation is the tree walk, only faster."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

import pytest

from pincer.logic import bitvectors, terms
from pincer.logic.evaluation import argument_names, compile_source, evaluate, python_source, unpacking
from pincer.logic.terms import Term
from tests.logic.random_terms import NAMES, VARIABLES, Maker, as_model, environment


def compiled(term: Term, variables: Sequence[Term]) -> Callable[[tuple[int, ...]], int]:
    """A function from the values of the variables to that of the term."""
    names = argument_names(variables)
    source = f"def f(state):\n{unpacking(names, 'state')}    return {python_source(term, names)}\n"
    return compile_source(source, "f")


@pytest.mark.parametrize("block", range(8))
def test_compiled_formulas_are_the_tree_walk(block: int) -> None:
    rng = Random(block)
    maker = Maker(rng)
    for _ in range(40):
        formula = maker.formula(3).term
        function = compiled(formula, VARIABLES)
        for _ in range(25):
            values = environment(rng)
            assert function(tuple(values[name] for name in NAMES)) == evaluate(formula, as_model(values)), formula


@pytest.mark.parametrize("block", range(4))
def test_compiled_integer_terms_are_the_tree_walk(block: int) -> None:
    rng = Random(100 + block)
    for _ in range(60):
        term = Maker(rng).integer(4).term
        function = compiled(term, VARIABLES)
        for _ in range(5):
            values = environment(rng)
            assert function(tuple(values[name] for name in NAMES)) == evaluate(term, as_model(values)), term


def test_an_expression_can_stand_for_an_atom() -> None:
    x = VARIABLES[0]
    atom = terms.at_most(x, terms.integer(3))
    other = terms.equal(x, terms.integer(9))
    formula = terms.conjunction(terms.negate(atom), terms.disjunction(other, terms.equal(x, terms.integer(8))))
    source = python_source(formula, {atom: "bits[0]", x: "v"})
    for v in range(12):
        for bit in (0, 1):
            assert bool(eval(source, {"bits": [bit], "v": v})) == (not bit and v in (8, 9))


def test_constants_and_states_without_variables() -> None:
    assert [compiled(formula, ())(()) for formula in (terms.TRUE, terms.FALSE)] == [True, False]
    assert compiled(terms.integer(-7), VARIABLES)((0, 0, 0, 0)) == -7


def test_big_numbers_are_exact() -> None:
    big = 10**40
    x = VARIABLES[0]
    for formula in (
        terms.at_most(terms.scale(3, x), terms.integer(big)),
        terms.equal(terms.divide(x, big), terms.integer(-1)),
    ):
        function = compiled(formula, (x,))
        for value in (big // 3, big // 3 + 1, -1, -big, -big - 1, 0):
            assert function((value,)) == evaluate(formula, {x: value})


def test_bit_vectors_are_refused_rather_than_miscompiled() -> None:
    v = bitvectors.variable("v", 8)
    with pytest.raises(ValueError, match="integers and Booleans"):
        argument_names((v,))
    with pytest.raises(ValueError, match="no Python source"):
        python_source(bitvectors.binary("bvadd", v, v), {v: "v"})


def test_boolean_variables_evaluate() -> None:
    flag = terms.variable("flag", terms.BOOL)
    x = VARIABLES[0]
    formula: Term = terms.iff(flag, terms.at_most(x, terms.integer(0)))
    function = compiled(formula, (flag, x))
    for f in (0, 1):
        for value in (-1, 0, 1):
            expected = (f == 1) == (value <= 0)
            assert function((f, value)) == expected
            assert evaluate(formula, {flag: f, x: value}) == expected
