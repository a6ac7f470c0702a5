"""Where a compiled test stores what functions without a body store in the model."""

from __future__ import annotations

from pincer.evidence.c.trace import InputValue
from pincer.evidence.c.writes import Act, Write, writes, writing_function
from tests.evidence.c.recorded_tests import value


def stored(source: str, width: int = 8) -> InputValue:
    return value(source, 1, "external", width=width)


def test_pieces_have_their_offsets() -> None:
    inputs = [stored("argument 0 of f", 32), stored("byte 4 of argument 0 of f"), stored("total by f", 32)]
    assert writes([*inputs, value("f", 9, "external")]) == [
        Write("f", 0),
        Write("f", 0, offset=4),
        Write("f", object="total"),
        None,
    ]


def test_bytes_follow_each_other_and_end_before_an_argument() -> None:
    inputs = [stored("bytes of argument 1 of f")] * 2 + [stored("bytes of what is before argument 1 of f")] * 3
    assert [place.offset for place in writes(inputs) if place is not None] == [0, 1, -3, -2, -1]


def test_calls_of_arguments_are_acts() -> None:
    inputs = [stored("call of argument 0 by f"), stored("number passed by f", 32), stored("argument passed by f")]
    assert [place.act for place in writes(inputs) if place is not None] == [
        Act.CALLS,
        Act.PASSES_NUMBER,
        Act.PASSES_ARGUMENT,
    ]


def test_other_inputs_are_not_stored() -> None:
    assert writes([value("__VERIFIER_nondet_int", 1), stored("argument 7 of f")]) == [None, None]
    assert "__pincer_write_all" in writing_function("f", "int")
