"""Projection against brute force over all values of small widths."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from pincer.logic import bitvector_projection, terms
from pincer.logic import bitvectors as bv
from pincer.logic.bitvector_projection import over_approximate, project
from pincer.logic.evaluation import evaluate
from pincer.logic.limits import FormulaLimits
from pincer.logic.terms import TRUE, Term

V, A, B = (bv.variable(name, 32) for name in ("v", "a", "b"))
CHAR = bv.variable("ch", 8)


def number(value: int, bits: int = 32) -> Term:
    return bv.constant(value, bits)


def at_most(left: Term, right: Term) -> Term:
    return bv.compare("bvsle", left, right)


def less(left: Term, right: Term) -> Term:
    return bv.compare("bvslt", left, right)


def differs(left: Term, right: Term) -> Term:
    return terms.negate(terms.equal(left, right))


class Formulas:
    """Random formulas about v, a and b of a few bits."""

    def __init__(self, rng: Random, bits: int) -> None:
        self.rng = rng
        self.bits = bits
        self.v = bv.variable(f"v{bits}", bits)
        self.others = [bv.variable(f"{name}{bits}", bits) for name in "ab"]

    def side(self) -> Term:
        constant = bv.constant(self.rng.randrange(1 << self.bits), self.bits)
        other = self.rng.choice(self.others)
        return self.rng.choice(
            [self.v, self.v, other, constant, bv.binary("bvadd", self.v, self.rng.choice([other, constant])),
             bv.binary("bvsub", other, self.v), bv.binary("bvmul", self.v, constant)]
        )  # fmt: skip

    def sides(self) -> tuple[Term, Term]:
        rng, bits = self.rng, self.bits
        other = rng.choice(self.others)
        kind = rng.random()
        if kind < 0.1:
            high = rng.randrange(1, bits)
            return bv.extract(high - 1, 0, self.v), bv.extract(high - 1, 0, other)
        if kind < 0.2:
            shift = bv.constant(rng.randrange(2 << bits), bits + 1)
            wide = bv.extend(other, 1, rng.random() < 0.5)
            return bv.extend(self.v, 1, rng.random() < 0.5), bv.binary("bvadd", wide, shift)
        if kind < 0.3:
            op = rng.choice(["bvurem", "bvudiv", "bvsrem", "bvsdiv"])
            return bv.binary(op, self.v, bv.constant(rng.randrange(1 << bits), bits)), other
        if kind < 0.35:
            return terms.conditional(self.atom(), self.side(), self.side()), self.side()
        return self.side(), self.side()

    def atom(self) -> Term:
        left, right = self.sides()
        op = self.rng.choice(["same", "differ", "bvule", "bvult", "bvsle", "bvslt"])
        if op in ("same", "differ"):
            return terms.literal(terms.equal(left, right), op == "same")
        return bv.compare(op, left, right)

    def formula(self, depth: int) -> Term:
        if depth == 0 or self.rng.random() < 0.2:
            return self.atom()
        parts = [self.formula(depth - 1) for _ in range(self.rng.randint(2, 3))]
        if self.rng.random() < 0.25:
            return terms.iff(parts[0], parts[1])
        return terms.disjunction(*parts) if self.rng.random() < 0.3 else terms.conjunction(*parts)


def assert_projected(formula: Term, v: Term, others: Sequence[Term], bits: int) -> bool:
    """Compare with brute force; whether an exact projection was found."""
    exact, wider = project(formula, v), over_approximate(formula, v)
    for result in (exact, wider):
        assert result is None or result.variables <= formula.variables - {v}
    for a in range(1 << bits):
        for b in range(1 << bits):
            values = dict(zip(others, (a, b), strict=True))
            expected = any(evaluate(formula, {**values, v: value}) for value in range(1 << bits))
            assert exact is None or evaluate(exact, values) == expected, (formula, exact, values)
            assert not expected or evaluate(wider, values), (formula, wider, values)
    return exact is not None


@pytest.mark.parametrize("bits", [2, 3, 4])
@pytest.mark.parametrize("block", range(4))
def test_projections_are_exact_and_approximations_are_implied(
    bits: int, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bitvector_projection, "LIMITS", FormulaLimits(narrow_bits=0))
    rng = Random(10 * bits + block)
    make = Formulas(rng, bits)
    found = [
        assert_projected(formula, make.v, make.others, bits)
        for formula in (make.formula(rng.randint(0, 2)) for _ in range(40))
        if make.v in formula.variables
    ]
    assert sum(found) > len(found) / 3, "too few exact projections for the comparison to mean much"


@pytest.mark.parametrize("signed", [False, True])
def test_every_pair_of_literals_about_the_plain_variable_is_eliminated(signed: bool) -> None:
    v, a, b = (bv.variable(f"{name}3", 3) for name in "vab")
    order = "bvsle" if signed else "bvule"
    literals = [
        terms.literal(atom, positive)
        for e in (a, b, bv.constant(5, 3), bv.binary("bvadd", a, b))
        for atom in (bv.compare(order, v, e), bv.compare(order, e, v), terms.equal(v, e))
        for positive in (True, False)
    ]
    for first in literals:
        for second in literals:
            assert assert_projected(terms.conjunction(first, second), v, (a, b), 3)


def test_narrow_variables_are_always_eliminated() -> None:
    rng = Random(3)
    make = Formulas(rng, 3)
    for _ in range(40):
        formula = make.formula(1)
        assert make.v not in formula.variables or assert_projected(formula, make.v, make.others, 3)


def test_equations_are_substituted() -> None:
    hard = less(bv.binary("bvmul", V, B), A)
    formula = terms.conjunction(terms.equal(bv.binary("bvadd", V, A), B), hard)
    solution = bv.binary("bvsub", B, A)
    assert project(formula, V) is terms.substitute(hard, {V: solution})
    choices = terms.disjunction(terms.equal(V, number(1)), terms.equal(V, number(2)))
    assert project(terms.conjunction(choices, hard), V) is terms.disjunction(
        less(B, A), less(bv.binary("bvmul", number(2), B), A)
    )


def test_bounds_meet() -> None:
    assert project(terms.conjunction(at_most(A, V), at_most(V, B)), V) is at_most(A, B)
    assert project(terms.conjunction(at_most(A, V), less(V, B)), V) is less(A, B)
    assert project(terms.conjunction(less(number(0), V), less(V, B)), V) is less(number(1), B)
    assert project(less(V, B), V) is differs(B, number(1 << 31))
    assert project(differs(V, A), V) is TRUE


def test_what_an_input_is_used_for_in_c_is_eliminated() -> None:
    wide = bv.extend(CHAR, 24, True)
    assert project(terms.conjunction(at_most(wide, A), differs(CHAR, number(0, 8))), CHAR) is not None
    assert project(less(bv.binary("bvurem", V, number(10)), A), V) is less(number(0), A)
    assert project(terms.equal(bv.binary("bvand", V, number(1)), number(0)), V) is TRUE
    flag = terms.conditional(less(V, A), number(1), B)
    assert project(terms.equal(flag, number(0)), V) is terms.equal(B, number(0))


def test_reads_of_the_state_are_parameters_unless_their_address_depends_on_the_variable() -> None:
    read = bv.load(A, 4)
    assert project(terms.conjunction(at_most(read, V), less(V, B)), V) is less(read, B)
    formula = terms.conjunction(terms.equal(bv.load(V, 4), B), less(V, A))
    assert project(formula, V) is None
    assert V not in over_approximate(formula, V).variables
    pointed = terms.conjunction(terms.equal(V, A), terms.equal(bv.load(V, 4), B))
    assert project(pointed, V) is terms.equal(read, B)


def test_an_approximation_keeps_what_is_known_without_the_hard_part() -> None:
    hard = terms.equal(bv.binary("bvmul", V, V), B)
    formula = terms.conjunction(at_most(A, V), less(V, B), hard)
    assert project(formula, V) is None
    assert over_approximate(formula, V) is less(A, B)
    assert over_approximate(hard, V) is TRUE
    assert over_approximate(terms.disjunction(less(A, B), hard), V) is TRUE


def test_formulas_without_the_variable_stay() -> None:
    assert project(less(A, B), V) is less(A, B)
    assert over_approximate(less(A, B), V) is less(A, B)
