"""Inputs and assumptions of verification tasks."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.logic import bitvectors
from pincer.program.control_flow import Input
from tests.frontends.c.library.results import result_after
from tests.frontends.c.lowered_c import labels, lowered


@pytest.mark.parametrize(
    ("statements", "result"),
    [
        ("int x = __VERIFIER_nondet_bool(); __VERIFIER_assume(x == 0 || x == 1); result = x < 2;", 1),
    ],
)
def test_results(tmp_path: Path, statements: str, result: int) -> None:
    assert result_after(tmp_path, statements) == result


def test_a_wide_input_comes_in_two_words(tmp_path: Path) -> None:
    declared = "unsigned __int128 __VERIFIER_nondet_uint128(void);"
    program = lowered(tmp_path, f"{declared} int main(void) {{ return __VERIFIER_nondet_uint128() > 3; }}")
    assert [bitvectors.width(label.register) for label in labels(program, Input)] == [64, 64]
