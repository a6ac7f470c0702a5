"""Expressions of the typed tree: their types, the conversions that C makes by itself, names that are resolved."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.errors import PincerError
from pincer.frontends.c.semantics import tree
from pincer.frontends.c.semantics.types import INT, Pointer, text
from tests.frontends.c.typed_c import expression

NAMES = """
    char c; unsigned char uc; short s; int i; unsigned u; long l; unsigned long ul; long long ll; float f; double d;
    int a[3], *p; void *v; int (*fp)(char); struct S { int m; unsigned b : 3; unsigned w : 32; long q : 40; } r, *rp;
"""


@pytest.mark.parametrize(
    ("written", "type"),
    [
        ("c + c", "int"),
        ("u + i", "unsigned int"),
        ("u + l", "long"),
        ("ul + ll", "unsigned long long"),
        ("f * i", "float"),
        ("f * d", "double"),
        ("c << l", "int"),
        ("l < u", "int"),
        ("-c", "int"),
        ("~ul", "unsigned long"),
        ("!p", "int"),
        ("a", "int *"),
        ("&a", "int (*)[3]"),
        ("p + 1", "int *"),
        ("1 + p", "int *"),
        ("p - a", "long"),
        ("*p", "int"),
        ("2[a]", "int"),
        ("r.b", "int"),
        ("r.w", "unsigned int"),
        ("r.q", "long:40"),
        ("rp->m", "int"),
        ("fp('x')", "int"),
        ("c = 300", "char"),
        ("c += 300", "char"),
        ("c++", "char"),
        ("i ? p : 0", "int *"),
        ("i ? v : p", "void *"),
        ("i ? c : ul", "unsigned long"),
        ("i, d", "double"),
        ("sizeof a", "unsigned long"),
        ("'x'", "int"),
        ('"xyz"', "char *"),
        ("1.5f", "float"),
        ("4294967296", "long"),
        ("0x80000000", "unsigned int"),
        ("__func__", "char *"),
    ],
)
def test_values_have_the_types_of_c(tmp_path: Path, written: str, type: str) -> None:
    assert text(expression(tmp_path, written, NAMES).type) == type


def test_conversions_are_nodes_of_their_own(tmp_path: Path) -> None:
    sum_ = expression(tmp_path, "c + l", NAMES)
    assert isinstance(sum_, tree.Binary)
    assert isinstance(sum_.left, tree.Convert) and not sum_.left.explicit and text(sum_.left.type) == "long"
    assert isinstance(sum_.right, tree.Read) and isinstance(sum_.right.place, tree.Object)
    assert tree.bare(sum_.left) is sum_.left.operand


def test_names_are_resolved_by_scope(tmp_path: Path) -> None:
    outer = expression(tmp_path, "x", "int x; { char x; }")
    assert isinstance(outer, tree.Read) and isinstance(outer.place, tree.Object) and outer.place.type == INT
    number = expression(tmp_path, "B", "enum { A = 4, B };")
    assert isinstance(number, tree.Number) and number.number == 5


def test_an_arrow_is_a_member_of_what_a_pointer_points_to(tmp_path: Path) -> None:
    found = expression(tmp_path, "rp->m", NAMES)
    assert isinstance(found, tree.Read) and isinstance(found.place, tree.MemberPlace)
    assert isinstance(found.place.whole, tree.Dereference) and isinstance(found.place.whole.pointer.type, Pointer)


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        ("y", "`y` is not declared"),
        ("i.m", "needs a structure on its left"),
        ("i->m", "`->` needs a pointer"),
        ("r.x", "has no member `x`"),
        ("*i", "`\\*` needs a pointer"),
        ("i[i]", "a subscript needs"),
        ("&r.b", "this has no address"),
        ("&1", "denotes no object"),
        ("r + 1", "needs numbers or pointers"),
        ("p + d", "cannot combine"),
        ("-p", "needs a number"),
        ("r = i", "cannot become"),
        ("i = r", "a structure is used"),
        ("i ? r : i", "different types"),
        ("!r", "a structure is no condition"),
        ("i(1)", "`i` is no function"),
        ("fp(1, 2)", "takes 1 argument, not 2"),
    ],
)
def test_what_a_compiler_refuses_is_refused(tmp_path: Path, written: str, reason: str) -> None:
    with pytest.raises(PincerError, match=reason):
        expression(tmp_path, written, NAMES)


def test_elements_of_vectors_are_not_modelled(tmp_path: Path) -> None:
    found = expression(tmp_path, "v[0]", "int v __attribute__((vector_size(16)));")
    assert isinstance(found, tree.Read | tree.Unmodelled) and "vector" in str(getattr(found, "what", ""))
