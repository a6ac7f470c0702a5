"""Ranks are accepted when every way to the next loop head makes them smaller, and refused whenever one does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.evidence.c_proof.certificate import ProofCertificate
from pincer.evidence.c_proof.checker import CheckResult, check_proof
from pincer.evidence.c_proof.cut_point_claim import CutPoint, CutPointProof
from pincer.evidence.c_proof.formulas import Reader
from pincer.evidence.c_proof.program_facts import ProgramFacts
from pincer.program.control_flow import ControlFlowProgram
from pincer.program.passes import Termination, instrumented
from tests.engines.dash.dash_runs import loaded

DOWN = "int main(void) { unsigned i = %s; %s while (i != 0) { i -= %d; } }"
PAIR = """
int main(void) {
    unsigned i = __VERIFIER_nondet_uint(), j = __VERIFIER_nondet_uint();
    while (i > 0 && j > 0)
        if (__VERIFIER_nondet_int()) { i--; j = __VERIFIER_nondet_uint(); } else j--;
}"""
FIRST, SECOND = "|main::i|", "|main::j|"
EVEN = f"(= ((_ extract 0 0) {FIRST}) (_ bv0 1))"
ANY = "__VERIFIER_nondet_uint()"


def ending(folder: Path, text: str) -> ControlFlowProgram:
    return instrumented(loaded(folder, text), Termination())


def checked(
    program: ControlFlowProgram, facts: tuple[str, ...], ranks: tuple[str, ...], name: str = "termination"
) -> CheckResult:
    """What is said of facts and ranks at the only loop."""
    widths = {**ProgramFacts(program, "termination").widths, "$top": 64}
    reader = Reader(widths, ())
    [head] = [place for procedure in program.procedures.values() for place in procedure.loop_heads]
    point = CutPoint((), head, tuple(map(reader.predicate, facts)), tuple(map(reader.value, ranks)))
    data = ProofCertificate(
        program.file, "", "LP64", "main", "termination", "1", cuts=CutPointProof((point,))
    ).to_json()
    return check_proof(program, ProofCertificate.from_json({**data, "property": name}))


def test_a_counter_that_gets_smaller_is_a_rank(tmp_path: Path) -> None:
    assert checked(ending(tmp_path, DOWN % (ANY, "", 1)), (), (FIRST,)).accepted


def test_a_counter_that_wraps_around_is_none(tmp_path: Path) -> None:
    program = ending(tmp_path, DOWN % (ANY, "", 2))
    assert not checked(program, (), (FIRST,)).accepted
    assert not checked(program, (EVEN,), (FIRST,)).accepted, "it need not be even at the beginning"
    even = ending(tmp_path, DOWN % (ANY, "__VERIFIER_assume(i % 2 == 0);", 2))
    assert checked(even, (EVEN,), (FIRST,)).accepted
    assert not checked(even, (), (FIRST,)).accepted


@pytest.mark.parametrize(
    ("ranks", "accepted"),
    [
        ((FIRST, SECOND), True),
        ((SECOND, FIRST), False),
        ((FIRST,), False),
        ((SECOND,), False),
        ((), False),
        ((f"(bvxor (_ bv4294967295 32) {FIRST})", SECOND), False),
    ],
)
def test_the_order_of_words_matters(tmp_path: Path, ranks: tuple[str, ...], accepted: bool) -> None:
    assert checked(ending(tmp_path, PAIR), (), ranks).accepted is accepted


def test_what_gets_smaller_over_the_integers_only_is_no_rank(tmp_path: Path) -> None:
    """n - i, where i has one byte: over the integers it gets smaller with every i++, and in C not after 255."""
    text = "int main(void) { int n = __VERIFIER_nondet_int(); %s for (unsigned char i = 0; i < n; i++); }"
    left = "(bvsub ((_ sign_extend 8) |main::n|) ((_ zero_extend 32) |main::i|))"
    rank = f"(bvxor (_ bv{1 << 39} 40) {left})"
    assert not checked(ending(tmp_path, text % ""), (), (rank,)).accepted
    small = "(bvsle |main::n| (_ bv255 32))"
    assert checked(ending(tmp_path, text % "__VERIFIER_assume(n <= 255);"), (small,), (rank,)).accepted
    assert not checked(ending(tmp_path, text % "__VERIFIER_assume(n <= 256);"), (small,), (rank,)).accepted


def test_a_word_that_stays_as_it_is_is_no_rank(tmp_path: Path) -> None:
    assert not checked(ending(tmp_path, "int main(void) { while (1); }"), (), ("(_ bv7 8)",)).accepted
    assert not checked(ending(tmp_path, DOWN % (ANY, "", 0)), (), (FIRST,)).accepted


def test_memory_that_is_used_up_is_no_reason_to_end(tmp_path: Path) -> None:
    program = ending(tmp_path, "char *p; int main(void) { while (1) p = malloc(1); }")
    address = "(load 8 (_ bv4294967296 64))"
    for rank in ("(bvxor (_ bv18446744073709551615 64) |$top|)", f"(bvxor (_ bv18446744073709551615 64) {address})"):
        assert not checked(program, (), (rank,)).accepted
    register = ending(tmp_path, "int main(void) { char *p = 0; while (1) { p = malloc(1); if (!p) return 0; } }")
    fact = "(= |main::p| (bvsub |$top| (_ bv4294967296 64)))"
    for facts in ((), (fact,)):
        assert not checked(register, facts, ("(bvxor (_ bv18446744073709551615 64) |main::p|)",)).accepted


def test_a_loop_without_ranks_and_a_proof_without_points_are_refused(tmp_path: Path) -> None:
    program = ending(tmp_path, DOWN % (ANY, "", 1))
    data = ProofCertificate(program.file, "", "LP64", "main", "termination", "1", cuts=CutPointProof(())).to_json()
    refused = check_proof(program, ProofCertificate.from_json(data))
    assert not refused.accepted
    assert "no cut point" in refused.refused[0]


def test_a_proof_of_something_else_is_none_of_termination(tmp_path: Path) -> None:
    program = ending(tmp_path, DOWN % (ANY, "", 1))
    assert check_proof(program, ProofCertificate(program.file, "", "LP64", "main", "termination", "1")).refused
    assert checked(program, (), (), "assertions").accepted, "nothing is asserted"


def test_words_of_other_widths_cannot_be_compared(tmp_path: Path) -> None:
    text = "int main(void) { unsigned i = 9; while (i) i--; i = 9; while (i) i--; }"
    program = ending(tmp_path, text)
    reader = Reader(ProgramFacts(program, "termination").widths, ())
    first, second = sorted(program.procedures["main"].loop_heads)
    for ranks, accepted in ((("(_ bv1 8)", "(_ bv0 8)"), True), (("(_ bv1 8)", "(_ bv0 9)"), False)):
        points = tuple(
            CutPoint((), place, (), (reader.value(index), reader.value(FIRST)))
            for place, index in zip((first, second), ranks, strict=True)
        )
        proof = ProofCertificate(program.file, "", "LP64", "main", "termination", "1", cuts=CutPointProof(points))
        assert check_proof(program, proof).accepted is accepted
