"""Operations on lists of arguments: assignments of one pointer, and what compilers refuse."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.errors import PincerError
from pincer.frontends.c.semantics import analysis, tree
from pincer.frontends.c.semantics.types import text
from pincer.program.property import DataModel
from tests.frontends.c.typed_c import typed


def _statements(folder: Path, body: str, data_model: DataModel = "LP64") -> tuple[tree.Statement, ...]:
    head = "#include <stdarg.h>\nint f(int n, ...) { va_list l, k;"
    program = typed(folder, f"{head} {body} return n; }} int main(void) {{ return f(1); }}", data_model)
    return analysis.body(program, "f").block.statements


@pytest.mark.parametrize("data_model", ["LP64", "ILP32"])
@pytest.mark.parametrize("operation", ["va_start(l, n)", "va_copy(l, k)", "va_end(l)"])
def test_operations_on_lists_are_assignments(tmp_path: Path, operation: str, data_model: DataModel) -> None:
    found = _statements(tmp_path, f"{operation};", data_model)[-2]
    assert isinstance(found, tree.Evaluate) and isinstance(found.expression, tree.Assignment)
    assert text(found.expression.type) == "void *"


def test_the_next_argument_has_the_type_asked_for(tmp_path: Path) -> None:
    found = _statements(tmp_path, "va_arg(l, char *);")[-2]
    assert isinstance(found, tree.Evaluate) and isinstance(found.expression, tree.NextArgument)
    assert text(found.expression.type) == "char *"


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("va_arg(n, int);", "`n` is no list of arguments"),
        ("va_end(n);", "`n` is no list of arguments"),
        ("va_arg(l, void);", "`va_arg` needs the type of an object"),
        ("va_arg(l, struct unknown);", "the size of this type is not known"),
        ("__builtin_va_copy(l);", "`__builtin_va_copy` takes 2 arguments, not 1"),
    ],
)
def test_mistakes_are_refused(tmp_path: Path, body: str, message: str) -> None:
    with pytest.raises(PincerError, match=message):
        _statements(tmp_path, body)


def test_a_list_starts_only_where_there_are_variable_arguments(tmp_path: Path) -> None:
    program = typed(tmp_path, "#include <stdarg.h>\nint main(void) { va_list l; va_start(l, l); return 0; }")
    with pytest.raises(PincerError, match=r"`va_start` needs a function that is declared with `\.\.\.`"):
        analysis.body(program, "main")
