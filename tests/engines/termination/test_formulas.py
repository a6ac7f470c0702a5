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


def test_recursive_functions_are_left_open(tmp_path: Path) -> None:
    text = "int g; static void f(int k) { if (k > 0) f(k - 1); g = 1; } int main(void) { f(3); }"
    claim = answer(observed(tmp_path, text, "<>{g}"))
    assert isinstance(claim, Open) and "recursive" in claim.reason.text
