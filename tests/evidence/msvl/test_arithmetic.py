"""Operators and conversions on concrete values."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from pincer.evidence.msvl.arithmetic import binary, converted, moved, unary, wrapped
from pincer.evidence.msvl.machine import ReplayMachine
from pincer.evidence.msvl.memory import NULL, CellAddress, Datum, NamedFunction, NoState, StructValue
from pincer.frontends.msvl import parse_program
from pincer.frontends.msvl.types import CHAR, INT, ArrayOf, Basic, FunctionPointer, PointerTo, StructType, Type
from tests.evidence.msvl.evidence_runs import PLAIN

PROGRAM = parse_program("skip", "t.m")
PLAIN_MACHINE = ReplayMachine(PROGRAM, PLAIN, {})
WORDS = ReplayMachine(PROGRAM, replace(PLAIN, int32=True), {})
ARRAY = PLAIN_MACHINE.memory.new("a", ArrayOf(INT, 3), 3)
START, SECOND = CellAddress(ARRAY, 0, INT, 0, 3), CellAddress(ARRAY, 1, INT, 0, 3)


@pytest.mark.parametrize(
    ("a", "sign", "b", "expected"),
    [
        (7, "/", -2, -3),
        (-7, "%", 2, -1),
        (-7, "/", -2, 3),
        (1, "<<", 40, 1 << 40),
        (6, "&", 3, 2),
        (6, "^", 3, 5),
        (1, "/", 2.0, 0.5),
        (2.5, "<", 3, 1),
        ("ab", "+", 1, "b"),
        ("ab", "+", "c", "abc"),
        ("ab", "=", 0, 0),
        (START, "+", 1, SECOND),
        (1, "+", START, SECOND),
        (SECOND, "-", START, 1),
        (START, "<", SECOND, 1),
        (NULL, "=", 0, 1),
        (START, "!=", 0, 1),
    ],
)
def test_operators(a: Datum, sign: str, b: Datum, expected: Datum) -> None:
    assert binary(PLAIN_MACHINE, sign, a, b) == expected


@pytest.mark.parametrize(
    ("a", "sign", "b"),
    [(1, "/", 0), (1, "%", 0), (1.0, "/", 0), (1, "<<", -1), (1.5, "%", 2), ("a", "-", 1), ("a", "+", 2),
     (START, "*", 2), (START, "+", 4), (NULL, "+", 1), (START, "<", NULL), (1, "+", "a"), (NamedFunction("f"), "+", 1)],
)  # fmt: skip
def test_what_has_no_result(a: Datum, sign: str, b: Datum) -> None:
    with pytest.raises(NoState):
        binary(PLAIN_MACHINE, sign, a, b)


def test_machine_integers_wrap() -> None:
    assert wrapped(1 << 31) == -(1 << 31)
    assert binary(WORDS, "*", 1 << 16, 1 << 16) == 0
    assert unary(WORDS, "-", -(1 << 31)) == -(1 << 31)
    assert binary(PLAIN_MACHINE, "*", 1 << 16, 1 << 16) == 1 << 32
    assert converted(WORDS, 300, Basic("char")) == 44
    assert converted(PLAIN_MACHINE, 300, Basic("char")) == 300


def test_signs() -> None:
    assert [unary(PLAIN_MACHINE, sign, 5) for sign in "!-+~"] == [0, -5, 5, -6]
    assert unary(PLAIN_MACHINE, "!", NULL) == 1
    for sign, value in (("-", "a"), ("~", 1.0)):
        with pytest.raises(NoState):
            unary(PLAIN_MACHINE, sign, value)


@pytest.mark.parametrize(
    ("value", "type_", "expected"),
    [
        (2, Basic("float"), 2.0),
        (2.9, INT, 2),
        ("a", Basic("string"), "a"),
        (0, PointerTo(INT), NULL),
        ("text", PointerTo(CHAR), "text"),
        (START, PointerTo(INT), START),
        (CellAddress(ARRAY, 0, ArrayOf(INT, 3), 0, 3), PointerTo(INT), START),
        (NamedFunction("f"), FunctionPointer(), NamedFunction("f")),
    ],
)
def test_values_fit_their_variables(value: Datum, type_: Type, expected: Datum) -> None:
    assert converted(PLAIN_MACHINE, value, type_) == expected


@pytest.mark.parametrize(
    ("value", "type_"),
    [("a", INT), (1, Basic("string")), ("a", Basic("float")), (5, PointerTo(INT)), (START, PointerTo(CHAR)),
     (1, FunctionPointer()), (StructValue("S", ()), StructType("T")), (float("inf"), INT), (START, INT)],
)  # fmt: skip
def test_values_that_do_not_fit(value: Datum, type_: Type) -> None:
    with pytest.raises(NoState):
        converted(PLAIN_MACHINE, value, type_)


def test_memory_without_a_type_gets_one_once() -> None:
    block = PLAIN_MACHINE.memory.new("malloc", None, 8)
    raw = CellAddress(block, 0, None, 0, 8)
    assert converted(PLAIN_MACHINE, raw, PointerTo(INT)) == CellAddress(block, 0, INT, 0, 2)
    with pytest.raises(NoState, match="another type"):
        converted(PLAIN_MACHINE, raw, PointerTo(CHAR))
    with pytest.raises(NoState, match="without a type"):
        moved(PLAIN_MACHINE, raw, 1)
    PLAIN_MACHINE.memory.release(block)
    with pytest.raises(NoState, match="freed"):
        converted(PLAIN_MACHINE, raw, PointerTo(INT))
