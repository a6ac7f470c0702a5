"""Room and ranges of types, against C's own compiler rules worked out by hand."""

from __future__ import annotations

import ctypes

import pytest

from pincer.frontends.msvl.syntax import Declaration, Declarator, StructDefinition, TypeName
from pincer.frontends.msvl.types import (
    ArrayOf,
    Basic,
    FunctionPointer,
    Layouts,
    PointerTo,
    StructType,
    integer_range,
    named_type,
)

TAGS = {"T": StructDefinition("T", (Declaration(TypeName(("int",)), (Declarator("u"),)),))}


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("int",), Basic("int")),
        (("unsigned",), Basic("int", True)),
        (("long", "unsigned", "int"), Basic("long", True)),
        (("unsigned", "char"), Basic("char", True)),
        (("size_t",), Basic("long", True)),
        (("const", "short"), Basic("short")),
        (("FILE",), Basic("void")),
        (("T",), StructType("T")),
    ],
)
def test_words_name_types_in_any_order(words: tuple[str, ...], expected: object) -> None:
    assert named_type(TypeName(words), 0, TAGS) == expected
    assert named_type(TypeName(words, 1), 1, TAGS) == PointerTo(PointerTo(expected))


class Inner(ctypes.Structure):
    _fields_ = [("a", ctypes.c_char), ("b", ctypes.c_short * 3)]


class Outer(ctypes.Structure):
    _fields_ = [
        ("c", ctypes.c_char),
        ("inner", Inner),
        ("p", ctypes.c_void_p),
        ("d", ctypes.c_int),
        ("e", ctypes.c_char),
    ]


LAYOUTS = Layouts(
    {
        "Inner": {"a": Basic("char"), "b": ArrayOf(Basic("short"), 3)},
        "Outer": {
            "c": Basic("char"),
            "inner": StructType("Inner"),
            "p": PointerTo(Basic("int")),
            "d": Basic("int"),
            "e": Basic("char"),
        },
        "Empty": {},
    }
)


def test_sizes_are_those_of_a_c_compiler() -> None:
    assert LAYOUTS.size(StructType("Inner")) == ctypes.sizeof(Inner)
    assert LAYOUTS.size(StructType("Outer")) == ctypes.sizeof(Outer)
    assert LAYOUTS.size(ArrayOf(StructType("Outer"), 5)) == 5 * ctypes.sizeof(Outer)
    assert LAYOUTS.size(StructType("Empty")) == 0
    assert [LAYOUTS.size(Basic(name)) for name in ("char", "short", "int", "long", "double")] == [1, 2, 4, 8, 8]
    assert LAYOUTS.size(FunctionPointer()) == 8


def test_slots_count_numbers_and_fields_follow_on() -> None:
    assert LAYOUTS.slots(StructType("Outer")) == 8
    fields = LAYOUTS.struct("Outer")
    assert {name: field.offset for name, field in fields.items()} == {"c": 0, "inner": 1, "p": 5, "d": 6, "e": 7}
    assert LAYOUTS.struct("Outer") is fields
    assert LAYOUTS.slots(ArrayOf(ArrayOf(Basic("int"), 3), 4)) == 12


@pytest.mark.parametrize(
    ("type_", "machine", "expected"),
    [
        (Basic("bool"), False, (0, 1)),
        (Basic("char"), False, (-128, 127)),
        (Basic("char", True), True, (0, 255)),
        (Basic("int"), False, (None, None)),
        (Basic("int", True), False, (0, None)),
        (Basic("int"), True, (-(2**31), 2**31 - 1)),
        (Basic("short", True), True, (0, 2**16 - 1)),
    ],
)
def test_inputs_have_the_range_of_their_type(type_: Basic, machine: bool, expected: object) -> None:
    assert integer_range(type_, machine) == expected
