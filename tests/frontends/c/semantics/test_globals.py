"""Declarations of a file: those of one object join, and what they leave open is completed."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.frontends.c.semantics.globals import static_initialiser
from pincer.frontends.c.semantics.symbols import Variable
from pincer.frontends.c.semantics.types import text
from tests.frontends.c.typed_c import typed

MAIN = " int main(void) { return 0; }"


def variable(folder: Path, declarations: str, name: str) -> Variable:
    found = typed(folder, declarations + MAIN).scope.names[name]
    assert isinstance(found, Variable)
    return found


@pytest.mark.parametrize(
    ("declarations", "type", "defined"),
    [
        ("extern int x;", "int", False),
        ("extern int x; int x;", "int", True),
        ("extern int x = 1;", "int", True),
        ("extern int x[]; int x[3];", "int [3]", True),
        ('char x[] = "abc";', "char [4]", True),
        ("int x[] = {[5] = 1};", "int [6]", True),
    ],
)
def test_declarations_of_one_object_join(tmp_path: Path, declarations: str, type: str, defined: bool) -> None:
    found = variable(tmp_path, declarations, "x")
    assert (text(found.type).replace(" ", ""), found.defined) == (type.replace(" ", ""), defined)


def test_a_flexible_member_that_is_initialised_makes_the_object_larger(tmp_path: Path) -> None:
    found = variable(tmp_path, "struct f { int n; char d[]; } x = {1, {1, 2, 3}}, y = {1};", "x")
    assert found.extent is not None and found.extent >= 7


def test_constant_scalars_are_constants_unless_their_address_is_used(tmp_path: Path) -> None:
    text = "const int a = 2 + 3; const int b = 1; const int *p = &b; int c = 4; const int d;" + MAIN
    constants = typed(tmp_path, text).constants
    assert {variable.name: value for variable, value in constants.items()} == {"a": 5, "d": 0}


def test_a_variable_without_an_initialiser_has_none(tmp_path: Path) -> None:
    program = typed(tmp_path, "int x; int y = 3;" + MAIN)
    x, y = program.scope.names["x"], program.scope.names["y"]
    assert isinstance(x, Variable) and isinstance(y, Variable)
    assert static_initialiser(program, x) is None
    assert static_initialiser(program, y) is static_initialiser(program, y) is not None


def test_assembly_at_file_level_is_not_modelled(tmp_path: Path) -> None:
    assert [what for what, _ in typed(tmp_path, '__asm__("nop");' + MAIN).unsupported] == ["assembly at file level"]
