"""Sizes, alignments and offsets are those of gcc, for 32-bit and 64-bit x86."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.frontends.c.semantics.basic_types import basic_type
from pincer.frontends.c.semantics.types import INT, Array, Function, Pointer, Record, Target, text
from pincer.program.property import DataModel
from tests.frontends.c.lowered_c import result_of

SIZES = [
    ("long", 8, 4),
    ("long long", 8, 8),
    ("void *", 8, 4),
    ("long double", 16, 12),
    ("struct { char c; long long l; }", 16, 12),
    ("struct { char c; double d; char e; }", 24, 16),
    ("struct { int a : 3; int b : 30; }", 8, 8),
    ("struct { char c; int f : 8; }", 4, 4),
    ("struct { int a : 5; int : 0; char b; }", 8, 8),
    ("struct { long long a : 33; int b : 31; }", 8, 8),
    ("struct { short a : 9; char b; }", 4, 4),
    ("struct __attribute__((packed)) { char c; long l; short s; }", 11, 7),
    ("struct __attribute__((packed)) { int a : 3; int b : 30; }", 5, 5),
    ("struct { char c; short s __attribute__((packed)); }", 3, 3),
    ("struct { char c; char d __attribute__((aligned(8))); }", 16, 16),
    ("struct __attribute__((aligned(32))) { char c; }", 32, 32),
    ("union { char c[5]; int i; }", 8, 8),
    ("struct { int n; char rest[]; }", 4, 4),
    ("struct { }", 0, 0),
    ("struct { struct { int a; char b; }; char c; }", 12, 12),
    ("enum { ONE, TWO = 5000000000 }", 8, 8),
    ("enum __attribute__((packed)) { RED, GREEN }", 1, 1),
    ("_Bool", 1, 1),
    ("int (*)[3]", 8, 4),
    ("__typeof__(1 + 2L)", 8, 4),
]


@pytest.mark.parametrize(("type_name", "wide", "narrow"), SIZES)
def test_sizes(type_name: str, wide: int, narrow: int, tmp_path: Path) -> None:
    program = f"long long result; int main(void) {{ result = sizeof({type_name}); return 0; }}"
    assert result_of(tmp_path, program) == wide
    assert result_of(tmp_path, program, data_model="ILP32") == narrow


def test_pragma_pack_caps_alignment_until_it_is_popped(tmp_path: Path) -> None:
    program = """
#pragma pack(push, 2)
struct A { char c; int i; long long l; };
#pragma pack(pop)
struct B { char c; int i; };
long long result; int main(void) { result = sizeof(struct A) * 100 + sizeof(struct B); return 0; }
"""
    assert result_of(tmp_path, program) == 1408


@pytest.mark.parametrize(("model", "bits"), [("LP64", 64), ("ILP32", 32)])
def test_specifiers_in_any_order(model: DataModel, bits: int) -> None:
    target = Target(model)
    assert basic_type(["long", "unsigned", "int"], target) == target.unsigned_long
    assert target.unsigned_long.bits == bits
    assert basic_type(["int", "long", "long"], target) == basic_type(["long", "long"], target)
    assert basic_type(["nonsense"], target) is None


def test_types_are_written_as_declarations() -> None:
    assert text(Pointer(Array(INT, 3)), "p") == "int (*p)[3]"
    assert text(Pointer(Function(INT, (Pointer(INT),), variadic=True))) == "int (*)(int *, ...)"
    assert text(Record("struct", "node"), "n") == "struct node n"


def test_bit_fields_are_promoted_before_conditionals_find_their_type(tmp_path: Path) -> None:
    text = "long long result; struct { unsigned b : 31; } s; short v = -1;"
    text += "int main(void) { result = s.b ? s.b : v; return 0; }"
    assert result_of(tmp_path, text) == -1
