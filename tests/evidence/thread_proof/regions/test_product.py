from __future__ import annotations

from msgspec.structs import replace

from pincer.evidence.thread_proof.program_registers import ProgramRegisters
from pincer.evidence.thread_proof.regions.product import read_first
from pincer.program.control_flow import Input, Skip
from tests.evidence.thread_proof.threaded_programs import lowered


def test_only_what_may_be_read_before_it_is_given() -> None:
    program = lowered(
        "int x; int f(int c) { int u, v, w; v = 1; if (c) w = 2; return u + v + w; } int main(void) { return f(x); }"
    )
    procedure, registers = program.procedures["f"], ProgramRegisters(program, {})
    assert {str(term.args[0]) for term in read_first(procedure, registers)} == {"f::c"}
    given = [replace(e, label=Skip()) if isinstance(e.label, Input) else e for e in procedure.edges]
    found = read_first(replace(procedure, edges=tuple(given)), registers)
    assert {str(term.args[0]) for term in found} == {"f::c", "f::u", "f::w"}
