"""Temporal properties of MSVL programs that no exploration decides."""

from __future__ import annotations

import pytest

from pincer.engines.msvl.verify import TranslationSettings, check
from pincer.engines.task import Claim, EngineTask, Open, Proved, Refuted
from pincer.evidence.msvl.counterexample import Counterexample
from pincer.evidence.msvl.proofs import MsvlProof, check_proof
from pincer.evidence.msvl.replay import replay
from pincer.evidence.msvl.rounds import MsvlRounds, check_rounds
from pincer.frontends.msvl import Program, parse_program
from pincer.frontends.msvl.asked import asked_property
from pincer.runtime.run import Run
from tests.evidence.msvl.translated_programs import COUNTING, ENDING, READING, WRONG


def decided(text: str, wanted: str) -> tuple[Program, Claim]:
    program = parse_program(text, "t.m")
    task = EngineTask(program, (asked_property(wanted),), TranslationSettings("hash", ("property",)))
    [claim] = check(task, Run(timeout=60))
    assert claim.name == "property"
    return program, claim


DOWN = (
    "frame(x,y) and (int x and int y and input(x,y) and skip; while(x>0){x:=x-y and (if(y<1) then {y:=1} else {y:=y})})"
)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (COUNTING, "alw({x>=0})"),
        (COUNTING, "<>{x=5}"),
        (COUNTING, "[]<>{x%3=1}"),
        (COUNTING, "({x<4} ; []{x>=1})"),
        (COUNTING, "ltl: G(F {x > 100} -> F {x > 7})"),
        (ENDING, "<>empty"),
        (ENDING, "<>{x=5}"),
        (DOWN, "<>empty"),
    ],
)
def test_a_property_that_holds_has_a_proof(text: str, wanted: str) -> None:
    program, claim = decided(text, wanted)
    assert isinstance(claim, Proved) and isinstance(claim.proof, MsvlProof)
    assert check_proof(program, "hash", claim.proof).ok


@pytest.mark.parametrize(
    ("text", "wanted", "kind"),
    [
        (COUNTING, "[]{x<7}", "prefix"),
        (ENDING, "<>{x=4}", "terminated"),
        ("frame(x) and (int x<==0 and skip; while(true){x:=1-x})", "<>[]{x=0}", "lasso"),
        (WRONG, "[]{x!=77}", "prefix"),
    ],
)
def test_a_violation_that_ends_or_repeats_is_a_run_of_the_program(text: str, wanted: str, kind: str) -> None:
    program, claim = decided(text, wanted)
    assert isinstance(claim, Refuted) and isinstance(claim.run, Counterexample)
    assert claim.run.kind == kind
    assert replay(program, claim.run).confirmed


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (COUNTING, "<>{x<0}"),
        (COUNTING, "<>empty"),
        (READING, "<>empty"),
        (
            "frame(x,y) and (int x<==0 and int y and skip; "
            "while(true){input(y) and if(y>0) then {x:=x+1} else {x:=x-1}})",
            "[]<>{y>0}",
        ),
    ],
)
def test_a_violation_that_goes_on_for_ever_is_followed_for_rounds(text: str, wanted: str) -> None:
    program, claim = decided(text, wanted)
    assert isinstance(claim, Refuted) and isinstance(claim.run, MsvlRounds)
    judged, followed = check_rounds(program, "hash", claim.run)
    assert judged.confirmed and followed is not None and len(followed.states) > 100


def test_what_holds_of_runs_that_do_not_go_wrong_is_not_claimed() -> None:
    _, claim = decided(WRONG, "[]({x=1} or {x!=1})")
    assert isinstance(claim, Open)
    assert claim.reason.text == "a run may go wrong: a loop goes round for ever in one state"


def test_a_beginning_that_nothing_consistent_follows_is_no_run() -> None:
    text = "frame(x) and (int x and input(x) and skip; (x:=1 and x:=2); while(true){x:=x+1})"
    _, claim = decided(text, "[]{x>=0}")
    assert isinstance(claim, Open) and claim.reason.text.startswith("a run may go wrong")
    _, claim = decided(text.replace("x:=2", "x:=1"), "[]{x>=0}")
    assert isinstance(claim, Refuted)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("frame(x) and (int x and input(x) and skip; while(x!=0){x:=x*x})", "`*` is not linear here"),
        ("frame(x) and (int x and input(x) and skip; len(x))", "a length depends on a variable"),
    ],
)
def test_what_cannot_be_translated_is_open(text: str, reason: str) -> None:
    _, claim = decided(text, "<>empty")
    assert isinstance(claim, Open) and reason in claim.reason.text
