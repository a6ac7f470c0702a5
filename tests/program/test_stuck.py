"""Whether every execution goes on is told from decisions, inputs and assumptions."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.program.stuck import always_goes_on
from tests.engines.dash.dash_runs import loaded


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("int x = __VERIFIER_nondet_int(); while (x > 0) x--; return x;", True),
        ("_Bool b = __VERIFIER_nondet_bool(); if (b) abort(); return 0;", True),
        ("int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x > 0); return x;", False),
        ("for (;;);", True),
    ],
)
def test_failed_assumptions_are_no_runs(tmp_path: Path, body: str, expected: bool) -> None:
    assert always_goes_on(loaded(tmp_path, f"int main(void) {{ {body} }}")) is expected
