"""The usual arithmetic conversions (C17 6.3.1.8) as a table, for both data models."""

from __future__ import annotations

import pytest

from pincer.frontends.c.semantics.basic_types import basic_type
from pincer.frontends.c.semantics.conversions import bit_type, common_type, decayed, promoted_type
from pincer.frontends.c.semantics.types import BOOL, INT, UNSIGNED_INT, Array, CType, Function, Target, text
from pincer.program.property import DataModel


def named(words: str, model: DataModel = "LP64") -> CType:
    found = basic_type(words.split(), Target(model))
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("left", "right", "wide", "narrow"),
    [
        ("char", "unsigned short", "int", "int"),
        ("unsigned", "int", "unsigned int", "unsigned int"),
        ("unsigned", "long", "long", "unsigned long"),
        ("unsigned long", "long long", "unsigned long long", "long long"),
        ("unsigned", "long long", "long long", "long long"),
        ("long", "long long", "long long", "long long"),
        ("long long", "float", "float", "float"),
        ("float", "double", "double", "double"),
        ("double", "long double", "long double", "long double"),
    ],
)
def test_two_numbers_meet_in_one_type(left: str, right: str, wide: str, narrow: str) -> None:
    models: tuple[tuple[DataModel, str], ...] = (("LP64", wide), ("ILP32", narrow))
    for model, expected in models:
        a, b = named(left, model), named(right, model)
        both = [text(common_type(x, y, Target(model))) for x, y in ((a, b), (b, a))]
        assert both == [expected, expected]


@pytest.mark.parametrize(
    ("words", "type"),
    [("_Bool", "int"), ("unsigned short", "int"), ("unsigned", "unsigned int"), ("long", "long"), ("float", "float")],
)
def test_promotions(words: str, type: str) -> None:
    assert text(promoted_type(named(words))) == type


@pytest.mark.parametrize(
    ("type", "width", "expected"),
    [
        (UNSIGNED_INT, 3, "int"),
        (UNSIGNED_INT, 31, "int"),
        (UNSIGNED_INT, 32, "unsigned int"),
        (INT, 32, "int"),
        (BOOL, 1, "int"),
        (Target("LP64").long, 64, "long"),
        (Target("LP64").long, 40, "long:40"),
    ],
)
def test_bit_fields_have_the_type_that_holds_their_values(type: CType, width: int, expected: str) -> None:
    assert text(bit_type(type, width)) == expected


def test_arrays_and_functions_become_pointers_once() -> None:
    assert text(decayed(Array(Array(INT, 3), 2))) == "int (*)[3]"
    assert text(decayed(Function(INT, ()))).startswith("int (*)(")
    assert decayed(INT) == INT
