"""ASE's verdicts on programs that are easy to get wrong, each with evidence."""

from __future__ import annotations

import pytest

from pincer.frontends.gcl import parse_program
from tests.engines.claims import trace_of
from tests.engines.guarded.judged import judge, judge_text, verdicts

BOTH_MODES = pytest.mark.parametrize("paper", [False, True], ids=["default", "paper"])

PARITY = """
program parity;
var w : int = 0;  var z : int = 1;  control pc : {run, bad} = run;
trans step: pc = run -> w := w + 1, z := nondet;
trans hit : pc = run && 2*z = w -> pc := bad;
safety ok: pc != bad;
"""

MUTEX = """
program mutex;
var x, y : int;
var b : int = 0;
control pc1 : 1..3 = 1;
control pc2 : 1..3 = 1;
process P1 {
  t1: pc1 = 1 -> b := b + 1, pc1 := 2;
  t2: pc1 = 2 && x <= y && b = 2 -> pc1 := 3;
  t3: pc1 = 3 -> x := nondet, pc1 := 2;
}
process P2 {
  t4: pc2 = 1 -> b := b + 1, pc2 := 2;
  t5: pc2 = 2 && x > y && b = 2 -> pc2 := 3;
  t6: pc2 = 3 -> y := nondet, pc2 := 2;
}
safety mutual_exclusion: !(pc1 = 3 && pc2 = 3);
"""


@BOTH_MODES
def test_parity_is_unsafe_although_every_explored_transition_is_exact(paper: bool) -> None:
    result = judge_text(PARITY, paper=paper)["ok"]
    assert result.verdict == "unsafe"
    trace = trace_of(result)
    assert trace is not None
    assert [step.transition for step in trace.steps][-1] == "hit"


@BOTH_MODES
@pytest.mark.parametrize("factor", [2, 3, 7])
def test_a_choice_that_must_meet_a_counter_is_found(paper: bool, factor: int) -> None:
    text = PARITY.replace("2*z = w", f"{factor}*z = w && w > 4")
    assert verdicts(judge_text(text, paper=paper)) == {"ok": "unsafe"}


@BOTH_MODES
def test_a_choice_that_cannot_meet_the_counter_is_safe(paper: bool) -> None:
    text = PARITY.replace("2*z = w", "2*z = 2*w + 1")
    assert verdicts(judge_text(text, paper=paper)) == {"ok": "safe"}


@BOTH_MODES
def test_the_papers_mutex_is_safe(paper: bool) -> None:
    assert verdicts(judge_text(MUTEX, paper=paper)) == {"mutual_exclusion": "safe"}


@BOTH_MODES
@pytest.mark.parametrize("mutation", ["x >= y", "x > y - 2 && x <= y", "b >= 1 && x = x"])
def test_mutants_of_the_mutex_are_told_apart(paper: bool, mutation: str) -> None:
    text = MUTEX.replace("x > y", mutation)
    expected = "unsafe"
    assert verdicts(judge_text(text, paper=paper)) == {"mutual_exclusion": expected}


@BOTH_MODES
def test_several_properties_in_one_run_are_answered_each_for_itself(paper: bool) -> None:
    text = """
    var x : int = 0; var y : int = 0; control pc : {up, down} = up;
    trans up: pc = up && x < 6 -> x := x + 1, y := y + 2;
    trans turn: x >= 6 -> pc := down;
    trans down: pc = down && x > 0 -> x := x - 1, y := y - 2;
    safety twice: y = 2 * x;
    safety low: x < 6;
    safety never: pc = up;
    safety bounded: 0 <= x && y <= 12;
    safety odd: y mod 2 = 0;
    safety start: x + y != 0;
    """
    results = judge_text(text, paper=paper)
    assert verdicts(results) == {
        "twice": "safe",
        "low": "unsafe",
        "never": "unsafe",
        "bounded": "safe",
        "odd": "safe",
        "start": "unsafe",
    }
    start = trace_of(results["start"])
    assert start is not None and start.steps == ()


@BOTH_MODES
def test_an_initial_state_may_be_chosen_to_violate(paper: bool) -> None:
    text = "var x, y : int; init 3 * x = 2 * y + 1; trans t: x > 0 -> x := x - 1; safety s: !(x > 10 && y mod 2 = 0);"
    assert verdicts(judge_text(text, paper=paper)) == {"s": "unsafe"}


@BOTH_MODES
def test_deadlocks(paper: bool) -> None:
    text = """
    var x : int = 0;
    trans up: x < 3 -> x := x + 1;
    trans back: x = 3 && {guard} -> x := 0;
    safety live: !deadlock;
    safety only_at_three: deadlock => x = 3;
    """
    stuck = judge_text(text.replace("{guard}", "false"), paper=paper)
    assert verdicts(stuck) == {"live": "unsafe", "only_at_three": "safe"}
    trace = trace_of(stuck["live"])
    assert trace is not None and len(trace.steps) == 3
    free = judge_text(text.replace("{guard}", "true"), paper=paper)
    assert verdicts(free) == {"live": "safe", "only_at_three": "safe"}


@BOTH_MODES
def test_a_program_without_transitions_is_decided_by_its_initial_states(paper: bool) -> None:
    text = "var x : int; init x > 3; safety up: x > 2; safety more: x > 4; safety live: !deadlock;"
    assert verdicts(judge_text(text, paper=paper)) == {"up": "safe", "more": "unsafe", "live": "unsafe"}


RANGE = """
var x : int = 0; control k : 0..3 = 0;
trans count: x < {limit} -> x := x + 1;
trans copy: x < 9 -> k := x;
safety s: x <= 9;
"""


@BOTH_MODES
def test_range_is_reported_when_violated_and_not_listed_when_fine(paper: bool) -> None:
    broken = judge_text(RANGE.replace("{limit}", "5"), paper=paper)
    assert verdicts(broken) == {"s": "safe", "range": "unsafe"}
    trace = trace_of(broken["range"])
    assert trace is not None and trace.states[-1]["x"] == 4
    assert verdicts(judge_text(RANGE.replace("{limit}", "3"), paper=paper)) == {"s": "safe"}


def test_a_step_out_of_range_has_no_successor() -> None:
    text = """
    var x : int = 0; control k : 0..1 = 0;
    trans over: true -> k := k + 1, x := x + 1;
    safety s: x <= 1;
    safety live: !deadlock;
    """
    assert verdicts(judge_text(text)) == {"s": "safe", "live": "safe", "range": "unsafe"}


@BOTH_MODES
def test_finite_variables_follow_integers(paper: bool) -> None:
    text = """
    var x : int = 0; control k : -1..2 = 0; var even : bool = true;
    trans t: x < 20 -> x := x + 1, k := x mod 4 - 1, even := x mod 2 = 1;
    safety parity: even <=> x mod 2 = 0;
    safety lag: x > 0 => k = (x - 1) mod 4 - 1;
    safety never_two: k < 2;
    """
    expected = {"parity": "safe", "lag": "safe", "never_two": "unsafe"}
    assert verdicts(judge_text(text, paper=paper)) == expected


@BOTH_MODES
def test_control_only_and_data_only_programs(paper: bool) -> None:
    control = "control c : -2..2 = 0; trans t: c < 2 -> c := c + 1; safety a: c >= 0; safety b: c < 2;"
    assert verdicts(judge_text(control, paper=paper)) == {"a": "safe", "b": "unsafe"}
    data = "var x : int = 0; trans t: x < 2 -> x := x + 1; safety a: x >= 0; safety b: x < 2;"
    assert verdicts(judge_text(data, paper=paper)) == {"a": "safe", "b": "unsafe"}


@BOTH_MODES
def test_choices_in_a_range_take_both_ends_and_nothing_else(paper: bool) -> None:
    text = """
    var x : int = 0; trans t: true -> x := nondet(-2..3);
    safety low: x > -2; safety high: x < 3; safety within: -2 <= x && x <= 3;
    """
    assert verdicts(judge_text(text, paper=paper)) == {"low": "unsafe", "high": "unsafe", "within": "safe"}


@BOTH_MODES
def test_numbers_beyond_machine_words(paper: bool) -> None:
    big = 10**25
    text = f"""
    var x : int = {big}; trans t: x < {big + 3} -> x := x + 1;
    safety below: x <= {big + 3}; safety never: x != {big + 2};
    """
    assert verdicts(judge_text(text, paper=paper)) == {"below": "safe", "never": "unsafe"}


def test_huge_factors_between_symbols() -> None:
    text = f"""
    var x, e : int; control pc : 0..1 = 0; init x = {10**20} * e;
    trans t: pc = 0 -> e := nondet, pc := 1;
    trans u: pc = 1 && x = 1 -> x := x;
    safety s: x != 1;
    """
    assert verdicts(judge_text(text)) == {"s": "safe"}


def test_choices_beside_remainders() -> None:
    text = """
    var x, y : int; control pc : {run, stop} = run; control k : 0..2; var on : bool;
    init x = 0 && 0 <= y && y <= 1;
    trans t0: (x = y => on) -> pc := if x = 1 then run else pc, k := if on then k else y;
    trans t1: !on -> pc := if x = 1 then run else pc, x := nondet(0..2), y := (y + x) mod 4;
    safety p0: x + y + k < 9;
    """
    assert judge(parse_program(text, "remainder.gcl"), max_iterations=3)["p0"].verdict != "unsafe"


def test_a_counterexample_shows_small_numbers() -> None:
    text = """
    var x, y : int; control pc : {run, bad} = run;
    trans pick: pc = run -> y := nondet;
    trans hit: pc = run && y > x + 2 -> pc := bad;
    safety ok: pc != bad;
    """
    trace = trace_of(judge_text(text)["ok"])
    assert trace is not None
    assert all(abs(value) <= 3 for state in trace.states for value in state.values())


def test_only_the_wanted_properties_are_answered() -> None:
    text = "var x : int = 0; trans t: x < 2 -> x := x + 1; safety a: x >= 0; safety b: x < 2; safety c: x < 9;"
    program = parse_program(text, "some.gcl")
    assert verdicts(judge(program, properties=["c", "b"])) == {"b": "unsafe", "c": "safe"}
    assert list(judge(program, properties=["c", "b"])) == ["b", "c"]
