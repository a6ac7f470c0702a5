"""Inputs and assumptions of verification tasks."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.frontends.c.library.results import result_after


@pytest.mark.parametrize(
    ("statements", "result"),
    [
        ("int x = __VERIFIER_nondet_bool(); __VERIFIER_assume(x == 0 || x == 1); result = x < 2;", 1),
    ],
)
def test_results(tmp_path: Path, statements: str, result: int) -> None:
    assert result_after(tmp_path, statements) == result
