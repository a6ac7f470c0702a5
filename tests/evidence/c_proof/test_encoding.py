"""States as SMT-LIB: what labels assign is read after them, and what calls may change is not kept."""

from __future__ import annotations

from pincer.evidence.c_proof.encoding import Encoder
from pincer.evidence.c_proof.program_facts import ProgramFacts
from pincer.evidence.c_proof.smt import Script
from pincer.program.control_flow import Assign, Assume, Call, Input, Skip
from tests.evidence.c_proof.proved_programs import below, number, plus, procedure, program, same
from tests.program.named_registers import register

X, Y, TOTAL, OTHER = register("main::x"), register("main::y"), register("total"), register("other")


def encoder() -> Encoder:
    callee = procedure("f", [(10, 11, Assign(TOTAL, plus(TOTAL, 1)))], 11)
    main = procedure("main", [(0, 1, Call("f", (), None)), (1, 2, Skip())], 2, (X, Y))
    whole = program(main, callee, initial={TOTAL: 4, OTHER: 0})
    return Encoder(ProgramFacts(whole, "assertions"), Script())


def test_what_is_assigned_is_read_after_and_the_rest_is_as_before() -> None:
    here = encoder()
    step = here.step(Assign(X, plus(Y, 2)))
    assert step is not None
    assert here.encode(X, step.after) == here.encode(plus(Y, 2), here.before)
    assert here.encode(Y, step.after) == here.encode(Y, here.before)
    assert here.encode(same(X, plus(Y, 2)), step.after).is_true


def test_a_condition_is_a_guard_and_changes_nothing() -> None:
    here = encoder()
    step = here.step(Assume(below(X, Y), True))
    assert step is not None
    assert step.guard == here.encode(below(X, Y), here.before)
    assert here.encode(X, step.after) == here.encode(X, here.before)


def test_an_input_is_nothing_that_was_known_before() -> None:
    here = encoder()
    step = here.step(Input(X, "nondet"))
    assert step is not None
    assert here.encode(X, step.after) not in (here.encode(X, here.before), here.encode(Y, here.before))


def test_initial_values_are_constants() -> None:
    here = encoder()
    initial = here.initial()
    assert here.encode(TOTAL, initial).value == 4 and here.encode(OTHER, initial).value == 0
    assert here.encode(X, initial).value is None
    assert here.encode(same(TOTAL, number(5)), initial).is_false


def test_after_a_call_only_what_it_cannot_change_is_known() -> None:
    here = encoder()
    _, after = here.returned("f")
    assert here.encode(OTHER, after) == here.encode(OTHER, here.before)
    assert here.encode(TOTAL, after) != here.encode(TOTAL, here.before)
