"""Registers are data: whose they are and what they are for does not hang on how the source spells names."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.analysis.definitions import DataDependence, DataPlaces
from pincer.frontends.c.load import load
from pincer.logic import bitvectors
from pincer.program.control_flow import Assign, ControlFlowProgram
from pincer.program.registers import (
    THREAD,
    Register,
    Role,
    has_role,
    is_global,
    is_local,
    is_temporary,
    is_thread_object,
    register_of,
    renamed,
    thread_register,
)
from tests.analysis.threaded_programs import analysed
from tests.execution.interpreted import interpret


@pytest.mark.parametrize(
    ("register", "text"),
    [
        (Register("f", "x"), "f::x"),
        (Register(None, "g"), "g"),
        (Register("f", "3", Role.TEMPORARY), "f::$3"),
        (Register("f", "", Role.RESULT), "f::$result"),
        (Register("f", "", Role.INTO), "f::$into"),
        (Register("f", "2", Role.UNNAMED), "f::$parameter2"),
        (Register("f", "a", Role.ADDRESS), "f::&a"),
        (Register(THREAD, "a", Role.THREAD_ADDRESS), "$thread::&a"),
        (Register(None, "", Role.TOP), "$top"),
        (Register("main", "f.1::", Role.RESULT), "main::f.1::$result"),
        (Register("main", "f.1::3#2", Role.TEMPORARY), "main::f.1::$3#2"),
    ],
)
def test_the_text_of_a_register(register: Register, text: str) -> None:
    assert str(register) == f"{register}" == str(bitvectors.variable(register, 8)) == text


def test_names_of_the_source_are_never_spelled_like_registers_of_the_front_end() -> None:
    given = [Register("f", name) for name in ("$1", "$$1", "$result", "$into", "$parameter1")]
    made = [Register("f", "1", Role.TEMPORARY), Register("f", "", Role.RESULT), Register("f", "1", Role.UNNAMED)]
    assert len(set(map(str, given + made))) == len(given) + len(made)
    assert str(Register(None, "$top")) != str(Register(None, "", Role.TOP))


def test_whose_a_register_is() -> None:
    own, shared, symbol = register_of("f", "x", 8), register_of(None, "x", 8), bitvectors.variable("f::x", 8)
    assert is_local(own) and not is_global(own)
    assert is_global(shared) and not is_local(shared)
    assert not is_local(symbol) and not is_global(symbol)
    assert is_local(thread_register("errno", 32)) and not is_thread_object(thread_register("errno", 32))


def test_a_renamed_register_keeps_its_role_and_width() -> None:
    moved = renamed(register_of("f", "4", 16, Role.TEMPORARY), "main", "f.1::4")
    assert is_temporary(moved) and bitvectors.width(moved) == 16
    assert not has_role(bitvectors.constant(1, 8), Role.TEMPORARY)


def lowered(folder: Path, text: str) -> ControlFlowProgram:
    file = folder / "p.c"
    file.write_text(text, encoding="utf-8")
    return load(file)


@pytest.mark.parametrize("name", ["x1", "$1", "_2", "$result", "a$3"])
def test_a_variable_is_no_temporary_however_it_is_spelled(tmp_path: Path, name: str) -> None:
    text = (
        f"int g; int f(int a) {{ int {name} = a + 1; g = {name}; return {name}; }}\nint main(void) {{ return f(2); }}\n"
    )
    program = lowered(tmp_path, text)
    (variable,) = [known for known in program.variables if known.name == name]
    assert variable.register is not None and not is_temporary(variable.register)
    assert interpret(program).global_value("g") == 3


def test_temporaries_and_variables_of_the_same_spelling_are_apart(tmp_path: Path) -> None:
    text = """\
int g, calls;
int next(void) { calls = calls + 1; return calls; }
int main(void) { int $1 = 7, $2 = 8, $3 = 9; g = next() + $1 + next() * $2 + next() * $3; return 0; }
"""
    assert interpret(lowered(tmp_path, text)).global_value("g") == 1 + 7 + 2 * 8 + 3 * 9


def test_a_global_variable_is_not_the_top_of_memory(tmp_path: Path) -> None:
    text = """\
void *malloc(unsigned long);
unsigned long $top;
int g;
int main(void) { $top = 3; int *p = malloc(4); *p = 5; g = *p + $top; return 0; }
"""
    assert interpret(lowered(tmp_path, text)).global_value("g") == 8


def test_definitions_of_a_variable_are_found_at_their_own_distance(tmp_path: Path) -> None:
    """A variable that is spelled like a temporary is not passed over."""
    text = "int g;\nint main(void) { int s = 1; int x1 = s + 1; g = x1; return 0; }\n"
    facts = analysed(tmp_path, text)
    (shared,) = [known.register for known in facts.program.variables if known.name == "g"]
    assert shared is not None
    found = DataDependence(facts.calls, facts.pointers).definitions_of(DataPlaces(frozenset((shared,))))
    distances = {str(edge.label.register): level for level, edge in found if isinstance(edge.label, Assign)}
    assert distances == {"g": 0, "main::x1": 1, "main::s": 2}
