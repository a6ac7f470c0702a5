"""Spacer as the peer: `sat` means safe, `unsat` means violated, and a limit is kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.bench.spacer import solve_horn
from pincer.evidence.gcl.smtlib import horn_script
from pincer.frontends.gcl import parse_program

COUNTER = """program counter;
var x : int = 0;
trans step: x < 3 -> x := x + 1;
safety low: x <= 3;
safety lower: x <= 2;
"""


@pytest.mark.parametrize(("name", "expected"), [("low", "safe"), ("lower", "unsafe")])
def test_verdicts_have_the_right_polarity(name: str, expected: str) -> None:
    program = parse_program(COUNTER, str(Path("counter.gcl")), {})
    assert solve_horn(horn_script(program, name), 10.0)[0] == expected
