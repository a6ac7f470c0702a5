"""Range facts: equal ones are the same term, the index is bound, and instances say what the whole says of one index."""

from __future__ import annotations

import pytest

from pincer.logic import ranges, terms
from pincer.logic.bitvectors import binary, compare, constant, load, variable
from pincer.logic.terms import FALSE, TRUE, substitute

A, N, AT = variable("a", 64), variable("n", 64), variable("i", 64)
INDEX = ranges.index(64)
CELL = load(binary("bvadd", A, binary("bvmul", constant(4, 64), INDEX)), 4)
ZEROS = ranges.every(constant(0, 64), N, terms.equal(CELL, constant(0, 32)))


def test_the_index_is_no_variable_of_the_formula() -> None:
    assert ZEROS.variables == {A, N}
    assert substitute(ZEROS, {N: AT}) is ranges.every(constant(0, 64), AT, terms.equal(CELL, constant(0, 32)))


def test_a_range_without_cells_or_without_a_claim_says_nothing() -> None:
    assert ranges.every(N, N, FALSE) is TRUE
    assert ranges.every(constant(0, 64), N, TRUE) is TRUE


def test_ranges_are_not_nested_and_bounds_do_not_depend_on_the_index() -> None:
    with pytest.raises(ValueError):
        ranges.every(constant(0, 64), N, ZEROS)
    with pytest.raises(ValueError):
        ranges.every(INDEX, N, FALSE)


def test_an_instance_says_it_of_one_index() -> None:
    inside = terms.conjunction(compare("bvule", constant(0, 64), AT), compare("bvult", AT, N))
    cell = load(binary("bvadd", A, binary("bvmul", constant(4, 64), AT)), 4)
    assert ranges.instance(ZEROS, AT) is terms.implies(inside, terms.equal(cell, constant(0, 32)))


def test_some_is_the_opposite_of_none() -> None:
    body = terms.equal(CELL, constant(0, 32))
    assert terms.negate(ranges.some(constant(0, 64), N, terms.negate(body))) is ZEROS


def test_ranges_are_found_in_connectives() -> None:
    other = ranges.some(AT, N, terms.equal(CELL, constant(1, 32)))
    found = ranges.ranges_in([terms.disjunction(ZEROS, compare("bvule", A, N)), other])
    assert set(found) == {ZEROS, terms.negate(other)}


def test_strides_and_quotients_find_the_index_of_an_address() -> None:
    assert ranges.strides(ZEROS) == [(4, A, 4)]
    assert ranges.quotient(binary("bvmul", constant(4, 64), AT), 4) is AT
    assert ranges.quotient(binary("bvmul", constant(-4, 64), AT), 4) is binary("bvmul", constant(-1, 64), AT)
    assert ranges.quotient(AT, 4) is binary("bvudiv", AT, constant(4, 64))


def test_equations_single_out_indices() -> None:
    here = terms.equal(binary("bvadd", A, INDEX), N)
    formula = ranges.every(constant(0, 64), N, terms.disjunction(here, terms.equal(CELL, constant(0, 32))))
    assert binary("bvsub", N, A) in ranges.singled_out(formula)
