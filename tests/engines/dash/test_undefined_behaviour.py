"""A path that ends in undefined behaviour is no argument that assertions hold, and `memory` reports it."""

from __future__ import annotations

from pathlib import Path

import pytest
from dash_runs import decided, loaded, proved, verdict

UNDEFINED = {
    "null": "int main(void) { int *p = 0; *p = 1; reach_error(); }",
    "division of constants": "int main(void) { int z = 0; int y = 10 / z; if (y != 3) reach_error(); }",
    "division": """
        int main(void) {
            int x = __VERIFIER_nondet_int();
            int z = x - x;
            if (10 / z != 100) reach_error();
        }""",
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
    assert verdict(tmp_path, UNDEFINED[name], seconds=10) == "unknown"


@pytest.mark.parametrize("name", UNDEFINED)
def test_memory_is_violated_there(tmp_path: Path, name: str) -> None:
    result = decided(loaded(tmp_path, UNDEFINED[name]), "memory", 15)
    assert result.verdict == "unsafe", result.reason


def test_the_report_says_that_a_test_ended_in_undefined_behaviour(tmp_path: Path) -> None:
    result = decided(loaded(tmp_path, UNDEFINED["null"]))
    (remark,) = [warning for warning in result.warnings if "undefined behaviour" in warning]
    assert "invalid access to *p" in remark and "(property memory)" in remark
    assert "only undefined behaviour" in result.reason


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
    ],
)
def test_memory_is_proved_where_accesses_are_guarded(tmp_path: Path, text: str) -> None:
    proved(tmp_path, text, "memory")
