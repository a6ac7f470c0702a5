"""Values of one type made into another."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.frontends.c.lowering.conversions import addresses_are_numbers
from pincer.program.control_flow import Check, Unsupported
from tests.frontends.c.lowered_c import labels, lowered, result_of


def test_addresses_as_numbers_are_assumed(tmp_path: Path) -> None:
    cast = "int x; int main(void) { return (unsigned long)&x % 4; }"
    compared = "int x; int main(void) { int *p = &x; return p == 0; }"
    assert addresses_are_numbers(32) in lowered(tmp_path, cast).assumptions
    assert not lowered(tmp_path, compared).assumptions


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("(unsigned char)c", 200),
        ("(int)c", -56),
        ("(unsigned)c", 4294967240),
        ("(long long)(unsigned)c", 4294967240),
        ("(short)u", -1),
        ("(_Bool)u + (_Bool)0.25 + (_Bool)-0.0 + (_Bool)&u", 3),
        ("(int)-2.75 * 10 + (int)2.75", -18),
        ("(int)(float)16777215", 16777215),
        ("-0.0 ? 1 : 2", 2),
        ("(float)16777217 == 16777216.0f", 1),
        ("(float)(u * 1.0) == 4294967296.0", 1),
        ("(long long)(u + 0.5f)", 4294967296),
    ],
)
def test_values_are_those_of_gcc(tmp_path: Path, expression: str, value: int) -> None:
    before = "signed char c = (signed char)200; unsigned u = 4294967295u;"
    assert result_of(tmp_path, f"long long result; int main(void) {{ {before} result = {expression}; }}") == value


@pytest.mark.parametrize("type", ["_Complex double", "__float128"])
def test_types_without_a_pattern_are_not_modelled(tmp_path: Path, type: str) -> None:
    text = f"int main(int argc, char **argv) {{ {type} x = argc; return (int)(x + 1); }}"
    assert labels(lowered(tmp_path, text), Unsupported)


def test_a_number_must_fit_the_integer_it_becomes(tmp_path: Path) -> None:
    text = "double __VERIFIER_nondet_double(void); int main(void) { return __VERIFIER_nondet_double(); }"
    [check] = labels(lowered(tmp_path, text), Check)
    assert check.kind == "conversion"
