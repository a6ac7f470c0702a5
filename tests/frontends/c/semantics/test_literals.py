"""Constants: their values and the first type that holds them (C17 6.4.4), for both data models."""

from __future__ import annotations

import pytest

from pincer.frontends.c.semantics.literals import character, float_number, floating, integer, string
from pincer.frontends.c.semantics.types import DOUBLE, FLOAT, Target, text


@pytest.mark.parametrize(
    ("spelling", "value", "wide", "narrow"),
    [
        ("2147483647", 2147483647, "int", "int"),
        ("2147483648", 2147483648, "long", "long long"),
        ("0x80000000", 2147483648, "unsigned int", "unsigned int"),
        ("0x100000000", 1 << 32, "long", "long long"),
        ("1u", 1, "unsigned int", "unsigned int"),
        ("4294967296u", 1 << 32, "unsigned long", "unsigned long long"),
        ("1L", 1, "long", "long"),
        ("1ull", 1, "unsigned long long", "unsigned long long"),
        ("0xffffffffffffffff", (1 << 64) - 1, "unsigned long", "unsigned long long"),
        ("017", 15, "int", "int"),
        ("0b101", 5, "int", "int"),
    ],
)
def test_integers_take_the_first_type_that_holds_them(spelling: str, value: int, wide: str, narrow: str) -> None:
    found = [integer(spelling, Target(model)) for model in ("LP64", "ILP32")]
    assert [(number, text(type)) for number, type in found] == [(value, wide), (value, narrow)]


@pytest.mark.parametrize(
    ("spelling", "number", "type"),
    [
        ("0.1", 0.1, DOUBLE),
        ("1e3", 1000.0, DOUBLE),
        ("0x1.8p1", 3.0, DOUBLE),
        ("0.5f", 0.5, FLOAT),
        ("0x1p3f", 8.0, FLOAT),
    ],
)
def test_floating_constants(spelling: str, number: float, type: object) -> None:
    bits, found = floating(spelling, Target("LP64"))
    assert found == type
    assert float_number(bits, found) == number


@pytest.mark.parametrize(
    ("spelling", "pattern"),
    [
        ("1.0", 0x3FF0000000000000),
        ("0.1f", 0x3DCCCCCD),
        ("1e300f", 0x7F800000),
        ("1e999999999999", 0x7FF0000000000000),
        ("1e-999999999999", 0),
        ("1.00000017881393432617187499f", 0x3F800001),
        ("0x1.000003p0f", 0x3F800002),
        ("0.1L", 0x3FFBCCCCCCCCCCCCCCCD),
        (".5e+1", 0x4014000000000000),
    ],
)
def test_numbers_are_rounded_once_to_their_type(spelling: str, pattern: int) -> None:
    assert floating(spelling, Target("LP64"))[0] == pattern


@pytest.mark.parametrize(
    ("spelling", "value", "type"),
    [("'a'", 97, "int"), (r"'\xff'", -1, "int"), (r"L'\xff'", 255, "int"), (r"u'\x41'", 65, "unsigned short")],
)
def test_characters(spelling: str, value: int, type: str) -> None:
    found, kind = character(spelling)
    assert (found, text(kind)) == (value, type)


@pytest.mark.parametrize(
    ("spelling", "contents", "type"),
    [
        ('"ab" "c"', b"abc\0", "char"),
        (r'"a\0b\n"', b"a\0b\n\0", "char"),
        ('"é"', "é".encode() + b"\0", "char"),
        ('u"a" "b"', b"a\0b\0\0\0", "unsigned short"),
        ('L"a"', b"a\0\0\0\0\0\0\0", "int"),
    ],
)
def test_strings_end_in_zero_and_join(spelling: str, contents: bytes, type: str) -> None:
    found, kind = string(spelling)
    assert (found, text(kind)) == (contents, type)
