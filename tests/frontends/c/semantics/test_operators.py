"""Operators with their types: operands are converted, compound assignments compute in the common type."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.errors import PincerError
from pincer.frontends.c.semantics import tree
from pincer.frontends.c.semantics.types import text
from tests.frontends.c.typed_c import expression

NAMES = "char c; int i; unsigned u; long l; double d; int *p; const int k = 1; struct s { int a; } r; void *v;"


@pytest.mark.parametrize(
    ("written", "operands", "result"),
    [
        ("c + l", "long", "long"),
        ("i < u", "unsigned int", "int"),
        ("i * d", "double", "double"),
        ("p == 0", "void *", "int"),
    ],
)
def test_both_operands_have_the_type_they_meet_in(tmp_path: Path, written: str, operands: str, result: str) -> None:
    found = expression(tmp_path, written, NAMES)
    assert isinstance(found, tree.Binary)
    assert (text(found.left.type), text(found.right.type), text(found.type)) == (operands, operands, result)


def test_a_shift_has_the_type_of_what_is_shifted(tmp_path: Path) -> None:
    found = expression(tmp_path, "c << l", NAMES)
    assert isinstance(found, tree.Binary)
    assert text(found.type) == text(found.left.type) == "int"


@pytest.mark.parametrize(
    ("written", "computed"), [("c += l", "long"), ("c *= 2", "int"), ("c <<= l", "int"), ("i /= d", "double")]
)
def test_compound_assignments_compute_in_the_common_type(tmp_path: Path, written: str, computed: str) -> None:
    found = expression(tmp_path, written, NAMES)
    assert isinstance(found, tree.CompoundAssignment)
    assert text(found.computed) == computed
    assert found.type == found.target.type


@pytest.mark.parametrize(("written", "op", "postfix"), [("i++", "+", True), ("--p", "-", False)])
def test_steps(tmp_path: Path, written: str, op: str, postfix: bool) -> None:
    found = expression(tmp_path, written, NAMES)
    assert isinstance(found, tree.Step)
    assert (found.op, found.postfix) == (op, postfix)


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        ("k++", "says `const`"),
        ("p * 2", "cannot combine"),
        ("r++", "no number or pointer"),
        ("~d", "`~` needs an integer"),
        ("i ? r : p", "different types"),
    ],
)
def test_what_no_operator_takes_is_refused(tmp_path: Path, written: str, reason: str) -> None:
    with pytest.raises(PincerError, match=reason):
        expression(tmp_path, written, NAMES)


def test_operators_on_vectors_are_not_refused(tmp_path: Path) -> None:
    found = expression(tmp_path, "~v", "int v __attribute__((vector_size(16)));")
    assert isinstance(found, tree.Unary)
