"""Alignments as gcc has them: given by typedefs, preferred by variables, asked for by operators."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.frontends.c.semantics import tree
from pincer.program.property import DataModel
from tests.frontends.c.lowered_c import result_of
from tests.frontends.c.typed_c import expression

_TYPES = """
typedef int A16 __attribute__((aligned(16)));
typedef A16 B16;
typedef int A1 __attribute__((aligned(1)));
typedef A1 A1s[2];
typedef struct { int a; } S8 __attribute__((aligned(8)));
typedef long long L4 __attribute__((aligned(4)));
typedef long long L8 __attribute__((aligned(8)));
struct one { char c; A16 i; };
struct two { char c; B16 i; };
struct three { char c; A1 i; };
struct four { char c; A1s i; };
struct five { int c; S8 s; };
struct six { int c; L4 s; };
struct seven { char c; A16 *p; };
struct __attribute__((packed)) eight { char c; A16 i; };
struct nine { int c; L8 s; };
struct ten { char c; A16 b : 3; };
union eleven { char c; A16 i; };
A16 variable; long long wide; struct { int c; long long w; } record;
"""


def value(folder: Path, expression: str, model: DataModel = "LP64") -> int:
    return result_of(
        folder, f"{_TYPES} long long result; int main(void) {{ result = {expression}; return 0; }}", data_model=model
    )


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("sizeof(struct one)", 32),
        ("__builtin_offsetof(struct one, i)", 16),
        ("sizeof(struct two)", 32),
        ("sizeof(struct three)", 5),
        ("sizeof(struct four)", 9),
        ("sizeof(struct five)", 16),
        ("sizeof(struct six)", 12),
        ("sizeof(struct seven)", 16),
        ("sizeof(struct eight)", 5),
        ("sizeof(struct ten)", 32),
        ("sizeof(union eleven)", 16),
        ("sizeof(A16)", 4),
        ("_Alignof(A16)", 16),
        ("_Alignof(variable)", 16),
        ("_Alignof(((struct three *)0)->i)", 1),
    ],
)
def test_typedefs_give_alignments_to_members(tmp_path: Path, expression: str, expected: int) -> None:
    assert value(tmp_path, expression) == expected


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("__alignof__(long long)", 8),
        ("__alignof__(double)", 8),
        ("__alignof__(unsigned long long[3])", 8),
        ("_Alignof(long long)", 4),
        ("_Alignof(double)", 4),
        ("__alignof__(long)", 4),
        ("__alignof__(wide)", 8),
        ("__alignof__(record.w)", 4),
        ("__alignof__(record)", 4),
        ("sizeof(struct nine)", 16),
    ],
)
def test_eight_byte_scalars_prefer_eight_bytes_in_32_bit_programs(
    tmp_path: Path, expression: str, expected: int
) -> None:
    assert value(tmp_path, expression, "ILP32") == expected


QUALIFIED = "int i; const int k = 1; char *p; const char *q; struct { const char *name; char *own; } s;"


@pytest.mark.parametrize(
    ("subject", "chosen"),
    [
        ("p", 1),
        ("q", 2),
        ("s.name", 2),
        ("s.own", 1),
        ('"text"', 1),
        ("(const char *)p", 2),
        ("k", 3),
        ("&k", 4),
        ("&i", 5),
    ],
)
def test_selections_tell_pointers_to_constants_from_others(tmp_path: Path, subject: str, chosen: int) -> None:
    kinds = "const int: 9, int: 3, char *: 1, const char *: 2, const int *: 4, int *: 5"
    found = expression(tmp_path, f"_Generic({subject}, {kinds})", QUALIFIED)
    assert isinstance(found, tree.Number) and found.number == chosen


def test_a_selection_that_is_not_seen_is_named(tmp_path: Path) -> None:
    found = expression(tmp_path, "_Generic(i ? p : q, char *: 1, const char *: 2)", QUALIFIED)
    assert isinstance(found, tree.Unmodelled) and "differ in `const`" in found.what


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        ("char *", "const char *", 0),
        ("const int", "int", 1),
        ("int *", "int *", 1),
        ("int[5]", "int[]", 1),
        ("int[][2]", "int[3][2]", 1),
        ("int[5]", "int[4]", 0),
        ("int[]", "int *", 0),
    ],
)
def test_compatible_types(tmp_path: Path, left: str, right: str, same: int) -> None:
    found = expression(tmp_path, f"__builtin_types_compatible_p({left}, {right})")
    assert isinstance(found, tree.Number) and found.number == same


ENUMERATIONS = (
    "typedef enum { a, b } A; typedef enum { c, d } B; typedef enum { e = -1 } E; A x; E y; "
    "enum __attribute__((packed)) { f = -3 } z;"
)


@pytest.mark.parametrize(
    ("written", "number"),
    [
        ("__builtin_types_compatible_p(A, B)", 0),
        ("__builtin_types_compatible_p(A, A)", 1),
        ("__builtin_types_compatible_p(A, unsigned)", 1),
        ("__builtin_types_compatible_p(A *, unsigned *)", 1),
        ("__builtin_types_compatible_p(A, int)", 0),
        ("_Generic(x, unsigned: 1, default: 2)", 1),
        ("_Generic(x, int: 1, A: 3, default: 2)", 3),
        ("_Generic(y, int: 1, default: 2)", 1),
        ("_Generic(z, char: 1, signed char: 2, default: 3)", 2),
    ],
)
def test_enumerations_are_their_integers_and_not_each_other(tmp_path: Path, written: str, number: int) -> None:
    found = expression(tmp_path, written, ENUMERATIONS)
    assert isinstance(found, tree.Number) and found.number == number
