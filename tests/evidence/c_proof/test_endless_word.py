"""Runs that violate formulas are refused when the automaton, its moves, or the word are not what they should be."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from pincer.engines.task import Refuted
from pincer.evidence.c_proof.endless_check import check_endless
from pincer.evidence.c_proof.endless_claim import EndlessRun
from pincer.program.control_flow import ControlFlowProgram
from tests.engines.termination.formula_programs import ANSWERED, LIMITED, SERVER, answer, observed, with_formula


def violated(folder: Path, text: str, formula: str) -> tuple[ControlFlowProgram, EndlessRun]:
    program = observed(folder, text, formula)
    claim = answer(program)
    assert isinstance(claim, Refuted) and isinstance(claim.run, EndlessRun)
    assert check_endless(program, claim.run).accepted
    return program, claim.run


def test_an_automaton_that_accepts_too_much_is_refused(tmp_path: Path) -> None:
    program, run = violated(tmp_path, SERVER % " -= 2", ANSWERED)
    assert run.automaton is not None
    eager = replace(run.automaton, accepting=tuple(True for _ in run.automaton.accepting))
    assert "may accept runs" in check_endless(program, replace(run, automaton=eager)).refused[0]
    assert not check_endless(program, replace(run, moves=())).accepted
    assert not check_endless(program, replace(run, automaton=None)).accepted
    wrong = tuple(replace(point, node=run.automaton.initial[0]) for point in run.points)
    assert not check_endless(program, replace(run, points=wrong)).accepted
    assert not check_endless(with_formula(program, "[]($1 -> <>!$2)"), run).accepted


def test_a_word_is_judged_by_the_formula(tmp_path: Path) -> None:
    program, run = violated(tmp_path, LIMITED, "<>{x == 3}")
    assert run.ended
    assert "not false" in check_endless(with_formula(program, "<>!$1"), run).refused[0]
    assert "does not end" in check_endless(program, replace(run, ended=False)).refused[0]
    assert "does not end" in check_endless(program, replace(run, stem=run.stem - 1)).refused[0]


def test_a_beginning_must_exclude_the_formula(tmp_path: Path) -> None:
    text = "int x; int main(void) { x = 1; for (;;) { x = 2; x = __VERIFIER_nondet_int(); } }"
    program, run = violated(tmp_path, text, "[]{x != 1}")
    short = replace(run, points=(), ended=False, stem=3)
    assert check_endless(program, short).accepted
    assert not check_endless(program, replace(short, stem=2)).accepted
