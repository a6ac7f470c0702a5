"""The harness supplies what a program leaves undefined, and nothing that it defines itself."""

from __future__ import annotations

import pytest

from pincer.evidence.c.harness import harness, is_result, undeliverable
from pincer.evidence.c.instrument import instrument
from pincer.evidence.c.words import return_type
from tests.evidence.c.recorded_tests import integer, value

PROGRAM = "int main(void) { return __VERIFIER_nondet_int() + probe() + __VERIFIER_nondet_uchar(); }\n"


@pytest.mark.parametrize(
    ("name", "width", "type_", "signed"),
    [
        ("__VERIFIER_nondet_int", 32, "int", True),
        ("__VERIFIER_nondet_uchar", 8, "unsigned char", False),
        ("__VERIFIER_nondet_bool", 1, "_Bool", False),
        ("probe", 16, "unsigned short", False),
        ("probe", 33, "unsigned long long", False),
        ("__VERIFIER_nondet_unheard_of", 64, "unsigned long long", False),
    ],
)
def test_functions_deliver_inputs_in_their_own_types(name: str, width: int, type_: str, signed: bool) -> None:
    assert return_type(name, width) == (type_, signed)


def test_values_stand_in_the_table_in_call_order_as_signed_as_their_type() -> None:
    inputs = (integer(-7), value("external probe", -2, "external", width=16), integer(3))
    program = instrument(PROGRAM, "main", inputs)
    rows = [line for line in harness(inputs, program).splitlines() if "/* line" in line]
    assert ["-7ULL" in rows[0], "65534ULL" in rows[1], " 3ULL" in rows[2] or ")3ULL" in rows[2]] == [True] * 3
    assert len(rows) == 3


def test_functions_of_the_program_are_left_alone() -> None:
    text = harness((integer(1),), instrument(PROGRAM, "main", (integer(1),)))
    assert "int __VERIFIER_nondet_int()" in text and "unsigned char __VERIFIER_nondet_uchar()" in text
    own = f"int __VERIFIER_nondet_int(void) {{ return 4; }}\n{PROGRAM}"
    assert "int __VERIFIER_nondet_int()" not in harness((integer(1),), instrument(own, "main", (integer(1),)))


def test_what_nobody_defines_is_a_function_or_an_object_with_its_recorded_contents() -> None:
    inputs = (value("external state", 0x0201, "external", width=16),)
    text = harness(
        inputs, instrument("int main(void) { return probe() + state; }\n", "main", inputs), ["probe", "state"]
    )
    assert "unsigned long long probe() { return 0; }" in text
    assert "unsigned char state[65536] __attribute__((aligned(16))) = {1, 2};" in text


def test_inputs_wider_than_any_c_type_cannot_be_delivered() -> None:
    assert undeliverable([integer(1)]) is None
    wide = value("__VERIFIER_nondet_uint128", 5, width=128, line=9)
    assert undeliverable([integer(1), wide]) == "the input of 128 bits from __VERIFIER_nondet_uint128 at line 9"
    program = instrument(PROGRAM, "main", ())
    assert is_result(value("external probe", 1, "external"), program)
    assert not is_result(value("external state", 1, "external"), program)
    assert not is_result(value("uninitialised variable x", 1, "undefined"), program)
