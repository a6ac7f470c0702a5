"""Registers of which addresses are made steer; those that are not read again matter no more."""

from __future__ import annotations

from pathlib import Path

from pincer.analysis.live_registers import live
from pincer.engines.merged.steering import Steering
from pincer.program.control_flow import ControlFlowProgram
from pincer.program.registers import is_register
from tests.engines.dash.dash_runs import loaded

SCAN = """
    char s[9];
    int next(int i, int by) { return i + by; }
    int main(void) {
        int i = 0, count = 0, other = 5;
        while (i < 8 && s[i]) { count++; i = next(i, 1); }
        assert(count + other < 20);
    }"""


def names(program: ControlFlowProgram, procedure: str, which: str) -> set[str]:
    """The variables that steer, or are live, at the head of the loop of a procedure or else at its entry."""
    made = program.procedures[procedure]
    place = min(made.loop_heads, default=made.entry)
    found = live(made).get(place, ()) if which == "live" else Steering(program).registers(made, place)
    return {register.args[0].name for register in found if is_register(register)}


def test_an_index_steers_and_a_counter_does_not(tmp_path: Path) -> None:
    program = loaded(tmp_path, SCAN)
    assert "i" in names(program, "main", "steering")
    assert "count" not in names(program, "main", "steering")


def test_what_steers_is_followed_through_calls(tmp_path: Path) -> None:
    assert {"i", "by"} <= names(loaded(tmp_path, SCAN), "next", "steering")


def test_live_registers_are_those_that_are_read_again(tmp_path: Path) -> None:
    assert {"i", "count"} <= names(loaded(tmp_path, SCAN), "main", "live")
    dead = "int main(void) { int x = __VERIFIER_nondet_int(), y = x; x = 3; while (x) x--; return 0; }"
    assert names(loaded(tmp_path, dead), "main", "live") == {"x"}
