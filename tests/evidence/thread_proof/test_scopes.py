"""Outlines speak only about what their parts may speak about."""

from __future__ import annotations

import pytest

from pincer.evidence.thread_proof.outline import Outline
from pincer.evidence.thread_proof.program_registers import ProgramRegisters
from pincer.evidence.thread_proof.scopes import out_of_scope
from pincer.evidence.thread_proof.states import Ghost
from pincer.evidence.thread_proof.unfolding import unfolded
from pincer.logic import bitvectors, terms
from pincer.program.threaded_system import Place
from tests.evidence.thread_proof.threaded_programs import COUNTER, lowered

ONE = bitvectors.constant(1, 8)
X = bitvectors.variable("x", 32)


def problem(outline: Outline) -> str | None:
    program = lowered(COUNTER)
    return out_of_scope(ProgramRegisters(program, {}), unfolded(program, False), outline)


def test_an_outline_about_shared_data_is_in_scope() -> None:
    condition = terms.equal(X, bitvectors.constant(0, 32))
    assert problem(Outline((condition,))) is None


@pytest.mark.parametrize(
    "outline",
    [
        Outline((terms.equal(bitvectors.variable("me", 64), bitvectors.constant(1, 64)),)),
        Outline((terms.equal(bitvectors.variable("(waits me 5)", 8), ONE),)),
        Outline((terms.equal(bitvectors.variable("worker::a", 64), bitvectors.constant(1, 64)),)),
        Outline((terms.equal(bitvectors.variable("unknown", 8), ONE),)),
        Outline((X,)),
        Outline(assertions={7: {}}),
        Outline(assertions={1: {Place((), 9999): (terms.FALSE,)}}),
        Outline(assertions={1: {Place((), 0): (terms.FALSE,)}}),
        Outline(ghosts={"g": Ghost(8, 256)}),
        Outline(updates={(1, 0): {"g": ONE}}),
        Outline(ghosts={"g": Ghost(16, 0)}, updates={(1, 0): {"g": ONE}}),
        Outline(ghosts={"g": Ghost(8, 0)}, updates={(1, 999): {"g": ONE}}),
    ],
)
def test_what_is_out_of_scope_is_named(outline: Outline) -> None:
    assert problem(outline) is not None
