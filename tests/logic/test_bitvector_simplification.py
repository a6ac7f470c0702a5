"""Whatever the constructors simplify, the value stays; and what they promise to recognise, they recognise."""

from __future__ import annotations

from random import Random

import pytest

from pincer.logic import bitvectors as bv
from pincer.logic import terms
from pincer.logic.compilation import _compile, compile_expression
from pincer.logic.evaluation import evaluate
from pincer.logic.machine_arithmetic import COMPARISON
from pincer.logic.terms import FALSE, TRUE, Term
from tests.logic.random_words import WordMaker, draw_values

X, Y, P, Q = (bv.variable(name, 32) for name in ("x", "y", "p", "q"))
C = bv.variable("c", 8)
LESS = bv.compare("bvslt", X, Y)


def number(value: int, bits: int = 32) -> Term:
    return bv.constant(value, bits)


def plus(left: Term, right: Term | int) -> Term:
    return bv.binary("bvadd", left, number(right, bv.width(left)) if isinstance(right, int) else right)


def differs(left: Term, right: Term) -> Term:
    return terms.negate(terms.equal(left, right))


def truth(condition: Term, bits: int = 32) -> Term:
    """A C condition used as a number."""
    return terms.conditional(condition, number(1, bits), number(0, bits))


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


def test_parts_of_words_are_found_again() -> None:
    assert bv.extract(7, 0, bv.extend(C, 24, True)) is C
    assert bv.extract(31, 8, bv.extend(C, 24, False)) is number(0, 24)
    assert bv.extract(7, 0, plus(bv.extend(C, 24, True), 1)) is plus(C, 1)
    assert bv.extract(15, 8, bv.concat(C, bv.variable("d", 8))) is C
    assert bv.extend(bv.extend(C, 8, True), 16, True) is bv.extend(C, 24, True)
    assert bv.extend(bv.extend(C, 8, False), 16, True) is bv.extend(C, 24, False)
    assert bv.binary("bvand", number(255), X) is bv.extend(bv.extract(7, 0, X), 24, False)
    assert bv.binary("bvlshr", bv.binary("bvshl", X, number(24)), number(24)) is bv.binary("bvand", X, number(255))
    assert differs(bv.binary("bvand", number(4), X), number(0)) is terms.equal(bv.extract(2, 2, X), number(1, 1))
    assert bv.binary("bvurem", X, number(16)) is bv.binary("bvand", X, number(15))


@pytest.mark.parametrize(
    "whole",
    [X, plus(X, 7), bv.extend(C, 24, True), bv.extend(C, 24, False), truth(LESS), bv.binary("bvmul", X, Y),
     bv.binary("bvshl", X, number(8)), plus(bv.extend(C, 24, False), 1), bv.load(P, 4), bv.binary("bvxor", X, Y)],
)  # fmt: skip
def test_a_word_taken_apart_by_bytes_and_put_together_again_is_the_same(whole: Term) -> None:
    parts = [bv.extract(8 * i + 7, 8 * i, whole) for i in range(4)]
    upwards = parts[0]
    for part in parts[1:]:
        upwards = bv.concat(part, upwards)
    downwards = parts[3]
    for part in parts[2::-1]:
        downwards = bv.concat(downwards, part)
    assert upwards is whole
    assert downwards is whole


def test_bitwise_identities() -> None:
    ones = number(-1)
    assert bv.binary("bvand", X, ones) is X
    assert bv.binary("bvor", X, ones) is ones
    assert bv.binary("bvand", X, X) is X
    assert bv.binary("bvxor", X, X) is number(0)
    assert bv.binary("bvor", X, bv.invert(X)) is ones
    assert bv.binary("bvand", bv.invert(X), X) is number(0)


def test_state_reads_come_innermost_first() -> None:
    inner = bv.load(P, 4)
    outer = bv.load(plus(inner, 4), 2)
    formula = terms.conjunction(bv.compare("bvule", number(2), bv.room(inner)), terms.equal(outer, number(1, 16)))
    reads = bv.state_reads(formula)
    assert set(reads) == {inner, outer, bv.room(inner)}
    assert reads.index(inner) < reads.index(outer)
    assert reads.index(inner) < reads.index(bv.room(inner))
    assert bv.registers(formula) == {P}
    assert bv.state_reads(plus(X, 1)) == ()


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


def test_the_same_bits_of_addresses_that_are_whole_steps_apart_differ() -> None:
    top = bv.variable("top", 64)

    def slot(by: int) -> Term:
        return bv.extract(63, 32, bv.binary("bvadd", top, bv.constant(by, 64)))

    assert terms.equal(slot(0), slot(1 << 32)) is terms.FALSE
    assert terms.equal(slot(7), slot(7 + (5 << 32))) is terms.FALSE
    assert terms.equal(slot(0), slot(4)).op == "same"
    middle = [bv.extract(15, 8, bv.binary("bvadd", top, bv.constant(by, 64))) for by in (0, 1 << 16)]
    assert terms.equal(*middle) is terms.TRUE
