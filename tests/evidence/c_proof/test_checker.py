"""Right proofs are accepted; proofs that are wrong in one place are refused."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from pincer.evidence.c_proof import asking
from pincer.evidence.c_proof.asking import Budget
from pincer.evidence.c_proof.certificate import CallUse, ProcedureProof
from pincer.evidence.c_proof.checker import check_proof
from pincer.evidence.solvers import SolverError
from pincer.logic import bitvectors, terms
from pincer.logic.terms import TRUE, Term
from pincer.program.control_flow import (
    Allocate,
    Assign,
    Assume,
    Begin,
    Call,
    Check,
    Fail,
    Halt,
    Input,
    Label,
    Skip,
    StaticObject,
    Store,
    Unsupported,
)
from pincer.program.thread_labels import Yield
from tests.evidence.c_proof.proved_programs import (
    CASES,
    SLOT,
    TOP,
    Case,
    accepted,
    array_bounds,
    below,
    certificate,
    changed,
    checked,
    equal_counters,
    fresh_object,
    number,
    plus,
    procedure,
    program,
    recursion,
    same,
    static_contents,
    straight,
    summary_of_call,
    with_invariant,
)
from tests.program.named_registers import register

COUNT, OTHER = register("main::i"), register("main::j")


@pytest.mark.parametrize("name", CASES)
def test_a_right_proof_is_accepted(name: str) -> None:
    result = checked(CASES[name]())
    assert result.refused == ()
    assert result.accepted


WRONG: dict[str, Callable[[], Case]] = {
    "weakened loop invariant": lambda: with_invariant(equal_counters(), "main", 3, TRUE),
    "missing loop invariant": lambda: with_invariant(equal_counters(), "main", 3, None),
    "strengthened loop invariant": lambda: with_invariant(equal_counters(), "main", 3, same(COUNT, 0)),
    "unreachable where it is not": lambda: with_invariant(equal_counters(), "main", 4, terms.FALSE),
    "error reachable": lambda: with_invariant(equal_counters(), "main", 7, TRUE),
    "entry that need not hold": lambda: changed(equal_counters(), "main", entry=same(TOP, 0)),
    "exit of the callee too strong": lambda: changed(
        summary_of_call(), "next.0", exit=same(register("next::result"), 1)
    ),
    "exit of the callee too weak": lambda: changed(summary_of_call(), "next.0", exit=TRUE),
    "entry of the callee never holds": lambda: changed(summary_of_call(), "next.0", entry=terms.FALSE),
    "wrong ghost value": lambda: changed(
        summary_of_call(),
        "main",
        calls={1: (CallUse("next.0", {"g": register("main::b"), "c": number(0)}),)},
    ),
    "call without a summary": lambda: changed(summary_of_call(), "main", calls={}),
    "wrong ghost in the recursion": lambda: changed(
        recursion(), "f.0", calls={3: (CallUse("f.0", {"g": register("f::n")}),)}
    ),
    "base case left out": lambda: with_invariant(recursion(), "f.0", 11, terms.FALSE),
    "fresh object not known to be fresh": lambda: with_invariant(
        fresh_object(), "main", 3, same(bitvectors.load(register("main::p", 64), 4), 1)
    ),
    "old object not known to be old": lambda: with_invariant(
        fresh_object(), "main", 2, same(bitvectors.load(register("main::p", 64), 4), 1)
    ),
    "bound too weak": lambda: with_invariant(array_bounds(), "main", 2, below(COUNT, 11)),
    "size of the array forgotten": lambda: changed(array_bounds(), "main", entry=TRUE),
    "size of the array wrong": lambda: changed(
        array_bounds(), "main", entry=same(bitvectors.room(number(2 * SLOT, 64)), 44)
    ),
    "contents wrong": lambda: changed(
        static_contents(), "main", entry=same(bitvectors.load(number(3 * SLOT + 4, 64), 4), 259)
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_proof_that_is_wrong_in_one_place_is_refused(name: str) -> None:
    result = checked(WRONG[name]())
    assert not result.accepted
    assert result.refused


@pytest.mark.parametrize(
    "label", [Fail("assertion"), Unsupported("a union of floats"), Yield(function="pthread_yield")]
)
def test_an_error_that_can_be_reached_is_refused(label: Label) -> None:
    assert not accepted(straight(label, ends_with=TRUE))


def test_a_failed_assertion_ends_the_path_when_memory_is_checked() -> None:
    text, proof = straight(Fail("assertion"), ends_with=terms.FALSE)
    assert accepted((text, replace(proof, property="memory")))
    assert not accepted((text, proof))


def test_halt_ends_the_path() -> None:
    assert accepted(straight(Halt("exit"), ends_with=terms.FALSE))


def test_a_violated_check_is_an_error_of_memory_and_the_end_of_a_path_otherwise() -> None:
    check = Check("division", terms.negate(same(COUNT, 0)), "division by zero")
    text, proof = straight(check, ends_with=terms.negate(same(COUNT, 0)), parameters=(COUNT,))
    assert accepted((text, proof))
    assert not accepted((text, replace(proof, property="memory")))


def test_an_input_may_be_anything() -> None:
    assert not accepted(
        straight(Input(COUNT, "nondet"), entry=TRUE, ends_with=terms.negate(same(COUNT, 77)), parameters=(COUNT,))
    )


def test_objects_of_fixed_address_begin_with_undefined_contents() -> None:
    address = 5 * SLOT
    kept = same(bitvectors.load(number(address, 64), 4), bitvectors.load(number(4 * SLOT, 64), 4))
    case = straight(Begin(address, 4), ends_with=kept)
    assert not accepted(with_invariant(changed(case, "main", entry=TRUE), "main", 0, kept))
    assert not accepted(straight(Begin(address, 4), ends_with=same(bitvectors.load(number(address, 64), 4), 0)))
    assert accepted(straight(Begin(address, 4), ends_with=same(bitvectors.room(number(address, 64)), 4)))


def test_allocated_memory_is_zero_only_when_asked_for() -> None:
    p = register("main::p", 64)
    first = same(bitvectors.load(plus(p, 4), 4), 0)
    assert accepted(straight(Allocate(p, number(8, 64), True, "heap"), ends_with=first))
    assert not accepted(straight(Allocate(p, number(8, 64), False, "heap"), ends_with=first))
    past = same(bitvectors.load(plus(p, 8), 4), 0)
    assert not accepted(straight(Allocate(p, number(8, 64), True, "heap"), ends_with=past))


def test_an_allocation_of_unknown_size_must_be_guarded_by_the_program() -> None:
    p, n = register("main::p", 64), register("main::n", 64)
    allocate = Allocate(p, n, False, "heap")
    small, large = below(n, 1000), below(n, SLOT)
    guarded = checked(straight(Assume(small), allocate, ends_with=TRUE, parameters=(n,)))
    assert guarded.accepted
    assert any("no run allocates more" in assumed.text for assumed in guarded.assumptions)
    assert accepted(straight(Check("dereference", small, "too large"), allocate, ends_with=TRUE, parameters=(n,)))
    assert not accepted(straight(Assume(large), allocate, ends_with=TRUE, parameters=(n,)))
    assert not accepted(straight(Assume(small), Input(n, "nondet"), allocate, ends_with=TRUE))
    assert not accepted(straight(allocate, ends_with=TRUE, parameters=(n,)))


def test_null_has_no_room_in_any_state() -> None:
    assert accepted(straight(Skip(), ends_with=same(bitvectors.room(number(12, 64)), 0)))
    beyond = bitvectors.room(plus(TOP, 20))
    assert accepted(straight(Skip(), ends_with=same(beyond, 0)))
    assert not accepted(straight(Skip(), ends_with=same(bitvectors.room(number(SLOT, 64)), 0)))


def test_a_store_changes_the_bytes_it_covers_and_no_others() -> None:
    a = number(2 * SLOT, 64)
    half = bitvectors.load(plus(a, 2), 2)
    store = Store(a, number(0x11223344))
    assert accepted(straight(store, ends_with=same(half, 0x1122)))
    assert not accepted(straight(store, ends_with=same(half, 0x3344)))
    mixed = same(bitvectors.load(plus(a, 2), 4), 0x00001122)
    before = same(bitvectors.load(plus(a, 4), 2), 0)
    case = straight(store, entry=before, ends_with=mixed, objects=(StaticObject("a", 2 * SLOT, 8),))
    assert accepted(case)


def with_callee(*labels: Label, kept: Term, objects: tuple[StaticObject, ...] = ()) -> Case:
    """main calls f, which runs the labels; claims that what holds before the call holds after it."""
    body = procedure("f", [(10 + n, 11 + n, label) for n, label in enumerate(labels)], 10 + len(labels))
    main = procedure("main", [(0, 1, Skip()), (1, 2, Call("f", (), None))], 2)
    proof = ProcedureProof("main", "main", entry=kept, invariants={0: kept, 1: kept, 2: kept})
    return program(main, body, initial={register("g"): 0, register("h"): 0}, objects=objects), certificate(proof)


def test_a_call_keeps_the_globals_that_nothing_below_it_assigns() -> None:
    g, h = register("g"), register("h")
    assert accepted(with_callee(Assign(h, number(1)), kept=same(g, 0)))
    assert not accepted(with_callee(Assign(g, number(1)), kept=same(g, 0)))


def test_a_call_keeps_the_memory_that_nothing_below_it_touches() -> None:
    cell = 2 * SLOT
    zero = same(bitvectors.load(number(cell, 64), 4), 0)
    objects = (StaticObject("a", cell, 4),)
    elsewhere = Store(number(3 * SLOT, 64), number(1))
    assert accepted(with_callee(elsewhere, Begin(4 * SLOT, 8), kept=zero, objects=objects))
    assert not accepted(with_callee(Store(number(cell, 64), number(1)), kept=zero, objects=objects))
    somewhere = Store(register("f::p", 64), number(1))
    assert not accepted(with_callee(somewhere, kept=zero, objects=objects))
    fresh = Allocate(register("f::q", 64), number(8, 64), False, "heap")
    assert accepted(with_callee(fresh, kept=zero, objects=objects))


def test_a_call_keeps_rooms_unless_objects_may_end_below_it() -> None:
    cell = number(2 * SLOT, 64)
    live = same(bitvectors.room(cell), 4)
    objects = (StaticObject("a", 2 * SLOT, 4),)
    fresh = Allocate(register("f::q", 64), number(8, 64), False, "heap")
    assert accepted(with_callee(fresh, Begin(4 * SLOT, 8), kept=live, objects=objects))
    assert not accepted(with_callee(Begin(2 * SLOT, 8), kept=live, objects=objects))


def test_allocations_below_a_call_move_top_up_only() -> None:
    top = same(TOP, 16 * SLOT)
    fresh = Allocate(register("f::q", 64), number(8, 64), False, "heap")
    assert not accepted(with_callee(fresh, kept=top))
    assert accepted(with_callee(fresh, kept=below(number(15 * SLOT, 64), TOP)))


def erring_call(*uses: CallUse, errors: bool = False) -> Case:
    """f(n) fails for n = 0; main calls f(1)."""
    n = register("f::n")
    callee = procedure("f", [(10, 11, Assume(same(n, 0))), (11, 12, Fail("assertion")), (10, 13, Skip())], 13, (n,))
    main = procedure("main", [(0, 1, Call("f", (number(1),), None))], 1)
    invariants = {10: same(n, 1), 11: terms.FALSE}
    triple = ProcedureProof("f.0", "f", entry=same(n, 1), errors=errors, invariants=invariants)
    proof = ProcedureProof("main", "main", calls={0: uses})
    return program(main, callee), certificate(proof, triple)


def test_a_call_that_may_err_must_be_covered_by_a_proof_without_errors() -> None:
    covered = checked(erring_call(CallUse("f.0"), errors=True)).refused
    assert any("not covered" in reason for reason in covered)
    assert any("not covered" in reason for reason in checked(erring_call()).refused)
    assert checked(erring_call(CallUse("f.0"))).accepted
    reached = checked(with_invariant(erring_call(CallUse("f.0")), "f.0", 11, TRUE)).refused
    assert any("may be reached" in reason for reason in reached)


def test_a_refusal_says_where_and_what() -> None:
    (reason,) = checked(with_invariant(equal_counters(), "main", 7, TRUE)).refused
    assert reason.startswith("t.c:9:1: main: this fail may be reached")
    assert "has a counterexample" in reason


class Undecided:
    """A solver that never knows."""

    name = "undecided"

    def define(self, text: str) -> None:
        pass

    def verdict(self, formula: str, seconds: float) -> str:
        return "unknown"


class Stumbling(Undecided):
    """A solver that fails at every question."""

    def verdict(self, formula: str, seconds: float) -> str:
        raise SolverError("no such sort")


@pytest.mark.parametrize("solver", [Undecided, Stumbling])
def test_what_no_solver_decides_is_refused(solver: type[Undecided], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "open_session", lambda name, logic, run: type(name, (solver,), {"name": name})())
    result = checked(fresh_object())
    assert not result.accepted
    assert "not proved: no solver decides it in time" in result.refused[0]


def test_without_any_solver_nothing_is_accepted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "open_session", lambda name, logic, run: None)
    result = checked(fresh_object())
    assert not result.accepted
    assert "cvc5 is not installed" in result.remarks


def test_without_time_nothing_is_accepted() -> None:
    result = check_proof(*fresh_object(), Budget(seconds=0.0))
    assert not result.accepted
    assert "time limit" in result.refused[0]


@pytest.mark.parametrize("name", ["z3", "cvc5", "bitwuzla"])
def test_each_solver_alone_accepts_right_and_refuses_wrong_proofs(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip(name)
    monkeypatch.setattr(asking, "ORDER", (name,))
    result = checked(fresh_object())
    assert result.accepted
    assert set(result.solver_calls) == {name}
    assert not accepted(WRONG["fresh object not known to be fresh"]())


def test_the_help_of_the_engines_own_solver_is_mentioned(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("bitwuzla")
    monkeypatch.setattr(asking, "ORDER", ("bitwuzla",))
    assert any("bitwuzla" in remark for remark in checked(fresh_object()).remarks)
