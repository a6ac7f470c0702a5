from __future__ import annotations

import json
from typing import Any

import pytest

from pincer.errors import PincerError, Position
from pincer.evidence.c.trace import CStep, from_json, input_literal, to_json
from tests.evidence.c.recorded_tests import integer, recorded, value

STEP = CStep(Position("program.c", 3, 5), "main", "x = input()", (("x", "-7"),), None, inputs=1)
DECISION = CStep(Position("program.c", 4, 5), "main", "x < 0", (), True)


def plain() -> Any:
    return json.loads(json.dumps(to_json(recorded(integer(-7), steps=(STEP, DECISION)))))


def test_a_test_survives_json() -> None:
    test = recorded(integer(-7), value("external f", 3, "external"), steps=(STEP, DECISION))
    assert from_json(json.loads(json.dumps(to_json(test)))) == test


def test_values_are_unsigned_bits_that_can_be_read_as_signed() -> None:
    assert integer(-7).value == 2**32 - 7
    assert integer(-7).signed_value == -7
    assert integer(7).signed_value == 7


def test_the_name_of_an_input_is_its_function_variable_or_lvalue() -> None:
    assert integer(0).name == "__VERIFIER_nondet_int"
    assert value("external get", 0, "external").name == "get"
    assert value("uninitialised variable x", 0, "undefined").name == "x"
    assert value("argument p -> next", 0, "argument").name == "p -> next"


@pytest.mark.parametrize(
    ("field", "wrong"),
    [("format", "other"), ("kind", "speed"), ("data_model", "ILP64"), ("entry", 3), ("inputs", {}), ("steps", [1])],
)
def test_a_malformed_field_is_named(field: str, wrong: Any) -> None:
    with pytest.raises(PincerError, match=field):
        from_json({**plain(), field: wrong})


def test_a_value_wider_than_its_width_is_refused() -> None:
    data = plain()
    data["inputs"][0]["value"] = 2**32
    with pytest.raises(PincerError, match="32 bits"):
        from_json(data)


@pytest.mark.parametrize("position", [None, [], ["program.c", 1], ["program.c", "1", 2]])
def test_a_malformed_position_is_refused(position: Any) -> None:
    data = plain()
    data["failure"]["position"] = position
    with pytest.raises(PincerError, match="position"):
        from_json(data)


@pytest.mark.parametrize(
    ("function", "bits", "width", "literal"),
    [("char", 255, 8, "-1"), ("uchar", 255, 8, "255"), ("bool", 1, 8, "1"), ("longlong", 2**64 - 1, 64, "-1")],
)
def test_literals_follow_the_type_of_the_function(function: str, bits: int, width: int, literal: str) -> None:
    assert input_literal(value(f"__VERIFIER_nondet_{function}", bits, width=width)) == literal
