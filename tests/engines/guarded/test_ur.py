"""UR: what it refuses, and what it answers on what it takes."""

from __future__ import annotations

import pytest

from pincer.errors import UnsupportedError
from pincer.frontends.gcl import load, parse_program
from tests.engines.claims import UR, guarded_claims, reason_of
from tests.engines.guarded.judged import BENCHMARKS, judge, judge_text, verdicts

REFUSED = {
    "nondet": ("var x : int = 0; trans t: true -> x := nondet; safety s: true;", "nondet"),
    "bounded nondet": ("var x : int = 0; trans t: true -> x := nondet(0..1); safety s: true;", "nondet"),
    "any integer": ("var x : int; trans t: true -> x := 1; safety s: true;", "single initial state"),
    "two integers": ("var x : int; init x = 1 || x = 2; trans t: true -> x := 1; safety s: true;", "single"),
    "two controls": ("var x : int = 0; control c : 0..1; trans t: true -> x := 1; safety s: true;", "single"),
    "no state": ("var x : int = 0; init x = 1; trans t: true -> x := 1; safety s: true;", "unsatisfiable"),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_programs_beyond_it_are_refused_with_advice(kind: str) -> None:
    text, words = REFUSED[kind]
    with pytest.raises(UnsupportedError, match=words) as refused:
        guarded_claims(parse_program(text, "refused.gcl"), UR)
    assert "--engine ase" in str(refused.value)


def test_one_initial_state_may_be_found_by_solving() -> None:
    text = """
    var x : int; control c : 0..3; init 2 * x = c && c > 0 && x <= 1;
    trans t: x < 3 -> x := x + 1;
    safety s: x > 0;
    """
    assert verdicts(judge_text(text, "ur")) == {"s": "safe"}


def test_finite_choices_are_not_beyond_it() -> None:
    text = "control c : 0..2 = 0; trans t: true -> c := nondet; safety s: c < 2; safety r: c < 3;"
    assert verdicts(judge_text(text, "ur")) == {"s": "unsafe", "r": "safe"}


def test_several_properties_and_deadlock() -> None:
    text = """
    var x : int = 0; var y : int = 5;
    trans t: x < y -> x := x + 1;
    safety a: x <= 5; safety b: x < 5; safety live: !deadlock; safety c: deadlock => x = y;
    """
    assert verdicts(judge_text(text, "ur")) == {"a": "safe", "b": "unsafe", "live": "unsafe", "c": "safe"}


def test_range_is_violated_for_ur_too() -> None:
    text = "var x : int = 0; control k : 0..3 = 0; trans t: x < 9 -> x := x + 1, k := x; safety s: k <= x;"
    assert verdicts(judge_text(text, "ur")) == {"s": "safe", "range": "unsafe"}


def test_a_program_it_would_refine_for_ever_ends_with_the_limit() -> None:
    program = load(BENCHMARKS / "rax.gcl")
    result = judge(program, "ur", max_iterations=3)["no_fresh_wait"]
    assert result.verdict == "unknown"
    assert reason_of(result) == "no answer after 3 iterations"
    assert result.statistics["iterations"] == 3
