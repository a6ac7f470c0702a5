"""A proof may only speak of what its place knows, and only of this program."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from pincer.evidence.c_proof.certificate import CallUse, ProcedureProof
from pincer.logic import terms
from pincer.logic.terms import Term
from pincer.program.control_flow import Fail, Skip
from tests.evidence.c_proof.proved_programs import (
    Case,
    certificate,
    changed,
    checked,
    number,
    procedure,
    program,
    same,
    summary_of_call,
)
from tests.program.named_registers import register


def _with_use(**values: Term) -> Case:
    return changed(summary_of_call(), "main", calls={1: (CallUse("next.0", values),)})


G, CALLS = register("g"), register("calls")
OUT_OF_SCOPE: dict[str, tuple[Callable[[], Case], str]] = {
    "exit about a parameter": (
        lambda: changed(summary_of_call(), "next.0", exit=same(register("next::x"), G)),
        "mentions next::x",
    ),
    "entry about a local": (
        lambda: changed(summary_of_call(), "next.0", entry=same(register("next::result"), G)),
        "mentions next::result",
    ),
    "invariant about the caller": (
        lambda: changed(summary_of_call(), "next.0", invariants={11: same(register("main::a"), G)}),
        "mentions main::a",
    ),
    "another width": (
        lambda: changed(summary_of_call(), "main", entry=same(register("calls", 8), 0)),
        "another width",
    ),
    "ghost missing": (lambda: _with_use(g=register("main::a")), "each ghost"),
    "ghost too wide": (lambda: _with_use(g=register("main::a"), c=number(0, 64)), "another width"),
    "ghost about the callee": (lambda: _with_use(g=register("next::x"), c=number(0)), "mentions next::x"),
    "ghost named like a register": (
        lambda: changed(
            _with_use(g=register("main::a"), calls=number(0)),
            "next.0",
            ghosts=(("g", 32), ("calls", 32)),
            entry=terms.TRUE,
        ),
        "name of a register",
    ),
    "no such location": (lambda: changed(summary_of_call(), "main", invariants={99: terms.TRUE}), "no location 99"),
    "no such call": (
        lambda: changed(summary_of_call(), "main", calls={0: (CallUse("next.0", {}),)}),
        "edge 0 of main is not a call",
    ),
    "no such proof": (
        lambda: changed(summary_of_call(), "main", calls={1: (CallUse("next.7", {}),)}),
        "no proof about what it calls",
    ),
    "proof of another procedure": (
        lambda: changed(summary_of_call(), "main", calls={1: (CallUse("main", {}),)}),
        "no proof about what it calls",
    ),
    "errors at the top": (lambda: changed(summary_of_call(), "main", errors=True), "no errors"),
    "not a condition": (lambda: changed(summary_of_call(), "main", exit=CALLS), "not a condition"),
}


@pytest.mark.parametrize("name", OUT_OF_SCOPE)
def test_a_proof_that_speaks_out_of_scope_is_refused(name: str) -> None:
    case, reason = OUT_OF_SCOPE[name]
    refused = checked(case()).refused
    assert len(refused) == 1
    assert reason in refused[0]


def test_integer_terms_have_no_place_in_a_proof() -> None:
    bad = terms.at_most(terms.integer(0), terms.variable("calls"))
    refused = checked(changed(summary_of_call(), "main", exit=bad)).refused
    assert refused


def test_a_property_that_is_not_known_is_refused() -> None:
    main = procedure("main", [(0, 1, Fail("assertion"))], 1)
    proof = replace(certificate(ProcedureProof("main", "main")), property="other")
    assert "no property" in checked((program(main), proof)).refused[0]


def test_two_parts_with_one_id_are_refused() -> None:
    main = procedure("main", [(0, 1, Skip())], 1)
    part = ProcedureProof("main", "main")
    assert "same id" in checked((program(main), certificate(part, part))).refused[0]
