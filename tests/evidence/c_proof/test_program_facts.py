"""What the checker reads off the edges of a program, and which programs it refuses to understand."""

from __future__ import annotations

import pytest

from pincer.evidence.c_proof.certificate import ProcedureProof
from pincer.logic import bitvectors
from pincer.logic.terms import Term
from pincer.program.control_flow import Assign
from pincer.program.registers import register_of
from tests.evidence.c_proof.proved_programs import (
    certificate,
    checked,
    number,
    procedure,
    program,
)
from tests.program.named_registers import register


def test_a_program_that_assigns_top_is_refused() -> None:
    main = procedure("main", [(0, 1, Assign(register("$top", 64), number(0, 64)))], 1)
    assert "only an allocation" in checked((program(main), certificate(ProcedureProof("main", "main")))).refused[0]


@pytest.mark.parametrize(
    ("other", "why"),
    [
        (register_of(None, "main::x", 32), "two registers are called main::x"),
        (bitvectors.variable("main::x", 32), "main::x is not a register"),
    ],
)
def test_a_program_with_names_that_mislead_is_refused(other: Term, why: str) -> None:
    steps = [(0, 1, Assign(register("main::x"), number(1))), (1, 2, Assign(other, number(2)))]
    main = procedure("main", steps, 2)
    assert why in checked((program(main), certificate(ProcedureProof("main", "main")))).refused[0]
