"""Which loops read inputs, and which variables decide about errors."""

from __future__ import annotations

from pathlib import Path

from pincer.analysis.event_loops import deciding_registers, event_loops, outermost_event_loops
from pincer.frontends.c.load import load
from pincer.program.control_flow import ControlFlowProgram

SERVER = """
int state, other;
int next(void) { return __VERIFIER_nondet_int(); }
void error(void) { reach_error(); }
int main(void) {
    for (int i = 0; i < 3; i++) other += i;
    while (next()) { if (state == 2) error(); state++; }
    return other;
}
"""


def program_of(tmp_path: Path, text: str) -> ControlFlowProgram:
    source = tmp_path / "server.c"
    source.write_text(text, encoding="utf-8")
    return load(source)


def test_only_loops_that_read_inputs_count(tmp_path: Path) -> None:
    program = program_of(tmp_path, SERVER)
    assert len(program.procedures["main"].loop_heads) == 2
    assert len(event_loops(program)) == 1
    assert not event_loops(program_of(tmp_path, SERVER.replace("__VERIFIER_nondet_int()", "other")))


def test_the_globals_tested_before_an_error_decide(tmp_path: Path) -> None:
    assert [str(register.args[0]) for register in deciding_registers(program_of(tmp_path, SERVER))] == ["state"]


def test_loops_inside_of_events_are_no_events_of_their_own(tmp_path: Path) -> None:
    text = """
    int drained;
    void drain(void) { while (__VERIFIER_nondet_bool()) drained++; }
    int main(void) { while (__VERIFIER_nondet_bool()) { drain(); } }
    """
    program = program_of(tmp_path, text)
    assert len(event_loops(program)) == 2
    assert outermost_event_loops(program) == frozenset(program.procedures["main"].loop_heads)
