"""Where variables live: registers unless an address is used."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.frontends.c.lowering.statements import CONSTANTS_KEPT
from tests.execution.interpreted import interpret
from tests.frontends.c.lowered_c import lowered


def test_scalars_live_in_registers_unless_their_address_is_used(tmp_path: Path) -> None:
    program = lowered(tmp_path, "int g, h; int main(void) { int x = 1, y = 2; int *p = &y, *q = &h; return x + g; }")
    places = {variable.name: variable.register is not None for variable in program.variables}
    assert places == {"g": True, "h": False, "x": True, "y": False, "p": True, "q": True}


def test_a_name_is_taken_only_where_it_means_that_variable(tmp_path: Path) -> None:
    program = lowered(tmp_path, "int x; int main(void) { { int x = 1; int *p = &x; *p = 2; } x = 3; return x; }")
    assert [v.register is not None for v in program.variables if v.name == "x"] == [False, True]


def test_initial_values_of_global_registers(tmp_path: Path) -> None:
    program = lowered(tmp_path, "short g = -2; int z; int main(void) { return g + z; }")
    assert {str(register): value for register, value in program.initial.items()} == {"g": 0xFFFE, "z": 0}


_WITH = """#include <string.h>
struct S { int a; char t[80]; };
static struct S mk(int x) { struct S s = {x, "abc"}; return s; }
static int set(int *p) { *p = 3; return *p; }
"""


@pytest.mark.parametrize(
    "body",
    [
        "const int x = 5; *(int *)&x = 6;",
        "const int a[2] = {1, 2}; int *p = (int *)a; p[1] = 3;",
        'const char t[] = "xyz"; memset((void *)t, 0, 2);',
        "const struct S s = mk(1); ((struct S *)&s)->a = 2;",
        "int *const p = 0; *(int **)&p = 0;",
        "for (int i = 0; i < 2; i++) { const int x = i; set((int *)&x); }",
        "constexpr int x = 1; set((int *)&x);",
    ],
)
def test_a_constant_object_of_a_block_is_never_written(body: str, tmp_path: Path) -> None:
    stop = interpret(lowered(tmp_path, f"{_WITH}int main(void) {{ {body} return 0; }}")).stop
    assert stop.kind == "check"
    assert "which is constant" in stop.message


def test_a_parameter_may_be_constant_too(tmp_path: Path) -> None:
    text = f"{_WITH}static int f(const int n) {{ return set((int *)&n); }} int main(void) {{ return f(1); }}"
    assert "which is constant" in interpret(lowered(tmp_path, text)).stop.message


@pytest.mark.parametrize(
    "body",
    [
        "for (int i = 0; i < 3; i++) { const int a[3] = {i, 2, 3}; const int *p = a; n += p[0] + a[1]; }",
        'const struct S s = mk(4), z = {1}; const char t[] = "xyz"; n = s.a + z.a + (int)strlen(t);',
        "const int many[200] = {5, [199] = 6}; const int *p = many; n = p[199]; int x = 1; set(&x);",
        "const int x = ({ int y = 1; set(&y); }); const int *p = &x; n = *p;",
    ],
)
def test_a_constant_object_of_a_block_gets_its_value(body: str, tmp_path: Path) -> None:
    assert interpret(lowered(tmp_path, f"{_WITH}int main(void) {{ int n = 0; {body} return n; }}")).stop.kind == "halt"


@pytest.mark.parametrize(
    ("variables", "assumed"),
    [("const int a[2] = {1, 2};", True), ("const int a = 1; const int *p = &a;", True), ("const int a = 1;", False)],
)
def test_constant_objects_of_several_activations_are_assumed_to_be_kept(
    variables: str, assumed: bool, tmp_path: Path
) -> None:
    text = f"static int f(int n) {{ {variables} return n ? f(n - 1) : 0; }} int main(void) {{ return f(2); }}"
    assert (CONSTANTS_KEPT in lowered(tmp_path, text).assumptions) == assumed
