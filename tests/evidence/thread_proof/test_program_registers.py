"""Registers that threads share, and those that each has for itself."""

from __future__ import annotations

import pytest

from pincer.errors import PincerError
from pincer.evidence.thread_proof.program_registers import ProgramRegisters
from pincer.logic import bitvectors
from tests.evidence.thread_proof.threaded_programs import COUNTER, lowered


def test_own_registers_are_named_after_the_thread() -> None:
    registers = ProgramRegisters(lowered(COUNTER), {"g": 8})
    assert registers.scoped(bitvectors.variable("worker::a", 64), "you") == "you|worker::a"
    assert registers.scoped(bitvectors.variable("x", 32), "you") == "x"
    assert registers.scoped(bitvectors.variable("ghost:g", 8), "you") == "ghost:g"
    assert "worker::a" in registers.locals_of(lowered(COUNTER).procedures["worker"])


@pytest.mark.parametrize(("name", "width"), [("x", 8), ("nothing", 32), ("ghost:g", 16), ("ghost:h", 8)])
def test_other_names_and_widths_are_refused(name: str, width: int) -> None:
    with pytest.raises(PincerError):
        ProgramRegisters(lowered(COUNTER), {"g": 8}).scoped(bitvectors.variable(name, width), "me")


def test_thread_local_objects_are_refused() -> None:
    text = """
_Thread_local int own; void *f(void *a) { int *p = &own; *p = 1; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); return 0; }
"""
    with pytest.raises(PincerError, match="thread-local"):
        ProgramRegisters(lowered(text), {})
