"""Terms keep the meaning they were built with, in one normal form."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from math import gcd
from random import Random

import pytest

from pincer.evidence.gcl import interpreter
from pincer.frontends.gcl import parse_formula, parse_program
from pincer.logic import terms
from pincer.logic.evaluation import evaluate
from pincer.logic.terms import Term
from pincer.program.lowering import lower
from tests.logic.random_terms import NAMES, VARIABLES, Maker, as_model, environment

X, Y, Z, A = VARIABLES
BLOCKS = range(10)
DECLARATIONS = "var x, y, z : int; var a[1..1] : int; trans t: x = 0 -> x := 1; "


def number(value: int) -> Term:
    return terms.integer(value)


def subterms(term: Term) -> Iterator[Term]:
    """The term and all below it, with repetitions."""
    pending = [term]
    while pending:
        current = pending.pop()
        yield current
        for arg in current.args:
            if isinstance(arg, Term):
                pending.append(arg)
            elif isinstance(arg, tuple):
                pending.extend(factor for factor, _ in arg)


@pytest.mark.parametrize("block", BLOCKS)
def test_terms_mean_what_they_were_built_from(block: int) -> None:
    rng = Random(block)
    for _ in range(120):
        maker = Maker(rng)
        sample = maker.integer(4) if rng.random() < 0.4 else maker.formula(3)
        for _ in range(6):
            values = environment(rng)
            assert evaluate(sample.term, as_model(values)) == int(sample.meaning(values)), (sample.term, values)


@pytest.mark.parametrize("block", BLOCKS)
def test_the_same_construction_gives_the_same_object(block: int) -> None:
    for seed in range(100):
        first = Maker(Random((block, seed).__repr__())).formula(3)
        second = Maker(Random((block, seed).__repr__())).formula(3)
        assert first.term is second.term


@pytest.mark.parametrize("block", BLOCKS)
def test_every_node_is_in_normal_form(block: int) -> None:
    rng = Random(1000 + block)
    for _ in range(80):
        for node in subterms(Maker(rng).formula(3).term):
            if node.op in ("le", "eq"):
                check_atom(node)
            elif node.op == "linear":
                coefficients, constant = node.args
                assert all(c and factor.op != "linear" for factor, c in coefficients)
                assert not (len(coefficients) == 1 and coefficients[0][1] == 1 and constant == 0)
            elif node.op == "div":
                check_division(node)
            elif node.op == "not":
                assert node.args[0].op in ("le", "eq", "iff")
            elif node.op in ("and", "or"):
                assert len(node.args) >= 2
                assert all(part.op != node.op for part in node.args)
                assert not any(terms.negate(part) in node.args for part in node.args)


def check_atom(atom: Term) -> None:
    coefficients, _ = atom.args
    assert coefficients[0][1] > 0
    assert gcd(*(c for _, c in coefficients)) == 1
    assert all(c for _, c in coefficients)
    assert all(factor.op in ("var", "div") for factor, _ in coefficients)
    names = [terms.text(factor) for factor, _ in coefficients]
    assert names == sorted(names) and len(set(names)) == len(names)


def check_division(division: Term) -> None:
    inner, modulus = division.args
    coefficients, constant = terms.linear_parts(inner)
    assert modulus >= 2 and coefficients and 0 <= constant < modulus
    assert all(0 < c < modulus and factor.op in ("var", "div") for factor, c in coefficients)
    assert gcd(modulus, *(c for _, c in coefficients)) == 1


@pytest.mark.parametrize("block", BLOCKS)
def test_rebuilding_a_normal_form_changes_nothing(block: int) -> None:
    rng = Random(2000 + block)
    there = {v: terms.variable(f"${v}") for v in VARIABLES}
    back = {renamed: v for v, renamed in there.items()}
    for _ in range(60):
        term = Maker(rng).formula(3).term
        renamed = terms.substitute(term, there)
        assert renamed.variables == {there[v] for v in term.variables}
        assert terms.substitute(renamed, back) is term


@pytest.mark.parametrize("block", BLOCKS)
def test_a_negation_is_its_own_inverse_and_shares_the_atoms(block: int) -> None:
    rng = Random(3000 + block)
    for _ in range(80):
        term = Maker(rng).formula(3).term
        assert terms.negate(terms.negate(term)) is term
        assert set(terms.atoms(term)) == set(terms.atoms(terms.negate(term)))
        assert terms.conjunction(term, terms.negate(term)) is terms.FALSE or term.op in ("and", "or")


def test_an_inequality_and_its_opposite_share_one_atom() -> None:
    assert terms.negate(terms.at_most(X, Y)) is terms.less(Y, X)
    assert terms.negate(terms.less(X, number(3))) is terms.at_most(number(3), X)
    assert terms.at_most(terms.scale(-2, X), number(-5)) is terms.at_most(number(3), X)
    assert terms.equal(terms.scale(-3, X), terms.scale(6, Y)) is terms.equal(terms.scale(-2, Y), X)
    assert terms.conjunction(terms.at_most(X, Y), terms.less(Y, X)) is terms.FALSE
    assert terms.disjunction(terms.at_most(X, Y), terms.less(Y, X)) is terms.TRUE


@pytest.mark.parametrize("factor", [1, 2, 3, 7, -1, -2, -6])
def test_bounds_are_tightened_to_the_integers(factor: int) -> None:
    for bound in range(-15, 16):
        atom = terms.at_most(terms.scale(factor, X), number(bound))
        for x in range(-20, 21):
            assert evaluate(atom, {X: x}) == (factor * x <= bound)
        equation = terms.equal(terms.scale(factor, X), number(bound))
        assert (equation is terms.FALSE) == (bound % factor != 0)


def test_constants_fold() -> None:
    assert terms.at_most(number(3), number(3)) is terms.TRUE
    assert terms.less(number(3), number(3)) is terms.FALSE
    assert terms.equal(terms.subtract(X, X), number(0)) is terms.TRUE
    assert terms.constant_value(terms.modulo(number(-7), 3)) == 2
    assert terms.constant_value(X) is None
    assert terms.scale(0, terms.add(X, Y)) is number(0)
    assert terms.add() is number(0)
    assert terms.conjunction() is terms.TRUE and terms.disjunction() is terms.FALSE


@pytest.mark.parametrize("modulus", [1, 2, 3, 5, 6, 8, 12])
def test_division_and_remainder_round_down_as_in_python(modulus: int) -> None:
    rng = Random(modulus)
    for _ in range(150):
        coefficients = [rng.randint(-13, 13) for _ in VARIABLES]
        constant = rng.randint(-20, 20)
        total = terms.combination(zip(VARIABLES, coefficients, strict=True), constant)
        values = environment(rng, 50)
        value = sum(c * values[name] for name, c in zip(NAMES, coefficients, strict=True)) + constant
        model = as_model(values)
        assert evaluate(terms.divide(total, modulus), model) == value // modulus
        assert evaluate(terms.modulo(total, modulus), model) == value % modulus


@pytest.mark.parametrize("modulus", [0, -1, -4])
def test_only_positive_divisors_are_accepted(modulus: int) -> None:
    with pytest.raises(ValueError, match="positive"):
        terms.divide(X, modulus)
    with pytest.raises(ValueError, match="positive"):
        terms.modulo(X, modulus)


def test_conditionals_are_lifted_out_of_atoms_and_divisions() -> None:
    test = terms.at_most(Z, number(0))
    choice = terms.conditional(test, X, terms.scale(2, Y))
    atom = terms.at_most(terms.add(choice, choice), number(7))
    assert set(terms.atoms(atom)) == {test, terms.at_most(X, number(3)), terms.at_most(Y, number(1))}
    assert terms.divide(choice, 2) is terms.conditional(test, terms.divide(X, 2), Y)
    assert terms.conditional(terms.negate(test), X, Y) is terms.conditional(test, Y, X)
    assert terms.conditional(test, X, X) is X


@pytest.mark.parametrize("block", BLOCKS)
def test_substituting_then_evaluating_is_evaluating_in_the_composed_environment(block: int) -> None:
    rng = Random(4000 + block)
    for _ in range(50):
        maker = Maker(rng)
        term = (maker.integer(3) if rng.random() < 0.3 else maker.formula(3)).term
        replaced = {v: maker.integer(2).term for v in VARIABLES if rng.random() < 0.7}
        result = terms.substitute(term, replaced)
        for _ in range(6):
            model = as_model(environment(rng))
            composed = {v: evaluate(replaced.get(v, v), model) for v in VARIABLES}
            assert evaluate(result, model) == evaluate(term, composed), (term, replaced, model)


def test_substitution_is_simultaneous() -> None:
    swapped = terms.substitute(terms.less(X, terms.add(Y, number(2))), {X: Y, Y: X})
    assert swapped is terms.less(Y, terms.add(X, number(2)))


def test_a_shared_memo_does_not_change_the_result() -> None:
    rng = Random(5)
    maker = Maker(rng)
    values = {X: maker.integer(2).term, Y: terms.add(X, number(1))}
    memo: dict[Term, Term] = {}
    for _ in range(60):
        term = maker.formula(3).term
        assert terms.substitute(term, values, memo) is terms.substitute(term, values)


@pytest.mark.parametrize("block", BLOCKS)
def test_text_parses_back_to_an_equivalent_formula(block: int) -> None:
    rng = Random(6000 + block)
    program = parse_program(f"{DECLARATIONS} safety s: true;", "text.gcl")
    for _ in range(15):
        term = Maker(rng).formula(3).term
        parsed = parse_formula(terms.text(term), program)
        for _ in range(5):
            values = environment(rng)
            expected = evaluate(term, as_model(values))
            assert interpreter.evaluate(parsed, program, values) == bool(expected), terms.text(term)


def test_text_of_conditional_free_formulas_parses_back_to_the_same_object() -> None:
    rng = Random(7)
    for _ in range(40):
        term = Maker(rng, conditionals=False).formula(2).term
        program = parse_program(f"{DECLARATIONS} safety s: {terms.text(term)};", "text.gcl")
        assert lower(program).properties[0].formula is term


@pytest.mark.parametrize(
    ("term", "text"),
    [
        (terms.less(terms.add(X, number(2)), Y), "x <= y - 3"),
        (terms.negate(terms.equal(X, number(-1))), "x != -1"),
        (terms.equal(terms.modulo(X, 2), number(1)), "2*((x) div 2) = x - 1"),
        (terms.at_most(terms.scale(-1, X), number(-1)), "x > 0"),
        (terms.TRUE, "true"),
        (terms.subtract(number(0), X), "-x"),
        (number(0), "0"),
    ],
)
def test_text_reads_like_gcl(term: Term, text: str) -> None:
    assert terms.text(term) == text


def test_atoms_come_in_order_of_first_occurrence() -> None:
    p, q, r = (terms.at_most(terms.variable(f"order{i}"), number(50)) for i in range(3))
    formula = terms.disjunction(terms.conjunction(p, terms.negate(q)), terms.conjunction(r, q))
    assert terms.atoms(formula) == (p, q, r)
    assert terms.atoms(terms.TRUE) == ()


def test_terms_are_not_sent_to_another_process() -> None:
    """A pickled term would be a stranger in the table of the process that reads it."""
    for term in (X, terms.at_most(X, Y), terms.TRUE):
        with pytest.raises(TypeError, match="cannot be sent"):
            pickle.dumps(term)


def long_equivalence(length: int) -> Term:
    formula = terms.TRUE
    for i in range(length):
        formula = terms.iff(formula, terms.at_most(terms.variable(f"long{i}"), number(0)))
    return formula


def test_a_long_equivalence_is_the_parity_of_its_parts() -> None:
    formula = long_equivalence(12)
    for seed in range(20):
        values = {terms.variable(f"long{i}"): Random((seed, i).__repr__()).randint(0, 1) for i in range(12)}
        assert evaluate(formula, values) == (sum(values.values()) + 1) % 2


def test_a_long_equivalence_is_built_in_polynomial_time(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = 0
    negate = terms.negate

    def counting(term: Term) -> Term:
        nonlocal calls
        calls += 1
        return negate(term)

    monkeypatch.setattr(terms, "negate", counting)
    long_equivalence(14)
    assert calls < 14**3
