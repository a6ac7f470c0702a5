"""Obligations: what follows by looking needs no solver, and what does not is asked."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pincer.evidence.c_proof.certificate import ProcedureProof
from pincer.logic import bitvectors, terms
from pincer.logic.terms import Term
from pincer.program.control_flow import (
    Allocate,
    Assign,
    Label,
    Skip,
    Store,
)
from tests.evidence.c_proof.proved_programs import (
    LAYOUT,
    TOP,
    Case,
    certificate,
    checked,
    number,
    plus,
    procedure,
    program,
    same,
    straight,
)
from tests.program.named_registers import register

COUNT, OTHER = register("main::i"), register("main::j")


def test_many_alternatives_are_settled_by_looking() -> None:
    cases = [terms.conjunction(same(COUNT, n), same(OTHER, n + 1)) for n in range(300)]
    some = terms.disjunction(*cases)
    wider = terms.disjunction(some, terms.conjunction(same(COUNT, 1000), same(OTHER, 3)))
    steps: list[tuple[int, int, Label]] = [(0, 1, Skip()), (1, 2, Skip()), (2, 3, Assign(register("main::k"), COUNT))]
    proof = ProcedureProof("main", "main", entry=some, invariants={0: some, 1: wider, 2: wider, 3: wider})
    result = checked((program(procedure("main", steps, 3, (COUNT, OTHER))), certificate(proof)))
    assert result.refused[0].endswith("has a counterexample)")
    assert result.obligations - result.settled == 1, "only the initial states need a solver"


def test_conditions_on_many_registers_are_taken_apart() -> None:
    ps = [register(f"main::p{n}", 64) for n in range(6)]
    v = register("main::v")
    apart = [terms.negate(same(p, q)) for n, p in enumerate(ps) for q in ps[:n]]
    aligned = [same(LAYOUT.offset(p), 0) for p in ps]
    values = [same(bitvectors.load(plus(p, 4), 4), n) for n, p in enumerate(ps)]
    known = terms.conjunction(*apart, *aligned, *values)
    steps: list[tuple[int, int, Label]] = [(n, n + 1, Store(p, v)) for n, p in enumerate(ps)]
    invariants = dict.fromkeys(range(7), known)
    text = program(procedure("main", steps, 6, (*ps, v)))
    result = checked((text, certificate(ProcedureProof("main", "main", entry=known, invariants=invariants))))
    assert [reason for reason in result.refused if "initial" not in reason] == []
    overwritten = [*steps[:5], (5, 6, Store(plus(ps[0], 5), v))]
    text = program(procedure("main", overwritten, 6, (*ps, v)))
    result = checked((text, certificate(ProcedureProof("main", "main", entry=known, invariants=invariants))))
    assert any("location 6" in reason for reason in result.refused)


def apart(first: Term, second: Term) -> tuple[Term, ...]:
    """Four bytes at one address do not overlap four bytes at another."""
    distances = (bitvectors.binary("bvsub", first, second), bitvectors.binary("bvsub", second, first))
    return tuple(bitvectors.compare("bvule", number(4, 64), distance) for distance in distances)


TARGET = register("main::p", 64)


def many_pointers(label: Label, separate: Callable[[Term], tuple[Term, ...]], forgotten: int = 0) -> Case:
    """Words at ten pointers keep their values, since each is known to lie elsewhere than what a label changes.

    The last `forgotten` of these conditions are left out."""
    pointers = [register(f"main::p{i}", 64) for i in range(10)]
    kept = [same(bitvectors.load(pointer, 4), i) for i, pointer in enumerate(pointers)]
    known = [condition for pointer in pointers for condition in separate(pointer)]
    entry = terms.conjunction(*kept, *known[: len(known) - forgotten])
    return straight(label, entry=entry, ends_with=terms.conjunction(*kept), parameters=(*pointers, TARGET))


ELSEWHERE: dict[str, tuple[Label, Callable[[Term], tuple[Term, ...]]]] = {
    "store": (Store(TARGET, number(7)), lambda pointer: apart(pointer, TARGET)),
    "allocation": (
        Allocate(TARGET, number(8, 64), False, "heap"),
        lambda pointer: (
            terms.negate(terms.equal(bitvectors.extract(63, 32, pointer), bitvectors.extract(63, 32, TOP))),
            bitvectors.compare("bvule", number(4, 64), bitvectors.binary("bvsub", TOP, pointer)),
        ),
    ),
}


@pytest.mark.parametrize("name", ELSEWHERE)
def test_what_is_known_to_lie_elsewhere_is_kept_without_a_solver(name: str) -> None:
    result = checked(many_pointers(*ELSEWHERE[name]))
    assert [reason for reason in result.refused if "initial" not in reason] == []
    assert result.obligations - result.settled == 1, "only the initial states need a solver"


@pytest.mark.parametrize("name", ELSEWHERE)
def test_what_may_be_overwritten_is_not_kept(name: str) -> None:
    result = checked(many_pointers(*ELSEWHERE[name], forgotten=1))
    assert any("does not follow" in reason for reason in result.refused)
