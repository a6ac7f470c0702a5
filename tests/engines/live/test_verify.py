"""Temporal properties of guarded programs: verdicts, and the traps on the way to them."""

from __future__ import annotations

import pytest

from pincer.engines.task import Open, Proved, Refuted
from pincer.evidence.live.certificate import LiveCertificate
from pincer.evidence.live.checker import check_live
from pincer.evidence.live.replay import replay_run
from pincer.evidence.live.trace import LiveTrace
from tests.evidence.live.live_samples import (
    COUNTDOWN,
    LEXICOGRAPHIC,
    PETERSON,
    PHASES,
    SEMAPHORE,
    decided,
    fair,
    proved,
    refuted,
)

TICKET = """
var s, t : int = 0;
var a[1..2] : int = 0;
control pc[1..2] : {idle, wait, crit} = idle;
process P[i in 1..2] {
  think: pc[i] = idle -> pc[i] := idle;
  take : pc[i] = idle -> a[i] := t, t := t + 1, pc[i] := wait;
  spin : pc[i] = wait && a[i] > s -> pc[i] := wait;
  enter: pc[i] = wait && a[i] <= s -> pc[i] := crit;
  leave: pc[i] = crit -> s := s + 1, pc[i] := idle;
}
FAIRNESS
temporal live: []({pc[1]=wait} -> <>{pc[1]=crit});
"""


@pytest.mark.parametrize(
    "text",
    [COUNTDOWN, LEXICOGRAPHIC, PHASES, fair(PETERSON, "fairness weak P1, P2;"), fair(TICKET, "fairness weak P;")],
    ids=["countdown", "lexicographic", "phases", "peterson", "ticket"],
)
def test_what_holds_is_proved_and_checked(text: str) -> None:
    program, certificate = proved(text)
    report = check_live(program, certificate)
    assert report.ok, report.reason


@pytest.mark.parametrize("text", [fair(PETERSON, ""), fair(TICKET, ""), fair(SEMAPHORE, "fairness weak A, B;")])
def test_with_less_fairness_a_lasso_is_found_and_replayed(text: str) -> None:
    program, run = refuted(text)
    assert run.kind == "lasso"
    assert replay_run(program, program.temporal[0], run).ok


def test_strong_fairness_helps_where_weak_does_not() -> None:
    proved(fair(SEMAPHORE, "fairness strong A; fairness weak B;"))
    refuted(fair(SEMAPHORE, "fairness weak A; fairness strong B;"))


def _verdict(program: str, formula: str) -> type:
    _, claim = decided(f"{program}\ntemporal t: {formula};")
    return type(claim)


STOPS = "var x : 0..2 = 0; trans up: x < 2 -> x := x + 1;"
SPINS = "var x : 0..2 = 0; trans up: true -> x := (x + 1) mod 3;"


@pytest.mark.parametrize(
    ("formula", "stops", "spins"),
    [
        ("<>empty", Proved, Refuted),
        ("[]more", Refuted, Proved),
        ("[](){x < 3}", Refuted, Proved),
        ("[](.){x < 3}", Proved, Proved),
        ("fin({x = 2})", Proved, Proved),
        ("fin({x = 1})", Refuted, Proved),
        ("[]<>{x = 2}", Proved, Proved),
        ("<>[]{x = 2}", Proved, Refuted),
        ("len(2)", Proved, Refuted),
        ("({x = 0} && skip ; {x = 1} && skip ; true)", Proved, Proved),
        ("(len(3))*", Refuted, Open),
        ("halt({x = 2})", Proved, Refuted),
        ("<>{deadlock}", Proved, Refuted),
    ],
)
def test_deadlock_ends_a_word_and_nothing_stutters(formula: str, stops: type, spins: type) -> None:
    assert _verdict(STOPS, formula) is stops
    assert _verdict(SPINS, formula) is spins


def test_finite_runs_are_fair() -> None:
    program = "var x : 0..2 = 0; process P { up: x < 2 -> x := x + 1; } fairness strong P;"
    assert _verdict(program, "<>{x = 7}") is Refuted


def test_a_stuck_automaton_ends_nothing() -> None:
    """The run goes on although nothing is left that could violate the formula."""
    assert _verdict(SPINS, "({x = 0} -> (){x = 1})") is Proved


def test_under_negated_iterations_violations_are_judged() -> None:
    """The automaton of the negation accepts words that satisfy the formula."""
    _, claim = decided(SPINS + "temporal t: ({x = 0} && len(3))*;")
    assert isinstance(claim, Proved | Open)
    _, claim = decided(SPINS + "temporal t: ({x = 0} && len(2))*;")
    assert isinstance(claim, Refuted)


def test_programs_without_initial_states_and_formulas_without_counterexamples_are_told() -> None:
    _, claim = decided("var x : 0..1; init x > 5; trans a: true -> x := x; temporal t: <>{x = 1};")
    assert isinstance(claim, Proved)
    assert any("vacuously" in warning for warning in claim.warnings)
    _, claim = decided("var x : 0..1; trans a: true -> x := x; temporal t: <>{x = 1} || []!{x = 1};")
    assert isinstance(claim, Proved)
    assert any("every run" in warning for warning in claim.warnings)


def test_a_range_that_is_left_leaves_the_property_open() -> None:
    _, claim = decided("var x : 0..2 = 0; trans up: true -> x := x + 1; temporal t: <>{x = 2};")
    assert isinstance(claim, Open)
    assert "`range`" in claim.reason.text


def test_what_is_out_of_reach_is_open_with_its_reason() -> None:
    wide = " && ".join(f"<>{{x = {n}}}" for n in range(11))
    _, claim = decided(f"var x : int = 0; trans up: true -> x := x + 1; temporal t: {wide};")
    assert isinstance(claim, Open)
    assert "11 different state predicates" in claim.reason.text


def test_a_long_loop_is_found() -> None:
    text = "var x : int = 0; trans up: true -> x := (x + 1) mod 300; temporal t: <>[]{x > 10};"
    program, claim = decided(text)
    assert isinstance(claim, Refuted)
    assert isinstance(claim.run, LiveTrace)
    assert replay_run(program, program.temporal[0], claim.run).ok


def test_what_is_lost_by_a_step_needs_an_invariant_only() -> None:
    text = TICKET.replace("FAIRNESS", "").replace(
        "[]({pc[1]=wait} -> <>{pc[1]=crit})", "[]{!(pc[1]=crit && pc[2]=crit)}"
    )
    program, claim = decided(text)
    assert isinstance(claim, Proved) and claim.check == "invariant"
    assert isinstance(claim.proof, LiveCertificate)
    assert check_live(program, claim.proof).ok
    _, run = refuted(text.replace("a[i] <= s", "a[i] <= s + 1"))
    assert run.kind == "prefix"
