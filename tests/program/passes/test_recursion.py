"""Recursion as loops: who is joined, where calls lead, and what is left open behind those that are passed."""

from __future__ import annotations

from pathlib import Path

from pincer.program.control_flow import Allocate, Assign, Call, ControlFlowProgram, Input
from pincer.program.passes.recursion import SOURCE, leading_to_recursion, with_calls_entered, with_calls_passed
from pincer.program.registers import Register
from tests.engines.dash.dash_runs import loaded

TEXT = """
int g;
static int twice(int n) { return 2 * n; }
int f(int a, int b) { g = twice(a); return a ? f(b, a) : b; }
static int helper(int n) { return f(n, n); }
int main(void) { return twice(1) + helper(3); }
"""


def labels(program: ControlFlowProgram) -> list[object]:
    return [edge.label for edge in program.procedures[program.entry].edges]


def test_who_is_recursive_and_who_leads_there(tmp_path: Path) -> None:
    program = loaded(tmp_path, TEXT)
    assert leading_to_recursion(program) == {"f", "helper"}
    whole = with_calls_passed(program)
    assert set(whole.entries.values()) == {"f", "helper"}
    assert whole.entries.keys() <= whole.program.procedures["main"].loop_heads
    assert {label.procedure for label in labels(whole.program) if isinstance(label, Call)} == {"twice"}
    assert "f" not in whole.program.procedures


def test_arguments_are_handed_over_all_at_once(tmp_path: Path) -> None:
    """In f(b, a) no parameter is assigned before both arguments have been looked at."""
    program = with_calls_entered(loaded(tmp_path, TEXT)).program
    [head] = [place for place, name in with_calls_entered(loaded(tmp_path, TEXT)).entries.items() if name == "f"]
    for edge in program.procedures["main"].incoming[head]:
        assert isinstance(edge.label, Assign)
        name = edge.label.register.args[0]
        assert isinstance(name, Register) and name.name.startswith("parameter 1")
        assert isinstance(edge.label.value.args[0], Register) and edge.label.value.args[0].name.startswith("call")


def test_nothing_is_known_behind_a_call_that_is_passed(tmp_path: Path) -> None:
    program = with_calls_passed(loaded(tmp_path, TEXT)).program
    opened = [label.register.args[0] for label in labels(program) if isinstance(label, Input)]
    assert [name.name for name in opened if isinstance(name, Register)].count("g") == 3
    assert sum(isinstance(label, Allocate) for label in labels(program)) == 3
    entered = with_calls_entered(loaded(tmp_path, TEXT)).program
    assert not any(isinstance(label, Input) and label.source == SOURCE for label in labels(entered))


def test_what_may_be_read_before_it_is_assigned_is_anything(tmp_path: Path) -> None:
    text = "int f(int n) { int x; if (n) x = 1; return x ? f(n - 1) : 0; } int main(void) { return f(3); }"
    program = with_calls_entered(loaded(tmp_path, text)).program
    found = [label.register.args[0] for label in labels(program) if isinstance(label, Input)]
    assert any(isinstance(name, Register) and name.name == "x" for name in found)


def test_programs_without_recursion_stay_what_they_are(tmp_path: Path) -> None:
    program = loaded(tmp_path, "int f(int n) { return n; } int main(void) { return f(1); }")
    assert with_calls_passed(program).program is program
    assert with_calls_entered(program).entries == {}


def test_the_first_function_may_be_recursive(tmp_path: Path) -> None:
    program = loaded(tmp_path, "int main(void) { return __VERIFIER_nondet_int() ? main() : 0; }")
    assert list(with_calls_entered(program).entries.values()) == ["main"]
