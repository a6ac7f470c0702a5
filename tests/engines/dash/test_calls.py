"""Calls: what is learnt about a callee is used again, and recursion never makes a proof that is none."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.logic.terms import FALSE
from tests.engines.dash.dash_runs import SHORTLY, decided, finished, judged, loaded, proved, verdict

TWICE = """
int twice(int x) { return x + x; }
int main(void) {
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    int r = twice(a);
    if (__VERIFIER_nondet_bool()) r = twice(b); else r = twice(a);
    assert((r & 1) == 0);
}
"""


def test_a_summary_answers_later_calls(tmp_path: Path) -> None:
    numbers = proved(tmp_path, TWICE).statistics
    assert numbers["summaries_reused"] > 0
    assert numbers["summaries"] == 1


def test_a_summary_says_from_where_its_goal_cannot_be_reached(tmp_path: Path) -> None:
    dash = finished(loaded(tmp_path, TWICE))
    for (procedure, _), abstraction in dash.summaries.items():
        entry = dash.program.procedures[procedure].entry
        assert abstraction.unsafe().get(entry, FALSE) is FALSE


PROVED = {
    "global counter": """
        int g;
        void inc(void) { g = g + 1; }
        int main(void) { g = __VERIFIER_nondet_int(); int old = g; inc(); inc(); assert(g == old + 2); }""",
    "global that the callee leaves alone": """
        int g, h;
        void set(int x) { h = x; }
        int main(void) { g = __VERIFIER_nondet_int(); int old = g; set(3); assert(g == old); }""",
    "pointers to locals of the caller": """
        void set(int *p, int v) { *p = v; }
        int main(void) {
            int a, b, x = __VERIFIER_nondet_int();
            set(&a, x);
            set(&b, x);
            assert(a == b);
        }""",
    "pointers that do not alias": """
        void both(int *p, int *q) { *p = 1; *q = 2; }
        int main(void) { int a, b; both(&a, &b); assert(a == 1); }""",
    "swap": """
        void swap(int *p, int *q) { int t = *p; *p = *q; *q = t; }
        int main(void) {
            int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(), x = a, y = b;
            swap(&a, &b);
            assert(a == y && b == x);
        }""",
    "error in a callee": """
        void f(int x) { if (x == 9) reach_error(); }
        int main(void) { int x = __VERIFIER_nondet_int(); if (x < 9) f(x); if (x < 8) f(x + 1); }""",
    "deep calls": """
        int h(int x) { return x + 1; }
        int g(int x) { return h(x) + 1; }
        int f(int x) { return g(x) + 1; }
        int main(void) { int x = __VERIFIER_nondet_int(); assert(f(x) == x + 3); }""",
    "relation between result and global": """
        int g;
        int next(void) { g++; return g; }
        int main(void) { g = __VERIFIER_nondet_int(); int a = next(); assert(a == g); }""",
    "a local kept across a call": """
        int g;
        void touch(void) { g = __VERIFIER_nondet_int(); }
        int main(void) { int x = __VERIFIER_nondet_int(), y = x; touch(); assert(x == y); }""",
}


@pytest.mark.parametrize("name", PROVED)
def test_properties_of_calls_are_proved(tmp_path: Path, name: str) -> None:
    numbers = proved(tmp_path, PROVED[name]).statistics
    assert numbers["iterations"] <= 60


RECURSIVE = {
    "returns one value": (
        "int f(int n) { if (n <= 0) return 0; return f(n - 1); }",
        "f(__VERIFIER_nondet_int()) == 0",
        True,
    ),
    "identity": ("int f(int n) { if (n <= 0) return 0; return f(n - 1) + 1; }", "f(7) == 7", True),
    "identity, wrong": ("int f(int n) { if (n <= 0) return 0; return f(n - 1) + 1; }", "f(7) == 6", False),
    "never five": (
        "int f(int n) { if (n <= 0) return 0; return f(n - 1) + 1; }",
        "f(__VERIFIER_nondet_int()) != 5",
        False,
    ),
    "mutual": (
        """int odd(int n);
        int even(int n) { if (n == 0) return 1; return odd(n - 1); }
        int odd(int n) { if (n == 0) return 0; return even(n - 1); }""",
        "even(__VERIFIER_nondet_uchar()) <= 1",
        True,
    ),
    "mutual, wrong": (
        """int odd(int n);
        int even(int n) { if (n == 0) return 1; return odd(n - 1); }
        int odd(int n) { if (n == 0) return 0; return even(n - 1); }""",
        "even(__VERIFIER_nondet_uchar()) == 1",
        False,
    ),
    "global depth": ("int d; int f(int n) { d++; if (n > 0) f(n - 1); return d; }", "f(3) == 4", True),
    "global depth, wrong": ("int d; int f(int n) { d++; if (n > 0) f(n - 1); return d; }", "f(3) == 3", False),
    "own locals": (
        "int f(int n) { int mine = n; if (n > 0) f(n - 1); return mine; }",
        "f(__VERIFIER_nondet_uchar() & 3) <= 3",
        True,
    ),
    "own locals, wrong": (
        "int f(int n) { int mine = n; if (n > 0) f(n - 1); return mine; }",
        "f(__VERIFIER_nondet_uchar()) <= 3",
        False,
    ),
    "locals whose address is taken": (
        "int f(int n, int *up) { int here = n; if (n > 0) f(n - 1, &here); *up = n; return here; }",
        "f(0, malloc(4)) == 0",
        True,
    ),
}


@pytest.mark.parametrize("name", RECURSIVE)
def test_recursion_is_decided_rightly_or_not_at_all(tmp_path: Path, name: str) -> None:
    functions, claim, holds = RECURSIVE[name]
    program = loaded(tmp_path, f"{functions} int main(void) {{ assert({claim}); }}")
    result = decided(program, choice=SHORTLY)
    assert result.verdict in ("unknown", "safe" if holds else "unsafe")
    if result.verdict == "safe":
        checked = judged(program, result)
        assert checked.accepted, checked.refused


@pytest.mark.parametrize("name", [name for name, (_, _, holds) in RECURSIVE.items() if not holds])
def test_wrong_claims_about_recursion_are_violated(tmp_path: Path, name: str) -> None:
    functions, claim, _ = RECURSIVE[name]
    assert verdict(tmp_path, f"{functions} int main(void) {{ assert({claim}); }}") == "unsafe"


def test_a_program_that_calls_main_again_is_decided_rightly_or_not_at_all(tmp_path: Path) -> None:
    text = """
    int runs;
    int main(void) {
        int i = 0, first = runs == 0;
        runs++;
        while (i < 5) i++;
        if (first) main();
        assert(runs < 2);
    }"""
    assert verdict(tmp_path, text) == "unsafe"


def test_recursion_without_end_is_no_proof_of_an_error(tmp_path: Path) -> None:
    text = "int f(int n) { return f(n + 1); } int main(void) { f(0); reach_error(); }"
    assert verdict(tmp_path, text, choice=SHORTLY) in ("safe", "unknown")
