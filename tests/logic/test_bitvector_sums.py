"""Linear sums have one normal form, and conditionals between constants are transparent."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pincer.logic import bitvectors, terms
from pincer.logic import bitvectors as bv
from pincer.logic.evaluation import evaluate
from pincer.logic.limits import LIMITS
from pincer.logic.terms import FALSE, Term
from tests.logic.word_definitions import LESS, NARROW, WIDE, P, X, Y, differs, number, plus, truth


def test_addresses_with_the_same_base_differ_by_a_constant() -> None:
    scaled = bv.binary("bvshl", Y, number(2))
    first, second = plus(plus(P, scaled), 4), plus(P, plus(bv.binary("bvmul", number(4), Y), 12))
    assert bv.binary("bvsub", second, first) is number(8)
    assert plus(bv.negative(P), P) is number(0)
    assert plus(X, 0) is X
    assert bv.binary("bvmul", number(1), X) is X
    assert plus(plus(X, 5), -5) is X
    assert plus(bv.invert(X), 1) is bv.negative(X)
    assert bv.invert(bv.invert(plus(X, 3))) is plus(X, 3)


def test_a_sum_that_grows_and_grows_is_cut_into_sums() -> None:
    many = [bv.variable(f"summand{index}", 32) for index in range(3 * LIMITS.summands)]
    total = number(7)
    for summand in many:
        total = plus(total, summand)
        assert total.op != "bvlin" or len(total.args[0]) <= LIMITS.summands + 1
    assert evaluate(total, dict.fromkeys(many, 3)) == 7 + 3 * len(many)
    assert bv.binary("bvsub", total, total) is number(0)


def test_a_condition_used_as_a_number_is_the_condition_again() -> None:
    flag = truth(LESS)
    assert differs(flag, number(0)) is LESS
    assert terms.equal(flag, number(0)) is terms.negate(LESS)
    assert terms.equal(flag, number(1)) is LESS
    assert terms.equal(flag, number(7)) is FALSE
    assert differs(bv.extend(bv.extract(7, 0, flag), 56, True), number(0, 64)) is LESS
    assert differs(bv.extend(truth(LESS, 8), 24, False), number(0)) is LESS
    assert bv.compare("bvslt", number(0), flag) is LESS
    assert bv.compare("bvule", flag, number(0)) is terms.negate(LESS)
    assert differs(bv.binary("bvand", flag, number(1)), number(0)) is LESS


def test_conditions_combined_as_numbers_are_combined_as_conditions() -> None:
    zero = terms.equal(X, number(0))
    nested = terms.conditional(LESS, number(5), terms.conditional(zero, number(6), number(7)))
    assert terms.equal(nested, number(6)) is terms.conjunction(terms.negate(LESS), zero)
    assert bv.compare("bvule", nested, number(6)) is terms.disjunction(LESS, zero)
    both = bv.binary("bvand", truth(LESS), truth(zero))
    assert differs(both, number(0)) is terms.conjunction(LESS, zero)
    assert terms.equal(truth(LESS), truth(zero)) is terms.iff(LESS, zero)
    mixed = terms.conditional(LESS, number(3), Y)
    assert terms.equal(mixed, number(0)) is terms.conjunction(terms.negate(LESS), terms.equal(Y, number(0)))
    assert terms.equal(mixed, Y) is terms.disjunction(terms.negate(LESS), terms.equal(Y, number(3)))


def test_a_width_of_zero_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one bit"):
        bv.variable("x", 0)


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


@pytest.mark.parametrize("build", BUILDERS)
@pytest.mark.parametrize("right", [NARROW, bitvectors.constant(3, 32)])
def test_terms_of_different_widths_cannot_be_combined(build: Callable[[Term, Term], Term], right: Term) -> None:
    with pytest.raises(ValueError, match="operands of the sorts"):
        build(WIDE, right)
