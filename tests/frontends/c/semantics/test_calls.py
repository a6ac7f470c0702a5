"""Calls of the typed tree: which function is meant, how arguments are passed, what known functions give."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.frontends.c.semantics import tree
from pincer.frontends.c.semantics.symbols import FunctionName
from pincer.frontends.c.semantics.types import text
from tests.frontends.c.typed_c import expression

NAMES = "long f(char, ...); int g(); long l, *lp; unsigned char *cp; float x; long (*fp)(char, ...);"


@pytest.mark.parametrize("written", ["f(1)", "(*f)(1)", "(&f)(1)", "(**f)(1)"])
def test_functions_are_called_by_name(tmp_path: Path, written: str) -> None:
    found = expression(tmp_path, written, NAMES)
    assert isinstance(found, tree.Call) and isinstance(found.callee, FunctionName) and found.callee.name == "f"


def test_pointers_are_values(tmp_path: Path) -> None:
    found = expression(tmp_path, "(*fp)(1)", NAMES)
    assert isinstance(found, tree.Call) and isinstance(found.callee, tree.Expression) and text(found.type) == "long"


def test_arguments_have_the_types_they_are_passed_as(tmp_path: Path) -> None:
    found = expression(tmp_path, "f(l, x, 'c')", NAMES)
    assert isinstance(found, tree.Call)
    assert [text(argument.type) for argument in found.arguments] == ["char", "double", "int"]


@pytest.mark.parametrize(
    ("written", "type"),
    [
        ("undeclared(1)", "int"),
        ("malloc(4)", "void *"),
        ("__builtin_memcpy(lp, cp, 8)", "void *"),
        ("__builtin_expect(1, 1)", "long"),
        ("__builtin_bswap32(1)", "unsigned int"),
        ("__sync_fetch_and_add(lp, 1)", "long"),
        ("__atomic_load_n(cp, 5)", "unsigned char"),
        ("__sync_bool_compare_and_swap(lp, 0, 1)", "int"),
        ("__VERIFIER_nondet_uint()", "unsigned int"),
        ("__VERIFIER_nondet_pointer()", "void *"),
        ("__VERIFIER_assume(1)", "void"),
        ("__builtin_popcountl(1)", "int"),
        ("__builtin_strlen(cp)", "unsigned long"),
    ],
)
def test_known_functions_have_types_of_their_own(tmp_path: Path, written: str, type: str) -> None:
    assert text(expression(tmp_path, written, NAMES).type) == type
