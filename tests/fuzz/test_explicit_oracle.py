"""The explicit-state oracle claims nothing it has not seen in full."""

from __future__ import annotations

import pytest

from pincer.frontends.gcl import parse_program

from .explicit import Verdict, explore


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("var x : int = 0; trans t: x < 3 -> x := x + 1; safety p: x <= 3;", "safe"),
        ("var x : int = 0; trans t: x < 3 -> x := x + 1; safety p: x <= 2;", "unsafe"),
        ("var x : int = 0; trans t: true -> x := x + 1; safety p: x >= 0;", "unknown"),
        ("var x : int; trans t: x < 3 -> x := 3; safety p: x != 999;", "unknown"),
        ("var x : int; init x >= 1 && x <= 2; trans t: x = 2 -> x := 1; safety p: x > 0;", "safe"),
        ("var x : int; init x = 1 || x = 999; trans t: x = 2 -> x := 1; safety p: x != 999;", "unknown"),
        ("var x : int = 0; trans t: true -> x := nondet; safety p: x != 999;", "unknown"),
        ("var x : int = 0; trans t: true -> x := nondet(0..4); safety p: x != 4;", "unsafe"),
        ("var x : int = 0; trans t: true -> x := nondet(0..4); safety p: x != 5;", "safe"),
        ("var b : bool; trans t: b -> b := false; safety p: !b;", "unsafe"),
        ("var x : int = 0; trans t: x = 0 -> x := 1; safety p: !deadlock;", "unsafe"),
    ],
)
def test_verdicts(body: str, expected: Verdict) -> None:
    program = parse_program(f"program p; {body}", "p.gcl", {})
    assert explore(program).verdict("p") == expected


def test_a_step_out_of_range_violates_the_implicit_property() -> None:
    text = "program p; var f : 0..2 = 0; trans t: true -> f := f + 1; safety p: f >= 0;"
    exploration = explore(parse_program(text, "p.gcl", {}))
    assert exploration.verdict("range") == "unsafe"
    assert exploration.verdict("p") == "safe"


def test_the_limit_turns_safe_into_unknown() -> None:
    text = "program p; var x : int = 0; trans t: x < 50 -> x := x + 1; safety p: x <= 50;"
    program = parse_program(text, "p.gcl", {})
    assert explore(program, limit=100).verdict("p") == "safe"
    assert explore(program, limit=50).verdict("p") == "unknown"
