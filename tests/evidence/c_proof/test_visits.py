"""Pairs of visits are compared as the proof says, and only then: what is left out of it is missed."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from pincer.evidence.c_proof.certificate import ProofCertificate
from pincer.evidence.c_proof.checker import CheckResult, check_proof
from pincer.evidence.c_proof.cut_point_claim import CutPoint, CutPointProof, Since
from pincer.evidence.c_proof.formulas import Reader
from pincer.evidence.c_proof.program_facts import ProgramFacts
from pincer.program.control_flow import ControlFlowProgram
from tests.evidence.c_proof.test_termination import ending

TURNS = """
unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
    unsigned char x = __VERIFIER_nondet_uchar(), y = __VERIFIER_nondet_uchar();
    while (x > 0 && y > 0) {
        unsigned char before = x;
        if (__VERIFIER_nondet_int()) { x = x - 1; y = before - 1; } else { x = y - %d; y = before; }
    }
}"""
X, Y, THEN_X, THEN_Y = "|main::x|", "|main::y|", "|~earlier0|", "|~earlier1|"


def below(now: str, then: str) -> str:
    return f"(bvult {now} {then})"


CASES = (
    f"(and {below(X, THEN_X)} {below(Y, THEN_X)})",
    f"(and {below(X, THEN_Y)} {below(Y, THEN_Y)})",
    f"(and {below(X, THEN_Y)} (bvule {Y} {THEN_X}))",
)
"""How a state has to do with an earlier visit: whatever a step does with one of these gives one of these."""


def proof(program: ControlFlowProgram, cases: tuple[str, ...], words: tuple[str, ...] = (X, Y)) -> CutPointProof:
    widths = {**ProgramFacts(program, "termination").widths, "~earlier0": 8, "~earlier1": 8, "~earlier2": 8}
    reader = Reader(widths, ())
    [head] = [place for procedure in program.procedures.values() for place in procedure.loop_heads]
    relation = reader.predicate(f"(or {' '.join(cases)} false)")
    return CutPointProof((CutPoint((), head, (), (), 0, tuple(map(reader.value, words)), (Since(0, relation),)),))


def checked(program: ControlFlowProgram, cuts: CutPointProof) -> CheckResult:
    data = ProofCertificate(program.file, "", "LP64", "main", "termination", "1", cuts=cuts).to_json()
    return check_proof(program, ProofCertificate.from_json(data))


def test_words_that_get_smaller_by_turns_are_enough(tmp_path: Path) -> None:
    program = ending(tmp_path, TURNS % 1)
    result = checked(program, proof(program, CASES))
    assert result.accepted, result.refused


@pytest.mark.parametrize("left_out", range(len(CASES)))
def test_every_case_is_needed(tmp_path: Path, left_out: int) -> None:
    program = ending(tmp_path, TURNS % 1)
    cases = tuple(case for number, case in enumerate(CASES) if number != left_out)
    assert not checked(program, proof(program, cases)).accepted


def test_what_goes_on_for_ever_is_not_proved(tmp_path: Path) -> None:
    """Where x and y change places, nothing gets smaller."""
    program = ending(tmp_path, TURNS % 0)
    assert not checked(program, proof(program, CASES)).accepted
    assert not checked(program, proof(program, ("true",))).accepted
    assert not checked(program, proof(program, ())).accepted


@pytest.mark.parametrize("words", [(X,), (Y,), (X, X), ("(_ bv0 8)", "(_ bv0 8)")])
def test_the_words_are_those_that_get_smaller(tmp_path: Path, words: tuple[str, ...]) -> None:
    program = ending(tmp_path, TURNS % 1)
    assert not checked(program, proof(program, CASES, words)).accepted


def test_a_case_must_make_a_word_smaller(tmp_path: Path) -> None:
    program = ending(tmp_path, TURNS % 1)
    assert not checked(program, proof(program, (*CASES, below(THEN_X, X)))).accepted
    assert not checked(program, proof(program, ("true",))).accepted


def test_relations_speak_of_places_with_words(tmp_path: Path) -> None:
    program = ending(tmp_path, TURNS % 1)
    cuts = proof(program, CASES)
    [point] = cuts.points
    [since] = point.since
    for wrong in (
        replace(point, words=()),
        replace(point, since=(Since(1, since.relation),)),
        replace(point, since=(since, since)),
        replace(point, words=(point.words[0],)),
    ):
        assert not checked(program, CutPointProof((wrong,))).accepted
    beyond = proof(program, (*CASES, f"(= |~earlier2| {X})"))
    assert not checked(program, beyond).accepted


def test_ranks_may_not_get_larger_between_places_with_words(tmp_path: Path) -> None:
    """A rank in front of the words that a step may increase."""
    program = ending(tmp_path, TURNS % 1)
    cuts = proof(program, CASES)
    [point] = cuts.points
    assert not checked(program, CutPointProof((replace(point, ranks=(point.words[0],)),))).accepted
