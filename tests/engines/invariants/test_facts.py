"""Loops are proved by invariants, with effort that does not depend on how often they go round."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.engines.claims import reason_of
from tests.engines.dash.dash_runs import decided, loaded, proved, verdict

MOST_ITERATIONS = 60

CLASSICS = {
    "equal counters": """
        int main(void) {
            unsigned n = __VERIFIER_nondet_uint(), i = 0, j = 0;
            while (i < n) { i++; j++; }
            assert(i == j);
        }""",
    "twice": """
        int main(void) {
            unsigned n = __VERIFIER_nondet_uint(), x = 0, y = 0;
            while (y < n) { y++; x += 2; }
            assert(x == 2 * y);
        }""",
    "up to a bound": """
        int main(void) {
            int n = __VERIFIER_nondet_int(), i = 0;
            __VERIFIER_assume(n >= 0);
            while (i < n) i++;
            assert(i == n);
        }""",
    "parity": "int main(void) { unsigned x = 0; while (__VERIFIER_nondet_bool()) x += 2; assert(x % 2 == 0); }",
    "up and down": """
        int main(void) {
            int n = __VERIFIER_nondet_int(), i = 0, j = 0;
            __VERIFIER_assume(n >= 0 && n < 1000);
            while (i < n) { i++; j++; }
            while (j > 0) { i--; j--; }
            assert(i == 0);
        }""",
    "lock": """
        int main(void) {
            int lock = 0, old, n = __VERIFIER_nondet_int();
            do {
                assert(lock == 0);
                lock = 1;
                old = n;
                if (__VERIFIER_nondet_bool()) { lock = 0; n++; }
            } while (n != old);
            assert(lock == 1);
        }""",
    "bounded sum": """
        int main(void) {
            int s = 0, i = 0;
            while (i < 1000) { s += 3; i++; }
            assert(s == 3000);
        }""",
    "nested": """
        int main(void) {
            int n = __VERIFIER_nondet_int(), i, j;
            __VERIFIER_assume(n > 0 && n < 10000);
            for (i = 0; i < n; i++)
                for (j = 0; j < i; j++)
                    assert(j < n);
            assert(i == n);
        }""",
    "flag": """
        int main(void) {
            int flag = 0, x = 0;
            while (__VERIFIER_nondet_bool()) { if (flag) x = 1; flag = 0; }
            assert(x == 0);
        }""",
}


@pytest.mark.parametrize("name", CLASSICS)
def test_a_classic_is_proved_in_few_iterations(tmp_path: Path, name: str) -> None:
    result = proved(tmp_path, CLASSICS[name])
    assert result.statistics["iterations"] <= MOST_ITERATIONS


@pytest.mark.parametrize("bound", [1_000, 1_000_000])
def test_a_counter_reaches_its_bound_however_large_it_is(tmp_path: Path, bound: int) -> None:
    result = proved(tmp_path, f"int main(void) {{ int i = 0; while (i < {bound}) i++; assert(i == {bound}); }}")
    assert result.statistics["iterations"] <= MOST_ITERATIONS


def test_nested_loops_with_equal_counters_are_proved(tmp_path: Path) -> None:
    text = """
    int main(void) {
        unsigned n = __VERIFIER_nondet_uint(), i = 0, j = 0, k;
        while (i < n) {
            for (k = 0; k < 3; k++) ;
            i++;
            j++;
        }
        assert(i == j);
    }"""
    assert proved(tmp_path, text).statistics["iterations"] <= MOST_ITERATIONS


def test_a_bound_that_rests_on_an_order_is_proved(tmp_path: Path) -> None:
    text = """
    int main(void) {
        int n = __VERIFIER_nondet_int();
        for (int i = 0; i < n; i++)
            for (int j = i; j < n; j++)
                assert(i >= 0 && j >= i && j < n);
    }"""
    assert proved(tmp_path, text).statistics["iterations"] <= MOST_ITERATIONS


def test_a_test_that_runs_for_long_does_not_hold_up_the_proof(tmp_path: Path) -> None:
    text = """
    int main(void) {
        unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint();
        __VERIFIER_assume(x != 0 && y != 0);
        while (x != y) if (x > y) x -= y; else y -= x;
        assert(x != 0);
    }"""
    assert proved(tmp_path, text).statistics["iterations"] <= MOST_ITERATIONS


def test_a_loop_without_end_that_adds_up_inputs_is_proved(tmp_path: Path) -> None:
    text = """
        int main(void) {
            int x = 0, y = 1;
            while (1) { x += 4 * __VERIFIER_nondet_int(); y += 2 * __VERIFIER_nondet_int(); assert(x + y != 0); }
        }"""
    assert proved(tmp_path, text).statistics["iterations"] <= MOST_ITERATIONS


@pytest.mark.parametrize("name", CLASSICS)
def test_a_classic_with_the_opposite_claim_is_not_proved(tmp_path: Path, name: str) -> None:
    before, _, rest = CLASSICS[name].rpartition("assert(")
    claim, _, after = rest.partition(");")
    result = decided(loaded(tmp_path, f"{before}assert(!({claim}));{after}"))
    assert result.verdict == "unsafe", reason_of(result)


def test_a_claim_that_fails_after_some_rounds_only_is_violated(tmp_path: Path) -> None:
    text = "int main(void) { unsigned n = __VERIFIER_nondet_uint(), i = 0; while (i < n) i++; assert(i < 4); }"
    assert verdict(tmp_path, text) == "unsafe"


def test_a_loop_without_end_makes_what_follows_unreachable(tmp_path: Path) -> None:
    proved(tmp_path, "int main(void) { int x = 1; while (x) ; reach_error(); }")


IN_MEMORY = {
    "any element of an array that a loop has filled": """
        int main(void) {
            int values[500], k = __VERIFIER_nondet_int();
            __VERIFIER_assume(0 <= k && k < 500);
            for (int i = 0; i < 500; i++) values[i] = 4;
            assert(values[k] == 4);
        }""",
    "the same, filled from its end": """
        int main(void) {
            int values[500], k = __VERIFIER_nondet_int();
            __VERIFIER_assume(0 <= k && k < 500);
            for (int i = 500; i > 0; i--) values[i - 1] = 4;
            assert(values[k] == 4);
        }""",
    "a pointer that goes round": """
        struct node { struct node *next; unsigned worth; };
        int main(void) {
            struct node a, b;
            a.next = &b; b.next = &a;
            a.worth = b.worth = 1;
            unsigned steps = __VERIFIER_nondet_uint(), sum = 0;
            struct node *at = &a;
            for (unsigned i = 0; i < steps; i++) { sum += at->worth; at = at->next; }
            assert(sum == steps);
        }""",
    "a search that a stored end stops": """
        int main(void) {
            char text[64];
            unsigned end = __VERIFIER_nondet_uint(), n = 0;
            __VERIFIER_assume(end < 64);
            text[end] = 0;
            while (text[n]) n++;
            assert(n <= end);
        }""",
}


@pytest.mark.parametrize("name", IN_MEMORY)
def test_what_a_loop_does_to_memory_or_finds_there_is_proved(tmp_path: Path, name: str) -> None:
    assert proved(tmp_path, IN_MEMORY[name]).statistics["loop_facts"]


def test_the_element_that_a_loop_leaves_out_is_found(tmp_path: Path) -> None:
    text = IN_MEMORY["the same, filled from its end"].replace("i > 0", "i > 1")
    assert verdict(tmp_path, text) == "unsafe"
