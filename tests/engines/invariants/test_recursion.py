"""Recursive functions of unbounded depth are proved by summaries that hold of every call."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.engines.dash.dash_runs import SHORTLY, decided, loaded, proved, verdict

PROVED = {
    "a counter": """
        unsigned count(unsigned n) { if (n == 0) return 0; return count(n - 1) + 1; }
        int main(void) { unsigned n = __VERIFIER_nondet_uint(); assert(count(n) == n); }""",
    "mutual recursion": """
        int odd(unsigned n);
        int even(unsigned n) { return n == 0 ? 1 : odd(n - 1); }
        int odd(unsigned n) { return n == 0 ? 0 : even(n - 1); }
        int main(void) { unsigned n = __VERIFIER_nondet_uint(); assert(even(n) == (n % 2 == 0)); }""",
    "nested recursion": """
        int ninety_one(int n) { return n > 100 ? n - 10 : ninety_one(ninety_one(n + 11)); }
        int main(void) { int n = __VERIFIER_nondet_int(); if (n <= 101) assert(ninety_one(n) == 91); }""",
    "two arguments": """
        unsigned add(unsigned a, unsigned b) { return b == 0 ? a : add(a + 1, b - 1); }
        int main(void) {
            unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint();
            assert(add(x, y) == x + y);
        }""",
    "a sum that stays in range because of what the caller knows": """
        int sum(int n) { return n <= 0 ? 0 : n + sum(n - 1); }
        int main(void) { int n = __VERIFIER_nondet_int(); if (n <= 10000) assert(sum(n) >= n); }""",
    "a summary used twice": """
        unsigned twice(unsigned n) { return n == 0 ? 0 : twice(n - 1) + 2; }
        int main(void) { unsigned n = __VERIFIER_nondet_uint(); assert(twice(n) + twice(n) == 4 * n); }""",
}


@pytest.mark.parametrize("name", PROVED)
def test_a_recursive_function_is_proved(tmp_path: Path, name: str) -> None:
    proved(tmp_path, PROVED[name])


BROKEN = {
    "a sum that stays in range because of what the caller knows": ("n <= 10000", "n <= 100000"),
    "a counter": ("+ 1; }", "+ (n == 1000 ? 2 : 1); }"),
    "mutual recursion": ("return n == 0 ? 0", "return n == 0 ? n == 0"),
    "nested recursion": ("n - 10", "n - (n == 107 ? 9 : 10)"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_function_with_a_slip_is_not_proved(tmp_path: Path, name: str) -> None:
    text = PROVED[name].replace(*BROKEN[name])
    assert text != PROVED[name]
    assert verdict(tmp_path, text, choice=SHORTLY) in ("unsafe", "unknown")


def test_a_function_that_writes_memory_has_no_summary(tmp_path: Path) -> None:
    text = """
    int depth;
    int *where = &depth;
    unsigned count(unsigned n) { ++*where; return n == 0 ? 0 : count(n - 1) + 1; }
    int main(void) { unsigned n = __VERIFIER_nondet_uint(); assert(count(n) == n); }"""
    assert decided(loaded(tmp_path, text), choice=SHORTLY).verdict == "unknown"
