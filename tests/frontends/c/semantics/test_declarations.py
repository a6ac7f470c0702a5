"""From declarators to types, variables and their storage."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.frontends.c.semantics.symbols import FunctionName, TypeName, Variable
from pincer.frontends.c.semantics.types import text
from pincer.program.property import DataModel
from tests.frontends.c.typed_c import typed


@pytest.mark.parametrize(
    ("declaration", "type"),
    [
        ("unsigned long int x", "unsigned long"),
        ("int *x[3]", "int *[3]"),
        ("int (*x)[3]", "int (*)[3]"),
        ("int (*x)(char, ...)", "int (*)(char, ...)"),
        ("typedef short T; T x[2]", "short [2]"),
        ("int y; __typeof__(&y) x", "int *"),
        ("enum E { A = -1 } x", "enum E"),
        ("int x __attribute__((mode(DI)))", "long"),
        ("int x[sizeof(long) / 2]", "int [4]"),
        ("extern int x[]; int x[7]", "int [7]"),
        ("int x[] = {1, 2, 3}", "int [3]"),
    ],
)
def test_declared_types(tmp_path: Path, declaration: str, type: str) -> None:
    symbol = typed(tmp_path, f"{declaration}; int main(void) {{ return 0; }}").scope.names["x"]
    assert isinstance(symbol, Variable) and text(symbol.type) == type


@pytest.mark.parametrize(("model", "size"), [("LP64", 16), ("ILP32", 8)])
def test_records_are_laid_out(tmp_path: Path, model: DataModel, size: int) -> None:
    program = typed(tmp_path, "struct S { char c; long l; } x; int main(void) { return 0; }", model)
    symbol = program.scope.names["x"]
    assert isinstance(symbol, Variable) and program.target.size(symbol.type) == size


def test_functions_and_type_names_are_symbols(tmp_path: Path) -> None:
    names = typed(tmp_path, "typedef const int T; int f(T a[2]); int main(void) { return 0; }").scope.names
    assert isinstance(names["f"], FunctionName) and text(names["f"].type) == "int (int *)"
    assert isinstance(names["T"], TypeName) and names["T"].const


def test_what_is_not_modelled_in_declarations_is_named(tmp_path: Path) -> None:
    program = typed(tmp_path, 'void f(void) __attribute__((ifunc("g"))); int main(void) { return 0; }')
    assert [what for what, _ in program.unsupported] == ["the attribute ifunc"]
