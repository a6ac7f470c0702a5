"""Declarations in blocks: what each becomes, and to whom it belongs."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.errors import PincerError
from pincer.frontends.c.semantics import analysis, tree
from pincer.frontends.c.semantics.types import text
from tests.frontends.c.typed_c import body, typed


def declared(folder: Path, statements: str) -> list[tree.Declare]:
    block = body(folder, f"int main(void) {{ {statements} return 0; }}").block
    return [one for one in block.statements if isinstance(one, tree.Declare)]


def test_static_variables_belong_to_no_function_and_have_names_of_their_own(tmp_path: Path) -> None:
    first, second = declared(tmp_path, "static int n = 1; int m = 2;")
    assert (first.variable.owner, first.variable.name) == (None, "main.n")
    assert (second.variable.owner, second.variable.name) == ("main", "m")
    program = typed(tmp_path, "int main(void) { { static int n; n = 1; } { static int n; n = 2; } return 0; }")
    analysis.body(program, "main")
    assert program.static_names == {"main.n", "main.n.2"}


def test_a_length_may_come_from_the_initialiser(tmp_path: Path) -> None:
    (found,) = declared(tmp_path, 'char s[] = "ab";')
    assert text(found.variable.type, "s") == "char s[3]"


def test_a_type_may_come_from_the_initialiser(tmp_path: Path) -> None:
    (found,) = declared(tmp_path, "__auto_type x = 1ul;")
    assert text(found.variable.type) == "unsigned long"


def test_functions_and_variables_of_other_files_take_no_step(tmp_path: Path) -> None:
    assert declared(tmp_path, "extern int x; int f(void);") == []


def test_parameters_are_variables_and_arrays_are_pointers(tmp_path: Path) -> None:
    program = typed(tmp_path, "int f(int, const int a[3], const int c) { return c; } int main(void) { return 0; }")
    found = analysis.body(program, "f").parameters
    assert [variable.name for variable in found] == ["$parameter1", "a", "c"]
    assert [variable.const for variable in found] == [False, False, True]
    assert text(found[1].type) == "int *"


@pytest.mark.parametrize(
    ("statements", "reason"),
    [
        ("int a[];", "the length of `a` is missing"),
        ("struct s x;", "incomplete"),
        ("static struct s x;", "size of `x` is not known"),
        ("struct { int n; char d[]; } x = {1, {2}};", "flexible array member of an automatic object"),
    ],
)
def test_objects_without_a_size_are_refused(tmp_path: Path, statements: str, reason: str) -> None:
    with pytest.raises(PincerError, match=reason):
        declared(tmp_path, statements)
