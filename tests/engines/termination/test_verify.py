"""Whether programs end is decided both ways, with evidence that checkers accept; what is not covered says why."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.engines.task import Open, Proved, Refuted
from pincer.evidence.c_proof.cut_point_claim import CutPointProof
from pincer.evidence.c_proof.endless_check import check_endless
from pincer.evidence.c_proof.endless_claim import EndlessRun
from tests.engines.termination.loop_programs import (
    CHOSEN,
    COUNTDOWN,
    LEXICOGRAPHIC,
    NESTED,
    ODD,
    PHASES,
    WRAPS,
    certified,
    decided,
    ending,
)

ENDS = [
    LEXICOGRAPHIC,
    PHASES,
    WRAPS,
    NESTED,
    COUNTDOWN % "255",
    "int main(void) { return 0; }",
    "int main(void) { unsigned n = __VERIFIER_nondet_uint(); __VERIFIER_assume(n % 2 == 0); while (n != 0) n -= 2; }",
    "int main(void) { int x = __VERIFIER_nondet_int(); while (1) { if (x < 10) break; x--; if (x == 50) abort(); } }",
    "int main(void) { for (;;) assert(__VERIFIER_nondet_int() && 0); }",
]
ENDLESS = [
    COUNTDOWN % "1000",
    ODD,
    CHOSEN,
    "int main(void) { while (1); }",
    "int main(void) { unsigned u = __VERIFIER_nondet_uint(); while (u >= 0) u--; }",
    "int main(void) { unsigned n = 2; do n ^= 1; while (n); }",
    "int g; void go(void) { while (g < 5) g = 5 - g; } int main(void) { g = 3; go(); }",
]


@pytest.mark.parametrize("text", ENDS)
def test_a_program_that_ends_has_a_proof(tmp_path: Path, text: str) -> None:
    program = ending(tmp_path, text)
    claim = decided(program)
    assert isinstance(claim, Proved), claim.said
    assert isinstance(claim.proof, CutPointProof)
    assert certified(program, claim.proof).accepted


@pytest.mark.parametrize("text", ENDLESS)
def test_a_program_that_does_not_end_has_a_run(tmp_path: Path, text: str) -> None:
    program = ending(tmp_path, text)
    claim = decided(program)
    assert isinstance(claim, Refuted), claim.said
    assert isinstance(claim.run, EndlessRun)
    assert check_endless(program, claim.run).accepted


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("int f(int n) { return n ? f(n - 1) : 0; } int main(void) { return f(3); }", "recursive"),
        ("int main(void) { while (1) malloc(1); }", ""),
        ("int a[4]; int main(void) { unsigned i = 0; while (1) a[i++] = 1; }", "undefined behaviour"),
        ("#include <pthread.h>\nint main(void) { pthread_exit(0); }", "threads"),
    ],
)
def test_what_is_not_covered_stays_open(tmp_path: Path, text: str, reason: str) -> None:
    claim = decided(ending(tmp_path, text))
    assert isinstance(claim, Open)
    assert reason in claim.reason.text
