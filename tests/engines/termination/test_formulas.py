"""Formulas about C programs are decided on both sides, and the checkers agree."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.engines.task import Open, Proved, Refuted
from pincer.evidence.c_proof.cut_point_claim import CutPointProof
from pincer.evidence.c_proof.endless_check import check_endless
from pincer.evidence.c_proof.endless_claim import EndlessRun, from_json, to_json
from tests.engines.termination.formula_programs import (
    ANSWERED,
    IN_ORDER,
    LIMITED,
    MODES,
    SERVER,
    TURNS,
    WAITS,
    answer,
    certified,
    observed,
)


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        (SERVER % "--", ANSWERED),
        (MODES % "/= 2", IN_ORDER),
        (MODES % "/= 2", "ltl: F {mode == 2}"),
        (LIMITED, "[]({x > 10} -> <>{x == 3})"),
        (WAITS, "[]({call(work)} -> <>{return(work)})"),
        (WAITS, "[]({call(work) && work.k >= 0} -> {busy == 0})"),
        (WAITS, "<>{at(done) && !busy}"),
        (TURNS, "[]({want} -> <>{got})"),
    ],
)
def test_what_holds_has_a_proof_that_is_accepted(tmp_path: Path, text: str, formula: str) -> None:
    program = observed(tmp_path, text, formula)
    claim = answer(program)
    assert isinstance(claim, Proved) and isinstance(claim.proof, CutPointProof)
    assert certified(program, claim.proof).accepted


@pytest.mark.parametrize(
    ("text", "formula", "endless"),
    [
        (SERVER % " -= 2", ANSWERED, True),
        (MODES % "^= 1", IN_ORDER, True),
        (SERVER % "--", "<>{resp}", True),
        (LIMITED, "<>{x == 3}", False),
        (LIMITED, "[]{x <= 10}", False),
        (WAITS, "[]({call(work)} -> {work.k > 0})", False),
        (WAITS, "[]!{at(done)}", False),
    ],
)
def test_what_does_not_hold_has_a_run_that_is_followed(tmp_path: Path, text: str, formula: str, endless: bool) -> None:
    program = observed(tmp_path, text, formula)
    claim = answer(program)
    assert isinstance(claim, Refuted) and isinstance(claim.run, EndlessRun)
    assert bool(claim.run.points) is endless
    assert check_endless(program, from_json(to_json(claim.run))).accepted


def test_a_beginning_after_which_assumptions_fail_is_no_run(tmp_path: Path) -> None:
    text = "int x; int main(void) { x = 1; x = 2; __VERIFIER_assume(x == 3); while (x) x--; }"
    claim = answer(observed(tmp_path, text, "[]{x != 1}"))
    assert isinstance(claim, Proved)


RECURSIVE = """
int deep, most, g;
static void down(int k) { int here = k; deep++; if (deep > most) most = deep; if (here > 0) down(here - 1); deep--; }
int main(void) { int n = __VERIFIER_nondet_int(); if (n > 3) n = 3; down(n); g = 1; %s return 0; }
"""


@pytest.mark.parametrize("formula", ["<>{g}", "[]{most <= 4}", "[]({call(down)} -> <>{deep == 0})"])
def test_recursion_that_is_not_deep_is_calls_put_in_place(tmp_path: Path, formula: str) -> None:
    program = observed(tmp_path, RECURSIVE % "", formula)
    claim = answer(program)
    assert isinstance(claim, Proved) and isinstance(claim.proof, CutPointProof)
    assert certified(program, claim.proof).accepted


@pytest.mark.parametrize(("rest", "formula"), [("", "[]{most <= 3}"), ("while (most > 2) { }", "<>empty")])
def test_runs_with_recursion_that_is_not_deep_are_followed(tmp_path: Path, rest: str, formula: str) -> None:
    program = observed(tmp_path, RECURSIVE % rest, formula)
    claim = answer(program)
    assert isinstance(claim, Refuted) and isinstance(claim.run, EndlessRun)
    assert check_endless(program, from_json(to_json(claim.run))).accepted


@pytest.mark.parametrize("formula", ["<>{g}", "[]{most <= 12}", "[]{most <= 30}"])
def test_deep_recursion_is_left_open(tmp_path: Path, formula: str) -> None:
    claim = answer(observed(tmp_path, (RECURSIVE % "").replace("n > 3", "n > 30").replace("n = 3", "n = 30"), formula))
    assert isinstance(claim, Open)
    assert "more than 10 calls of `down` inside of each other are not looked at" in claim.reason.text


@pytest.mark.parametrize("formula", ["<>{g}", "[]{most <= 40}"])
def test_a_proof_that_leaves_out_deeper_calls_is_refused(tmp_path: Path, formula: str) -> None:
    """What is proved of three calls at most is said of thirty."""
    shallow, deep = tmp_path / "shallow", tmp_path / "deep"
    shallow.mkdir()
    deep.mkdir()
    claim = answer(observed(shallow, RECURSIVE % "", formula))
    assert isinstance(claim, Proved) and isinstance(claim.proof, CutPointProof)
    more = observed(deep, (RECURSIVE % "").replace("n > 3", "n > 30").replace("n = 3", "n = 30"), formula)
    assert not certified(more, claim.proof).accepted


def test_a_program_that_begins_again_ends_once(tmp_path: Path) -> None:
    text = "int left = 2, g; int main(void) { if (left > 0) { left--; main(); } g++; return 0; }"
    assert isinstance(answer(observed(tmp_path, text, "<>({g == 3} && empty)")), Proved)
    assert isinstance(answer(observed(tmp_path, text, "[]{g < 3}")), Refuted)
