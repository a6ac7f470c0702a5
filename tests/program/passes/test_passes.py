"""Each property has its pass, and a program is the same for all of them before it."""

from __future__ import annotations

from pathlib import Path

from pincer.frontends.c.load import load
from pincer.program.control_flow import Check, Fail
from pincer.program.passes import Assertions, instrumented, memory_safety

TEXT = (
    "int main(void) { int a[4]; int i = __VERIFIER_nondet_int(); a[i] = 1; if (a[i] != 1) reach_error(); return 0; }\n"
)


def test_checks_for_undefined_behaviour_are_errors_of_memory_only(tmp_path: Path) -> None:
    path = tmp_path / "p.c"
    path.write_text(TEXT, encoding="utf-8")
    program = load(path)
    accessed = instrumented(program, memory_safety(()))
    asserted = instrumented(program, Assertions())
    assert any(isinstance(edge.label, Check) for edge in accessed.edges())
    assert [edge.label.message for edge in asserted.edges() if isinstance(edge.label, Fail)] == [
        "reach_error() is called"
    ]
    assert instrumented(program, Assertions()) is not program
