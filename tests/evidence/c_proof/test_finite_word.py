"""Beginnings that violate formulas are followed and judged; one that is wrong in any respect is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from pincer.errors import Position
from pincer.evidence.c.rounds import WatchedRounds
from pincer.evidence.c.trace import CTest, Failure, InputValue
from pincer.evidence.c_proof.cut_point_claim import CutPoint
from pincer.evidence.c_proof.endless import LONGEST_STEM
from pincer.evidence.c_proof.endless_check import check_endless
from pincer.evidence.c_proof.endless_claim import EndlessRun
from pincer.evidence.pptl.formula import TooManyCases
from pincer.evidence.pptl.truth import TruthJudge
from pincer.program.control_flow import ControlFlowProgram
from tests.engines.termination.formula_programs import LIMITED, observed, with_formula

HERE = Position("p.c", 1, 1)
FOR_EVER = "int x; int main(void) { x = 1; for (;;) { x = 2; x = __VERIFIER_nondet_int(); } }"
ASSUMES = "int x; int main(void) { x = 1; __VERIFIER_assume(__VERIFIER_nondet_int() > x); x = 0; for (;;) ; }"
UNKNOWN = "int *x; int main(void) { x = malloc(4); x = x; return 0; }"


def run_of(stem: int, *values: int, ended: bool) -> EndlessRun:
    given = tuple(InputValue("__VERIFIER_nondet_int", "nondet", 32, value, HERE) for value in values)
    test = CTest("p.c", "temporal", "temporal", given, (), Failure(HERE, ""), "LP64", "main")
    return EndlessRun(test, (), (), stem, WatchedRounds((), 1), 0, "", ended=ended)


def refused(program: ControlFlowProgram, run: EndlessRun) -> str:
    found = check_endless(program, run)
    assert not found.accepted
    return "; ".join(found.refused)


def stem_to_end(program: ControlFlowProgram, *values: int) -> int:
    """How many steps a run takes until it has ended."""
    said = [refused(with_formula(program, "true"), run_of(n, *values, ended=True)) for n in range(40)]
    [stem] = [number for number, text in enumerate(said) if "not false" in text]
    return stem


def test_a_run_that_ended_is_a_word(tmp_path: Path) -> None:
    program = observed(tmp_path, LIMITED, "<>{x == 3}")
    assert check_endless(program, run_of(stem_to_end(program, 4), 4, ended=True)).accepted
    assert "not false" in refused(program, run_of(stem_to_end(program, 11), 11, ended=True))


@pytest.mark.parametrize(
    ("formula", "violated"),
    [("empty", True), ("<>empty", False), ("[]$1", True), ("<>$1", False), ("fin($1)", False), ("fin(!$1)", True)],
)
def test_every_letter_up_to_the_last_counts(tmp_path: Path, formula: str, violated: bool) -> None:
    program = observed(tmp_path, LIMITED, "<>{x == 3}")
    run = run_of(stem_to_end(program, 11), 11, ended=True)
    assert check_endless(with_formula(program, formula), run).accepted is violated


def test_a_run_has_ended_when_it_has_and_not_before_or_after(tmp_path: Path) -> None:
    program = observed(tmp_path, LIMITED, "<>{x == 3}")
    end = stem_to_end(program, 4)
    for stem in range(end):
        assert "does not end" in refused(program, run_of(stem, 4, ended=True))
    assert "does not end" in refused(program, run_of(end, 4, ended=False))
    for stem in range(end + 1, end + 4):
        found = check_endless(program, run_of(stem, 4, ended=True))
        assert found.accepted or "goes nowhere" in found.refused[0]
    assert "goes nowhere" in refused(program, run_of(end + 20, 4, ended=True))


def test_inputs_are_those_of_the_test(tmp_path: Path) -> None:
    program = observed(tmp_path, LIMITED, "<>{x == 3}")
    end = stem_to_end(program, 4)
    assert "more inputs" in refused(program, run_of(end, ended=True))
    assert "not false" in refused(program, run_of(end, 3, ended=True))


def test_what_follows_does_not_matter_where_the_formula_is_false_already(tmp_path: Path) -> None:
    program = observed(tmp_path, FOR_EVER, "[]{x != 1}")
    accepted = [check_endless(program, run_of(n, 0, 0, 0, ended=False)).accepted for n in range(12)]
    first = accepted.index(True)
    assert first > 0 and all(accepted[first:])
    other = with_formula(program, "<>$1")
    assert "not false" in refused(other, run_of(first, 0, 0, 0, ended=False))
    assert "not false" in refused(with_formula(program, "[]<>!$1"), run_of(first, 0, 0, 0, ended=False))


def test_nothing_is_violated_by_a_run_that_was_not_looked_at(tmp_path: Path) -> None:
    program = with_formula(observed(tmp_path, FOR_EVER, "[]{x != 1}"), "$1")
    assert "not false" in refused(program, run_of(0, ended=False))


def test_an_assumption_that_may_fail_later_leaves_no_run(tmp_path: Path) -> None:
    program = observed(tmp_path, ASSUMES, "[]{x != 1}")
    said = {refused(program, run_of(n, 0, ended=False)) for n in range(8)}
    assert any("assumption may fail later" in text for text in said)


def test_a_beginning_that_is_too_long_is_refused(tmp_path: Path) -> None:
    program = observed(tmp_path, FOR_EVER, "[]{x != 1}")
    assert "too long" in refused(program, run_of(LONGEST_STEM + 1, ended=False))


def test_a_proposition_that_is_not_known_is_refused(tmp_path: Path) -> None:
    """What memory holds that nobody has written may be anything."""
    program = observed(tmp_path, UNKNOWN, "[]{x == 0 || *x == 7}")
    said = {text for n in range(12) for text in check_endless(program, run_of(n, ended=True)).refused}
    assert any("not known whether a predicate holds" in text for text in said), said


def test_formulas_that_are_too_large_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = observed(tmp_path, LIMITED, "<>{x == 3}")
    run = run_of(stem_to_end(program, 4), 4, ended=True)

    def too_many(*_: object) -> bool:
        raise TooManyCases

    monkeypatch.setattr(TruthJudge, "on_finite", too_many)
    assert "too many cases" in refused(program, run)


def test_points_are_for_runs_without_an_end(tmp_path: Path) -> None:
    """A run with points is never judged as a word that ended."""
    program = observed(tmp_path, LIMITED, "<>{x == 3}")
    good = run_of(stem_to_end(program, 4), 4, ended=True)
    assert "no automaton" in refused(program, replace(good, points=(CutPoint((), 0, ()),)))
