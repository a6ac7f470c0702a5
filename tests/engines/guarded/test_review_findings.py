"""Programs that once went wrong: each stays right."""

from __future__ import annotations

import pytest

from pincer.engines.task import Claim
from pincer.evidence.gcl.checker import check_certificate
from pincer.evidence.gcl.replay import replay
from pincer.frontends.gcl import parse_program
from pincer.runtime.run import Run
from tests.engines.claims import certificate_of, guarded_claims, trace_of


def judged(text: str, timeout: float = 20.0) -> dict[str, Claim]:
    """The results by property; evidence of every verdict must hold."""
    program = parse_program(text, "review.gcl", {})
    results = guarded_claims(program, run=Run(timeout=timeout))
    for result in results:
        trace, certificate = trace_of(result), certificate_of(result)
        if trace is not None:
            assert replay(program, trace).ok
        if certificate is not None:
            assert check_certificate(program, certificate).ok
    return {result.name: result for result in results}


@pytest.mark.parametrize("name", ["new0", "new1", "x", "n"])
def test_a_chosen_value_is_not_confused_with_a_variable_of_any_name(name: str) -> None:
    results = judged(
        f"var {name} : int; var y : int; init y = {name}; control pc : 0..1 = 0;"
        f"trans t: pc = 0 -> y := nondet, pc := 1; safety s: y = {name};"
    )
    assert results["s"].verdict == "unsafe"


def test_repeated_division_of_a_symbolic_value_does_not_blow_up() -> None:
    results = judged(
        "var x : int; init x >= 1 && x <= 2;trans t: x < 4 && x > -5 -> x := (x div 2) mod 4; safety s: x <= 2;"
    )
    assert results["s"].verdict == "safe"


def test_divisions_nested_by_many_steps_end_with_an_answer_or_a_reason() -> None:
    results = judged("var x : int; trans t: x > 3 -> x := (x div 2) + (x div 3); safety s: x != 3;", timeout=10)
    assert results["s"].verdict == "unsafe"


def test_a_violation_found_before_the_time_was_up_is_reported() -> None:
    results = judged(
        "var x : int = 0; control k : 0..1000000 = 0;"
        "trans t: k < 1000000 -> k := k + 1, x := x + 1; safety early: k != 3; safety late: x >= 0;",
        timeout=1.5,
    )
    assert results["early"].verdict == "unsafe"
    assert results["late"].verdict == "unknown"


def test_hundreds_of_finite_variables_are_handled() -> None:
    results = judged(
        "var b[1..250] : bool = false; var x : int = 0; trans t: !b[7] -> b[7] := true; safety s: x = 0 && !b[1];"
    )
    assert results["s"].verdict == "safe"


def test_large_factors_in_choices_are_exact() -> None:
    factor = 10**30
    results = judged(
        f"var x : int = 0; var y : int; trans t: x = 0 -> y := nondet, x := 1;"
        f"trans u: x = 1 && {factor} * y = {factor} -> x := 2; trans v: x = 2 -> x := 3, y := {factor} * y;"
        f"safety s: x = 3 => y = {factor};"
    )
    assert results["s"].verdict == "safe"
