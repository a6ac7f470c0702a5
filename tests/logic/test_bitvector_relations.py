"""Equality and order of words: each fact under one name."""

from __future__ import annotations

import pytest

from pincer.logic import bitvectors, terms
from pincer.logic import bitvectors as bv
from pincer.logic.evaluation import evaluate
from pincer.logic.machine_arithmetic import COMPARISON
from pincer.logic.terms import FALSE, TRUE, Term
from tests.logic.word_definitions import NARROW, WIDE, C, P, Q, X, Y, differs, number, plus


@pytest.mark.parametrize("op", ["same", *COMPARISON])
@pytest.mark.parametrize("keep_sign", [False, True])
def test_relations_of_extensions_to_all_constants(op: str, keep_sign: bool) -> None:
    for bits in (1, 2, 3):
        v = bv.variable(f"e{bits}", bits)
        for by in (1, 2):
            wide = bv.extend(v, by, keep_sign)
            for value in range(1 << (bits + by)):
                constant = number(value, bits + by)
                for left, right in ((wide, constant), (constant, wide)):
                    atom = terms.equal(left, right) if op == "same" else bv.compare(op, left, right)
                    assert wide not in terms.postorder(atom)
                    for x in range(1 << bits):
                        a, b = (evaluate(side, {v: x}) for side in (left, right))
                        expected = a == b if op == "same" else COMPARISON[op](a, b, bits + by)
                        assert evaluate(atom, {v: x}) == expected, (left, right, x)


def test_equalities_move_everything_to_one_side() -> None:
    assert terms.equal(plus(P, 8), plus(Q, 8)) is terms.equal(P, Q)
    assert terms.equal(plus(X, 3), number(10)) is terms.equal(X, number(7))
    assert terms.equal(bv.binary("bvsub", X, Y), number(0)) is terms.equal(X, Y)
    assert terms.equal(plus(P, 4), P) is FALSE
    assert terms.equal(bv.binary("bvmul", number(3), X), number(12)) is terms.equal(X, number(4))
    assert terms.equal(bv.negative(X), bv.negative(Y)) is terms.equal(X, Y)
    assert terms.equal(plus(X, Y), P) is terms.equal(bv.binary("bvsub", P, X), Y)
    assert terms.equal(number(7), X).args == (X, number(7))


def test_an_equality_is_solved_for_a_term_with_coefficient_one_rather_than_for_another_odd_one() -> None:
    tripled = bv.binary("bvmul", number(3), X)
    assert set(terms.equal(plus(tripled, Y), P).args) == {plus(tripled, Y), P}


def test_even_coefficients_are_not_divided_out() -> None:
    doubled = bv.binary("bvmul", number(2), X)
    equation = terms.equal(doubled, number(4))
    assert equation is not terms.equal(X, number(2))
    assert evaluate(equation, {X: 2 + 2**31}) == 1
    assert terms.equal(doubled, number(5)) is FALSE


def test_extensions_are_stripped_from_relations() -> None:
    wide, signed_wide = bv.extend(C, 24, False), bv.extend(C, 24, True)
    other = bv.variable("d", 8)
    assert terms.equal(wide, number(200)) is terms.equal(C, number(200, 8))
    assert terms.equal(wide, number(300)) is FALSE
    assert terms.equal(signed_wide, number(-3)) is terms.equal(C, number(-3, 8))
    assert terms.equal(signed_wide, number(200)) is FALSE
    assert bv.compare("bvsle", wide, bv.extend(other, 24, False)) is bv.compare("bvule", C, other)
    assert bv.compare("bvsle", signed_wide, bv.extend(other, 24, True)) is bv.compare("bvsle", C, other)
    assert bv.compare("bvsle", signed_wide, number(127)) is TRUE
    assert bv.compare("bvslt", wide, number(0)) is FALSE
    assert bv.compare("bvsle", signed_wide, number(5)) is bv.compare("bvsle", C, number(5, 8))
    assert terms.equal(wide, bv.extend(bv.variable("w", 16), 16, False)) is terms.equal(
        bv.extend(C, 8, False), bv.variable("w", 16)
    )


def test_extreme_bounds_say_nothing_or_are_equalities() -> None:
    least = 2**31
    assert bv.compare("bvule", X, number(-1)) is TRUE
    assert bv.compare("bvule", number(0), X) is TRUE
    assert bv.compare("bvsle", number(least), X) is TRUE
    assert bv.compare("bvsle", X, number(least - 1)) is TRUE
    assert bv.compare("bvult", X, number(1)) is terms.equal(X, number(0))
    assert bv.compare("bvult", number(0), X) is differs(X, number(0))
    assert bv.compare("bvsle", X, number(least)) is terms.equal(X, number(least))
    assert bv.compare("bvult", X, number(least)) is bv.compare("bvsle", number(0), X)
    assert bv.compare("bvule", X, plus(X, 1)) is differs(X, number(-1))
    assert bv.compare("bvsle", plus(X, 1), X) is terms.equal(X, number(least - 1))


def test_a_comparison_and_its_negation_share_one_atom() -> None:
    for op, strict in (("bvule", "bvult"), ("bvsle", "bvslt")):
        assert terms.negate(bv.compare(op, X, Y)) is bv.compare(strict, Y, X)
        assert terms.negate(bv.compare(op, X, number(5))) is bv.compare(op, number(6), X)
    bit = bv.variable("bit", 1)
    assert terms.equal(bit, number(0, 1)) is differs(bit, number(1, 1))


def test_the_same_bits_of_addresses_that_are_whole_steps_apart_differ() -> None:
    top = bv.variable("top", 64)

    def slot(by: int) -> Term:
        return bv.extract(63, 32, bv.binary("bvadd", top, bv.constant(by, 64)))

    assert terms.equal(slot(0), slot(1 << 32)) is terms.FALSE
    assert terms.equal(slot(7), slot(7 + (5 << 32))) is terms.FALSE
    assert terms.equal(slot(0), slot(4)).op == "same"
    middle = [bv.extract(15, 8, bv.binary("bvadd", top, bv.constant(by, 64))) for by in (0, 1 << 16)]
    assert terms.equal(*middle) is terms.TRUE


def test_equal_constants_are_equal_and_others_are_not() -> None:
    assert terms.equal(bv.constant(9, 3), bv.constant(1, 3)) is terms.TRUE
    assert terms.equal(bv.constant(2, 3), bv.constant(1, 3)) is terms.FALSE
    x, y = bv.variable("x", 3), bv.variable("y", 3)
    assert terms.equal(x, y) is terms.equal(y, x)
    assert bv.binary("bvadd", x, y) is bv.binary("bvadd", y, x)
    assert terms.negate(bv.compare("bvult", x, y)) is bv.compare("bvule", y, x)


def test_the_same_bits_of_terms_of_different_widths_may_be_compared() -> None:
    atom = terms.equal(bitvectors.extract(15, 0, WIDE), bitvectors.extract(15, 0, NARROW))
    assert atom.op == "same"
