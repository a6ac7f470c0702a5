"""Plain formulas: what contradicts itself in every state still does, with ranges, reads and standing facts."""

from __future__ import annotations

from pathlib import Path

from pincer.engines.cutpoints.plain import PlainForm
from pincer.engines.questions import Questions
from pincer.logic import ranges, terms
from pincer.logic.bitvectors import binary, compare, constant, load, room, variable
from pincer.logic.terms import Term
from pincer.runtime.run import Run
from tests.engines.dash.dash_runs import loaded

A, N, K = variable("a", 64), variable("n", 64), variable("k", 64)


def cell(at: Term) -> Term:
    return load(binary("bvadd", A, binary("bvmul", constant(4, 64), at)), 4)


def zeros(upper: Term) -> Term:
    return ranges.every(constant(0, 64), upper, terms.equal(cell(ranges.index(64)), constant(0, 32)))


def is_possible(folder: Path, *formulas: Term) -> bool:
    program = loaded(folder, "int main(void) { return 0; }")
    plain = PlainForm(program).of(formulas)
    assert not any(ranges.ranges_in([formula]) for formula in (*plain.formulas, *plain.axioms))
    return Questions(Run(), program.layout.slot_bits).satisfiable([*plain.formulas, *plain.axioms]) is not None


def test_an_assumed_range_holds_where_it_is_read(tmp_path: Path) -> None:
    wrong = terms.negate(terms.equal(cell(K), constant(0, 32)))
    assert not is_possible(tmp_path, zeros(N), compare("bvult", K, N), wrong)
    assert is_possible(tmp_path, zeros(N), compare("bvule", K, N), wrong)


def test_a_range_that_does_not_hold_has_a_counterexample(tmp_path: Path) -> None:
    longer = zeros(binary("bvadd", N, constant(1, 64)))
    assert is_possible(tmp_path, zeros(N), terms.negate(longer))
    assert not is_possible(
        tmp_path, zeros(N), terms.equal(cell(N), constant(0, 32)), compare("bvult", N, constant(99, 64)),
        terms.negate(longer),
    )  # fmt: skip


def test_there_is_no_object_at_null_or_from_the_top_on(tmp_path: Path) -> None:
    program = loaded(tmp_path, "int main(void) { return 0; }")
    zero = constant(0, 64)
    assert not is_possible(tmp_path, terms.negate(terms.equal(room(zero), zero)))
    assert not is_possible(tmp_path, terms.negate(terms.equal(room(program.top), zero)))
    assert is_possible(tmp_path, terms.negate(terms.equal(room(A), zero)))


def test_quotients_and_remainders_are_those_of_the_division(tmp_path: Path) -> None:
    three, most = constant(3, 64), constant((1 << 64) - 1, 64)
    quotient, rest = binary("bvudiv", A, three), binary("bvurem", A, three)
    whole = binary("bvadd", binary("bvmul", three, quotient), rest)
    assert not is_possible(tmp_path, terms.negate(terms.equal(whole, A)))
    assert not is_possible(tmp_path, compare("bvule", three, rest))
    for dividend, expected in ((7, 2), (8, 2), (9, 3)):
        same = terms.equal(A, constant(dividend, 64))
        assert is_possible(tmp_path, same, terms.equal(quotient, constant(expected, 64)))
        assert not is_possible(tmp_path, same, terms.negate(terms.equal(quotient, constant(expected, 64))))
    assert is_possible(tmp_path, terms.equal(A, most), terms.equal(quotient, constant(((1 << 64) - 1) // 3, 64)))
