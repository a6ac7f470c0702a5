"""`free` accepts exactly what it may, and objects of `alloca` end with their function."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.program.control_flow import Allocate
from tests.execution.interpreted import interpret
from tests.frontends.c.lowered_c import labels, lowered
from tests.frontends.c.lowering.ends import STDLIB, kind_of


@pytest.mark.parametrize(
    "body",
    [
        "free(malloc(0));",
        "char *p = malloc(0); char *q = malloc(0); free(p); free(q);",
        "char *p = malloc(0); p = realloc(p, 4); p[3] = 1; free(p);",
        "free(calloc(0, 4));",
        "free(0); free(0L); free(NULL);",
        "int *p = realloc(0, 4); *p = 1; free(p);",
        "int n = 3; int a[n]; a[0] = 1; int *p = malloc(4); free(p);",
    ],
)
@pytest.mark.parametrize("data_model", ["LP64", "ILP32"])
def test_null_and_heap_objects_of_any_size_may_be_freed(tmp_path: Path, body: str, data_model: str) -> None:
    assert kind_of(tmp_path, body, data_model=data_model) == "halt"


@pytest.mark.parametrize(
    "body",
    [
        "char *p = malloc(0); free(p); free(p);",
        "char *p = malloc(0); *p = 1;",
        "char *p = malloc(0); p[-1] = 1;",
        "char *p = malloc(4); free(p); char *q = malloc(0); free(p);",
        "int n = 3; int a[n]; a[0] = 1; free(a);",
        "int *a = alloca(8); a[0] = 1; free(a);",
    ],
)
def test_nothing_else_may_be_freed_or_used(tmp_path: Path, body: str) -> None:
    assert kind_of(tmp_path, body) == "check"


def test_locals_of_recursive_functions_may_not_be_freed(tmp_path: Path) -> None:
    function = "void f(int n) { int x = n; int *p = &x; if (n > 0) f(n - 1); else free(p); }"
    assert kind_of(tmp_path, "f(2);", function) == "check"


def test_a_size_known_to_be_positive_takes_no_mark(tmp_path: Path) -> None:
    text = STDLIB + "int main(void) { free(malloc(8)); return 0; }"
    assert len(labels(lowered(tmp_path, text), Allocate)) == 1


@pytest.mark.parametrize(
    ("function", "kind"),
    [
        ("for (int i = 0; i < 3; i++) { int *p = alloca(4); *p = i; if (i == 0) kept = p; }", "check"),
        ("for (int i = 0; i < 3; i++) { int *p = alloca(4); *p = i; kept = p; }", "check"),
        ("int *p = alloca(4); *p = 1; kept = p;", "check"),
        ("kept = alloca(4); *kept = 1;", "check"),
        ("int *p = &result; if (!kept) p = alloca(4); *p = 1; kept = p;", "check"),
        ("int i = 0; again: ; int *p = alloca(4); *p = i; if (!kept) kept = p; if (i++ < 2) goto again;", "check"),
        ("int s = 0; for (int i = 0; i < 3; i++) { int *p = alloca(4); *p = i; s += *p; } kept = &result;", "halt"),
    ],
)
def test_all_objects_of_alloca_end_with_their_function(tmp_path: Path, function: str, kind: str) -> None:
    text = f"int result, *kept; void f(void) {{ {function} }} int main(void) {{ f(); return *kept; }}"
    assert interpret(lowered(tmp_path, "#include <alloca.h>\n" + text)).stop.kind == kind


def test_an_object_of_alloca_that_is_returned_at_once_has_ended(tmp_path: Path) -> None:
    text = "void *f(void) { return __builtin_alloca(4); } int main(void) { return *(int *)f(); }"
    assert interpret(lowered(tmp_path, text)).stop.kind == "check"
