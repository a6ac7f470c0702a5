"""Recursion as calls put inside of each other: how deep, under which names, and what is behind the last."""

from __future__ import annotations

from pathlib import Path

from pincer.frontends.c.unfolding import LIMITS, Deeper, unfolded
from pincer.logic.terms import Term
from pincer.program.control_flow import Call, ControlFlowProgram, Label, Procedure
from pincer.program.labels import read_registers, written_register
from pincer.program.passes.recursion import leading_to_recursion
from pincer.program.registers import is_local
from tests.engines.dash.dash_runs import loaded

COUNT = "int f(int n) { return n ? 1 + f(n - 1) : 0; } int main(void) { return f(3) + f(4); }"
EVEN = """
int odd(unsigned n);
int even(unsigned n) { return n ? odd(n - 1) : 1; }
int odd(unsigned n) { return n ? even(n - 1) : 0; }
int main(void) { return even(4); }
"""
TREE = "int f(int n) { return n ? f(n - 1) + f(n - 2) : 0; } int main(void) { return f(3); }"


def calls(procedure: Procedure) -> list[str]:
    return [edge.label.procedure for edge in procedure.edges if isinstance(edge.label, Call)]


def deeper(program: ControlFlowProgram) -> list[str]:
    return [edge.label.what for edge in program.edges() if isinstance(edge.label, Deeper)]


def test_each_call_leads_to_a_procedure_of_its_own(tmp_path: Path) -> None:
    plain = loaded(tmp_path, COUNT)
    program = unfolded(plain)
    assert calls(program.procedures["main"]) == ["f", "f"]
    assert calls(program.procedures["f"]) == ["f.2"] and calls(program.procedures["f.2"]) == ["f.3"]
    assert not leading_to_recursion(program)
    assert deeper(program) == [f"more than {LIMITS.levels} calls of `f` inside of each other"]
    places = [place for made in program.procedures.values() for place in made.locations]
    assert len(places) == len(set(places))


def test_registers_are_those_of_the_copy(tmp_path: Path) -> None:
    program = unfolded(loaded(tmp_path, COUNT))
    for name, made in program.procedures.items():
        own = {register for edge in made.edges for register in _mentioned(edge.label) if is_local(register)}
        assert {register.args[0].owner for register in own} == {name} or name not in ("f", "f.2", "f.3")
    [shown] = [variable for variable in program.variables if variable.scope == "f.3" and variable.name == "n"]
    assert shown.register is program.procedures["f.3"].parameters[0]


def _mentioned(label: Label) -> list[Term]:
    written = written_register(label)
    return [*read_registers(label), *(() if written is None else (written,))]


def test_functions_that_call_each_other_go_deeper_together(tmp_path: Path) -> None:
    program = unfolded(loaded(tmp_path, EVEN))
    assert calls(program.procedures["even"]) == ["odd.2"] and calls(program.procedures["odd.2"]) == ["even.3"]
    assert len(deeper(program)) == 2


def test_what_calls_itself_twice_is_not_followed_as_deep(tmp_path: Path) -> None:
    levels = sum(name.startswith("f") for name in unfolded(loaded(tmp_path, TREE)).procedures)
    assert 1 < levels < LIMITS.levels


def test_programs_without_recursion_stay_as_they_are(tmp_path: Path) -> None:
    plain = loaded(tmp_path, "int f(int n) { return n; } int main(void) { return f(3); }")
    assert unfolded(plain) is plain


def test_the_function_in_which_programs_begin_may_call_itself(tmp_path: Path) -> None:
    program = unfolded(loaded(tmp_path, "int left = 2; int main(void) { return left-- ? main() : 0; }"))
    assert calls(program.procedures[program.entry]) == ["main"] and calls(program.procedures["main"]) == ["main.2"]
