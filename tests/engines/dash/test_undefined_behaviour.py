"""A path that ends in undefined behaviour is no argument that assertions hold, and `memory` reports it."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.engines.sequential import EVERYTHING
from tests.engines.claims import reason_of
from tests.engines.dash.dash_runs import SHORTLY, decided, loaded, proved, verdict

UNDEFINED = {
    "null": "int main(void) { int *p = 0; *p = 1; reach_error(); }",
    "division of constants": "int main(void) { int z = 0; int y = 10 / z; if (y != 3) reach_error(); }",
    "division": """
        int main(void) {
            int x = __VERIFIER_nondet_int();
            int z = x - x;
            if (10 / z != 100) reach_error();
        }""",
    "shift by too much": """
        int main(void) {
            int n = __VERIFIER_nondet_int();
            if (n <= 0 || n > 40) return 0;
            if (1 << n == 1) reach_error();
        }""",
    "copy that overlaps for one input": """
        int main(void) {
            char a[8] = "abcdefg";
            unsigned n = __VERIFIER_nondet_uint();
            if (n == 1234567 && memcpy(a + n - 1234566, a, 2) != a + 1) reach_error();
        }""",
    "shift by a negative amount": """
        int main(void) { int n = __VERIFIER_nondet_int(); if (n == -1 && -8 >> n != -1) reach_error(); }""",
    "shift by an amount with high bits only": """
        int main(void) { long n = 1L << 40; unsigned u = 1; u <<= n; if (u != 1) reach_error(); }""",
    "copy onto a part of itself": """
        int main(void) { char a[8] = "abcdefg"; memcpy(a + 1, a, 4); if (a[2] != 'b') reach_error(); }""",
    "copy of an unknown part onto itself": """
        int main(void) {
            char a[8] = "abcdefg";
            unsigned n = __VERIFIER_nondet_uint();
            if (n > 7) return 0;
            memcpy(a + 1, a, n);
            if (n == 2 && a[2] != 'b') reach_error();
        }""",
    "string onto a part of itself": """
        int main(void) { char a[4] = "abc"; strcpy(a + 1, a); if (a[3] != 'c') reach_error(); }""",
    "index": """
        int main(void) {
            int x = __VERIFIER_nondet_int(), a[4];
            if (x >= 4) a[x] = 1;
            assert(x < 4);
        }""",
    "index of a single element": """
        int main(void) {
            int x = __VERIFIER_nondet_int(), a[1];
            a[x] = 1;
            assert(x == 0);
        }""",
    "read of a freed object": """
        int main(void) {
            int *p = malloc(4);
            *p = 1;
            free(p);
            int y = *p;
            if (y != 1) return 0;
            reach_error();
        }""",
    "in a callee": """
        void write(int *p) { *p = 1; }
        int main(void) { write(0); reach_error(); }""",
    "in a loop": """
        int a[3];
        int main(void) { int i; for (i = 0; i < 5; i++) a[i] = 1; reach_error(); }""",
}


@pytest.mark.parametrize("name", UNDEFINED)
def test_assertions_do_not_hold_because_undefined_behaviour_comes_first(tmp_path: Path, name: str) -> None:
    assert verdict(tmp_path, UNDEFINED[name], choice=SHORTLY) == "unknown"


@pytest.mark.parametrize("name", UNDEFINED)
def test_memory_is_violated_there(tmp_path: Path, name: str) -> None:
    result = decided(loaded(tmp_path, UNDEFINED[name]), "memory")
    assert result.verdict == "unsafe", reason_of(result)


def test_the_report_says_that_a_test_ended_in_undefined_behaviour(tmp_path: Path) -> None:
    result = decided(loaded(tmp_path, UNDEFINED["null"]))
    (remark,) = [warning for warning in result.warnings if "undefined behaviour" in warning]
    assert "invalid access to *p" in remark and "(property memory)" in remark
    assert "only undefined behaviour" in reason_of(result)


def test_an_error_before_undefined_behaviour_is_found(tmp_path: Path) -> None:
    text = "int main(void) { int x = __VERIFIER_nondet_int(), *p = 0; if (x == 12) reach_error(); *p = 1; }"
    assert verdict(tmp_path, text) == "unsafe"


def test_an_error_beside_undefined_behaviour_is_found(tmp_path: Path) -> None:
    text = """
    int main(void) {
        int x = __VERIFIER_nondet_int(), a[4] = {0};
        if (x < 0 || x > 5) return 0;
        a[x] = 1;
        assert(a[3] != 1);
    }"""
    assert verdict(tmp_path, text) == "unsafe"


def test_assertions_that_do_not_depend_on_undefined_behaviour_are_proved(tmp_path: Path) -> None:
    text = """
    int main(void) {
        int x = __VERIFIER_nondet_int(), a[4] = {0}, sign = 0;
        if (x >= 0 && x < 4) { a[x] = 1; sign = 1; }
        assert(sign == 0 || x >= 0);
    }"""
    proved(tmp_path, text)


@pytest.mark.parametrize(
    "text",
    [
        "int main(void) { int x = __VERIFIER_nondet_int(), a[4]; if (x >= 0 && x < 4) a[x] = 1; }",
        "int main(void) { int x = __VERIFIER_nondet_int(); if (x != 0) x = 10 % x; }",
        "int main(void) { int *p = malloc(8); if (p) { p[1] = 1; free(p); } }",
        "int main(void) { int n = __VERIFIER_nondet_int(); if (n >= 0 && n < 32) n = 1 << n; }",
        "int main(void) { char a[8] = {0}; memcpy(a, a + 4, 4); memcpy(a, a, 8); }",
        "int main(void) { char *p = malloc(4), *q = malloc(4); memcpy(q, p, 4); memcpy(p, p + 2, 2); }",
    ],
)
def test_memory_is_proved_where_accesses_are_guarded(tmp_path: Path, text: str) -> None:
    proved(tmp_path, text, "memory")


def test_strings_that_do_not_overlap_are_copied_within_an_object(tmp_path: Path) -> None:
    text = """
    int main(void) {
        char *p = malloc(6), *q = malloc(4);
        strcpy(p, "abc");
        strcpy(q, p);
        strncpy(p + 4, p, 2);
        strcpy(p, "a");
        strcpy(p + 2, p);
    }"""
    result = decided(loaded(tmp_path, text), "memory", choice=EVERYTHING)
    assert result.verdict == "safe", reason_of(result)
