"""Whether programs end is decided both ways, with evidence that checkers accept; what is not covered says why."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.engines.task import EngineTask, Open, Proved, Refuted
from pincer.engines.termination.verify import TerminationSettings, check
from pincer.evidence.c_proof.cut_point_claim import CutPointProof
from pincer.evidence.c_proof.endless_check import check_endless
from pincer.evidence.c_proof.endless_claim import EndlessRun
from pincer.runtime.run import Run
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
RECURSIVE = [
    "int f(int n) { return n <= 1 ? 1 : n * f(n - 1); } int main(void) { return f(__VERIFIER_nondet_int()); }",
    """int ack(int m, int n) { if (m == 0) return n + 1; return n ? ack(m - 1, ack(m, n - 1)) : ack(m - 1, 1); }
int main(void) { return ack(__VERIFIER_nondet_int(), __VERIFIER_nondet_int()); }""",
    """int odd(unsigned n); int even(unsigned n) { return n ? odd(n - 1) : 1; }
int odd(unsigned n) { return n ? even(n - 1) : 0; } int main(void) { return even(__VERIFIER_nondet_uint()); }""",
    """int g; void f(unsigned n) { if (!n) return; for (int i = 0; i < 9; i++) g += i; f(n / 2); g--; f(n / 3); }
static void h(unsigned k) { f(k); } int main(void) { for (int i = 0; i < 5; i++) h(g); return 0; }""",
]
CALLS_FOR_EVER = [
    "int f(int n) { return n == 0 ? 1 : n * f(n - 2); } int main(void) { return f(5); }",
    """int odd(int n); int even(int n) { return n ? odd(n - 1) : 1; } int odd(int n) { return n ? even(n + 1) : 0; }
int main(void) { return even(__VERIFIER_nondet_int()); }""",
    "int g; void f(void) { g = 1 - g; f(); } int main(void) { f(); }",
    "int g = 5, *p = &g; void f(void) { if (*p == 0) return; *p = -*p; f(); } int main(void) { f(); }",
    "int main(void) { return __VERIFIER_nondet_int() ? main() : 0; }",
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


@pytest.mark.parametrize("text", [*ENDS, *RECURSIVE])
def test_a_program_that_ends_has_a_proof(tmp_path: Path, text: str) -> None:
    program = ending(tmp_path, text)
    claim = decided(program)
    assert isinstance(claim, Proved), claim.said
    assert isinstance(claim.proof, CutPointProof)
    assert certified(program, claim.proof).accepted


@pytest.mark.parametrize("text", [*ENDLESS, *CALLS_FOR_EVER])
def test_a_program_that_does_not_end_has_a_run(tmp_path: Path, text: str) -> None:
    program = ending(tmp_path, text)
    claim = decided(program)
    assert isinstance(claim, Refuted), claim.said
    assert isinstance(claim.run, EndlessRun)
    assert check_endless(program, claim.run).accepted


def test_what_a_recursive_call_changes_is_not_known_after_it(tmp_path: Path) -> None:
    """The callee may set the counter back: neither global variables nor memory are what they were."""
    for change in ("g = 9;", "*p = 9;"):
        text = f"""int g, *p = &g; void f(unsigned n) {{ if (n) f(n - 1); else {change} }}
int main(void) {{ for (g = 9; g > 0; g--) f(1); return 0; }}"""
        claim = decided(ending(tmp_path, text))
        assert not isinstance(claim, Proved)


def test_without_regions_only_states_that_come_again_are_runs(tmp_path: Path) -> None:
    program = ending(tmp_path, "int main(void) { unsigned n = 2; do n ^= 1; while (n); }")
    [claim] = check(EngineTask(program, ("termination",), TerminationSettings(regions=False)), Run())
    assert isinstance(claim, Refuted) and isinstance(claim.run, EndlessRun)
    program = ending(tmp_path, "int main(void) { unsigned n = 1; while (n) n += 2; }")
    [claim] = check(EngineTask(program, ("termination",), TerminationSettings(regions=False)), Run())
    assert isinstance(claim, Open)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            "int g; int f(int x) { return x > 9 ? (g = x - 1) : (f(x + 2), f(g)); }"
            "int main(void) { return f(__VERIFIER_nondet_int()); }",
            "loop at",
        ),
        ("int main(void) { while (1) malloc(1); }", ""),
        ("int a[4]; int main(void) { unsigned i = 0; while (1) a[i++] = 1; }", "undefined behaviour"),
        ("#include <pthread.h>\nint main(void) { pthread_exit(0); }", "threads"),
    ],
)
def test_what_is_not_covered_stays_open(tmp_path: Path, text: str, reason: str) -> None:
    claim = decided(ending(tmp_path, text))
    assert isinstance(claim, Open)
    assert reason in claim.reason.text
