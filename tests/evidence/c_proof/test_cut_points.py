"""Proofs by cut points: accepted when every fact follows and excludes the errors, refused whenever one does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.evidence.c_proof.certificate import ProofCertificate
from pincer.evidence.c_proof.checker import CheckResult, check_proof
from pincer.evidence.c_proof.cut_point_claim import CutPoint, CutPointProof, OpenCall
from pincer.evidence.c_proof.formulas import Reader
from pincer.evidence.c_proof.program_facts import ProgramFacts
from pincer.program.control_flow import Call, ControlFlowProgram
from pincer.program.property import SequentialKind
from tests.engines.dash.dash_runs import loaded

FILLED = """
int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n == 0 || n > 1000) return 0;
    int *a = malloc(n * sizeof *a);
    if (!a) return 0;
    for (unsigned i = 0; i < n; i++) { a[i] = 7; %s }
    unsigned k = __VERIFIER_nondet_uint();
    if (k < n) assert(a[k] == 7);
}"""
N, INDEX, A = "|main::n|", "|main::i|", "|main::a|"
WIDE_I, WIDE_N = f"((_ zero_extend 32) {INDEX})", f"((_ zero_extend 32) {N})"
IN_BOUNDS = (
    f"(bvule {N} (_ bv1000 32))",
    f"(bvule {INDEX} {N})",
    f"(= ((_ extract 31 0) {A}) (_ bv0 32))",
    f"(= (room {A}) (bvmul (_ bv4 64) {WIDE_N}))",
)
CELL = f"(load 4 (bvadd {A} (bvmul (_ bv4 64) (_ index 64))))"
ALL_SEVEN = f"(every (_ bv0 64) {WIDE_I} (= {CELL} (_ bv7 32)))"


def facts_of(
    program: ControlFlowProgram, *texts: str, calls: tuple[OpenCall, ...] = (), head: int | None = None
) -> CutPoint:
    """Facts at the only loop of the program, or at another place."""
    reader = Reader(ProgramFacts(program, "memory").widths, ())
    [loop] = [place for procedure in program.procedures.values() for place in procedure.loop_heads]
    return CutPoint(calls, loop if head is None else head, tuple(map(reader.predicate, texts)))


def checked(program: ControlFlowProgram, *points: CutPoint, kind: SequentialKind = "memory") -> CheckResult:
    proof = ProofCertificate(program.file, "", "LP64", "main", kind, "1", cuts=CutPointProof(points))
    return check_proof(program, ProofCertificate.from_json(proof.to_json()))


def test_bounds_of_an_index_prove_accesses_of_any_buffer(tmp_path: Path) -> None:
    program = loaded(tmp_path, FILLED % "")
    assert checked(program, facts_of(program, *IN_BOUNDS)).accepted


@pytest.mark.parametrize("left_out", [0, 2, 3])
def test_each_of_these_bounds_is_needed(tmp_path: Path, left_out: int) -> None:
    program = loaded(tmp_path, FILLED % "")
    kept = [fact for number, fact in enumerate(IN_BOUNDS) if number != left_out]
    assert not checked(program, facts_of(program, *kept)).accepted


def test_a_range_fact_proves_what_is_in_the_cells(tmp_path: Path) -> None:
    program = loaded(tmp_path, FILLED % "")
    assert checked(program, facts_of(program, *IN_BOUNDS, ALL_SEVEN), kind="assertions").accepted
    assert not checked(program, facts_of(program, *IN_BOUNDS), kind="assertions").accepted


@pytest.mark.parametrize(
    "wrong",
    [
        ALL_SEVEN.replace("bv7", "bv8"),
        ALL_SEVEN.replace(WIDE_I, f"(bvadd (_ bv1 64) {WIDE_I})"),
        ALL_SEVEN.replace(WIDE_I, WIDE_N),
        ALL_SEVEN.replace("(_ bv4 64)", "(_ bv2 64)"),
        ALL_SEVEN.replace("(load 4", "(load 2").replace("(_ bv7 32)", "(_ bv7 16)").replace("(_ bv4 64)", "(_ bv2 64)"),
        f"(every (_ bv0 64) (bvsub {WIDE_I} (_ bv1 64)) (= {CELL} (_ bv7 32)))",
        f"(not (every (_ bv0 64) {WIDE_N} (not (= {CELL} (_ bv7 32)))))",
    ],
    ids=["value", "one-too-far", "to-the-end", "stride", "cell-size", "wraps-at-zero", "exists-before-any-store"],
)  # fmt: skip
def test_wrong_range_facts_are_refused(tmp_path: Path, wrong: str) -> None:
    program = loaded(tmp_path, FILLED % "")
    result = checked(program, facts_of(program, *IN_BOUNDS, ALL_SEVEN, wrong), kind="assertions")
    assert not result.accepted
    assert any("does not follow" in refused for refused in result.refused)


@pytest.mark.parametrize(
    "write",
    [
        "a[0] = 6;",
        "if (i) a[i - 1] = 6;",
        "int *b = a; b[i / 2] = 9;",
        "((char *)a)[2] = 1;",
        "((char *)a)[4 * i + 3] = 1;",
        "*(short *)((char *)a + 4 * i + 1) = 300;",
    ],
    ids=["first", "last-but-one", "another-pointer", "a-byte", "the-last-byte", "unaligned"],
)
def test_writes_into_the_range_make_the_fact_wrong(tmp_path: Path, write: str) -> None:
    program = loaded(tmp_path, FILLED % write)
    assert not checked(program, facts_of(program, *IN_BOUNDS, ALL_SEVEN), kind="assertions").accepted


@pytest.mark.parametrize("write", ["a[i] = 7;", "int local[2]; local[i % 2] = 6;"], ids=["same", "another-object"])
def test_writes_elsewhere_leave_the_fact_alone(tmp_path: Path, write: str) -> None:
    program = loaded(tmp_path, FILLED % write)
    owner = (*IN_BOUNDS, ALL_SEVEN, f"(bvule (_ bv{program.first_free} 64) {A})")
    assert checked(program, facts_of(program, *owner), kind="assertions").accepted


def test_a_loop_without_a_cut_point_is_refused(tmp_path: Path) -> None:
    program = loaded(tmp_path, FILLED % "")
    entry = program.procedures["main"].entry
    refused = checked(program, facts_of(program, head=entry)).refused
    assert any("no cut point" in text for text in refused)


def test_facts_speak_of_registers_of_open_calls_only(tmp_path: Path) -> None:
    text = """
int next(int x) { int y = x + 1; return y; }
int main(void) { int i = 0; while (__VERIFIER_nondet_bool()) { i = next(i); i = 0; } assert(i == 0); }"""
    program = loaded(tmp_path, text)
    right = facts_of(program, "(= |main::i| (_ bv0 32))")
    assert checked(program, right, kind="assertions").accepted
    stranger = facts_of(program, "(= |main::i| (_ bv0 32))", "(= |next::y| (_ bv0 32))")
    assert any("may not" in text for text in checked(program, stranger, kind="assertions").refused)


CALLED = """
unsigned sum(unsigned char *p, unsigned n) { unsigned s = 0; for (unsigned i = 0; i < n; i++) s += p[i]; return s; }
int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n == 0 || n > 1000) return 0;
    unsigned char *a = malloc(n);
    if (a) sum(a, n);
}"""
CALLER_KNOWS = (
    f"(= |sum::p| {A})", f"(= |sum::n| {N})", f"(= (room {A}) {WIDE_N})", f"(= ((_ extract 31 0) {A}) (_ bv0 32))",
    f"(bvule {N} (_ bv1000 32))",
)  # fmt: skip


def test_facts_inside_a_call_may_speak_of_the_caller(tmp_path: Path) -> None:
    program = loaded(tmp_path, CALLED)
    [index] = [i for i, edge in enumerate(program.procedures["main"].edges) if isinstance(edge.label, Call)]
    assert checked(program, facts_of(program, *CALLER_KNOWS, calls=(("main", index),))).accepted
    assert not checked(program, facts_of(program, *CALLER_KNOWS[1:], calls=(("main", index),))).accepted
    assert not checked(program, facts_of(program, *CALLER_KNOWS, calls=(("main", index + 1),))).accepted
    assert not checked(program, facts_of(program, *CALLER_KNOWS)).accepted


def test_recursion_has_no_cut_points(tmp_path: Path) -> None:
    program = loaded(tmp_path, "int down(int n) { return n ? down(n - 1) : 0; } int main(void) { assert(!down(3)); }")
    refused = checked(program, kind="assertions").refused
    assert any("not a call that can be open" in text for text in refused)


def test_an_allocation_larger_than_modelled_is_refused(tmp_path: Path) -> None:
    program = loaded(tmp_path, FILLED % "")
    too_far = (f"(bvule {N} (_ bv1000 32))",)
    result = checked(program, facts_of(program, *too_far))
    assert not result.accepted and result.obligations


EXISTS = f"""
(not (every {WIDE_I} {WIDE_N} (not (= (load 1 (bvadd {A} (_ index 64))) (_ bv0 8)))))"""
STRING = """
int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n == 0 || n > 1000) return 0;
    char *a = malloc(n);
    if (!a) return 0;
    a[n - 1] = %s;
    unsigned i = 0;
    while (a[i]) { %s i++; }
}"""
TEXT_FACTS = (
    f"(bvule {N} (_ bv1000 32))", f"(= ((_ extract 31 0) {A}) (_ bv0 32))", f"(= (room {A}) {WIDE_N})", EXISTS
)  # fmt: skip


@pytest.mark.parametrize(
    ("last", "body", "accepted"),
    [("0", "", True), ("1", "", False), ("0", "a[n - 1] = 1;", False), ("0", "i++;", False), ("0", "a[i] = 1;", True)],
)
def test_a_zero_byte_ahead_ends_a_text(tmp_path: Path, last: str, body: str, accepted: bool) -> None:
    program = loaded(tmp_path, STRING % (last, body))
    assert checked(program, facts_of(program, *TEXT_FACTS)).accepted is accepted
