"""Whole programs: proofs are found and accepted, and there is none where something can go wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.engines.board import Holds
from pincer.engines.portfolio import Ended
from tests.engines.cutpoints.cut_runs import FILL, is_proved, tried

SKIP = """
static unsigned skip(const char *p, unsigned n) { unsigned i = 0; while (%s) i++; return i; }
int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n == 0 || n > 1000) return 0;
    char *a = malloc(n);
    if (!a) return 0;
    for (unsigned i = 0; i < n; i++) a[i] = __VERIFIER_nondet_uchar();
    skip(a, n);
    free(a);
}"""


def test_accesses_of_a_buffer_of_any_length_are_proved(tmp_path: Path) -> None:
    assert is_proved(tmp_path, SKIP % "i < n && p[i] == ' '")


@pytest.mark.parametrize("condition", ["p[i] == ' ' && i < n", "i <= n && p[i] == ' '"])
def test_an_access_behind_the_end_is_not_proved(tmp_path: Path, condition: str) -> None:
    assert isinstance(tried(tmp_path, SKIP % condition), Ended)


def test_what_a_loop_puts_into_cells_is_proved(tmp_path: Path) -> None:
    assert is_proved(tmp_path, FILL, "assertions")


def test_wrong_contents_are_not_proved(tmp_path: Path) -> None:
    assert isinstance(tried(tmp_path, FILL.replace("a[k] == 7", "a[k] == 8"), "assertions"), Ended)


def test_pointers_that_move_through_a_buffer_are_followed(tmp_path: Path) -> None:
    text = """
int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n > 1000) return 0;
    unsigned char *p = malloc(n + 1);
    if (!p) return 0;
    while (n > 0) { *p++ = 0; n--; }
    *p = 0;
}"""
    assert is_proved(tmp_path, text)
    assert isinstance(tried(tmp_path, text.replace("malloc(n + 1)", "malloc(n)")), Ended)


def test_cells_of_several_bytes_are_walked_up_to_a_pointer_behind_the_last(tmp_path: Path) -> None:
    text = """
static int sum(const int *a, int n) { int s = 0; for (const int *p = a, *end = a + n; p < end; p++) s += *p; return s; }
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000) return 0;
    int *a = calloc(n, sizeof *a);
    return a ? sum(a, n) : 0;
}"""
    assert is_proved(tmp_path, text)
    assert isinstance(tried(tmp_path, text.replace("p < end", "p <= end")), Ended)


def test_a_loop_with_which_the_program_begins_has_facts_of_its_own(tmp_path: Path) -> None:
    text = """
static int buf[16]; static unsigned r, w;
int main(void) {
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) { if (w - r < 16) { buf[w % 16] = 1; w++; } }
        else if (r != w) r++;
        assert(w - r <= 16);
    }
}"""
    assert is_proved(tmp_path, text, "assertions")
    assert isinstance(tried(tmp_path, text.replace("r != w", "r != w + 1"), "assertions"), Ended)


def test_programs_without_loops_or_with_recursion_are_left_to_others(tmp_path: Path) -> None:
    assert isinstance(tried(tmp_path, "int main(void) { return 0; }"), Ended)
    recursive = "int f(int n) { return n ? f(n - 1) : 0; } int main(void) { for (int i = 0; i < 9; i++) f(i); }"
    assert isinstance(tried(tmp_path, recursive), Ended)


def test_what_is_not_modelled_on_the_way_is_no_proof(tmp_path: Path) -> None:
    text = FILL.replace("unsigned k", 'int x; if (n == 3) __asm__("cpuid" : "=a"(x)); unsigned k')
    assert not isinstance(tried(tmp_path, text), Holds)
