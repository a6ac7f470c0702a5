"""The checker of merged executions executes the program by itself, and refuses what is not as claimed."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.evidence.c_proof.merged_claim import LoopRounds, MergedProof
from pincer.frontends.c.load import load
from pincer.program.property import SequentialKind
from tests.evidence.c_proof.merged_claims import judged, judged_text, plenty
from tests.evidence.c_proof.test_paths import GUARDED, HARMFUL, HARMLESS, HEADER, INDEXED

BYTES = (
    HEADER
    + """
#include <string.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);
"""
)

RIGHT = {
    "a scan that stops early": """
        int main(void) {
            char s[4]; int i = 0;
            for (int k = 0; k < 3; k++) s[k] = __VERIFIER_nondet_uchar();
            s[3] = 0;
            while (s[i] && s[i] != ',') { if (s[i] == ';') break; i++; }
            if (i > 3) reach_error();
            if (s[i] != 0 && s[i] != ',' && s[i] != ';') reach_error();
        }""",
    "a digit for each place": """
        int main(void) {
            unsigned char a = __VERIFIER_nondet_uchar(), b = __VERIFIER_nondet_uchar();
            if (a < '0' || a > '9' || b < '0' || b > '9') return 0;
            int v = (a - '0') * 10 + (b - '0');
            if (v < 0 || v > 99) reach_error();
        }""",
    "a table at a symbolic index": """
        static const unsigned char next[256] = {['a'] = 1, ['b'] = 2};
        int main(void) {
            unsigned char a = __VERIFIER_nondet_uchar();
            if (next[a] == 2 && a != 'b') reach_error();
        }""",
    "a pointer into one of two objects": """
        int main(void) {
            int x = 1, y = 2, a[3] = {5, 6, 7};
            int *p = __VERIFIER_nondet_bool() ? &x : &a[__VERIFIER_nondet_uchar() % 3];
            *p = 9;
            if (y != 2 || (x != 9 && a[0] != 9 && a[1] != 9 && a[2] != 9)) reach_error();
        }""",
    "objects that some paths allocate": """
        int main(void) {
            char *p = 0, *q = 0;
            if (__VERIFIER_nondet_bool()) { p = malloc(2); if (p) { p[0] = 3; p[1] = 4; } }
            q = malloc(1);
            if (q) { *q = 8; if (p && (p[0] != 3 || p == q)) reach_error(); if (*q != 8) reach_error(); }
            free(p); free(q);
        }""",
    "recursion that an input bounds": """
        int down(int n) { return n <= 0 ? 0 : 1 + down(n - 1); }
        int main(void) { int n = __VERIFIER_nondet_uchar() & 7; if (down(n) != n) reach_error(); }""",
    "a call through a pointer": """
        int one(int x) { return x + 1; } int two(int x) { return x + 2; }
        int main(void) {
            int (*f)(int) = __VERIFIER_nondet_bool() ? one : two;
            if (f(3) < 4 || f(3) > 5) reach_error();
        }""",
    "a copy of some bytes": """
        int main(void) {
            char s[4] = "abc", t[4] = "xyz";
            int n = __VERIFIER_nondet_uchar() & 3;
            memcpy(t, s, n);
            for (int i = 0; i < 3; i++) if (t[i] != (i < n ? s[i] : "xyz"[i])) reach_error();
        }""",
    "a fill of some bytes": """
        int main(void) {
            char t[4] = "xyz";
            int n = __VERIFIER_nondet_uchar() % 4;
            memset(t, 0, n);
            if (strlen(t) != (n ? 0 : 3)) reach_error();
        }""",
    "an early return in a nested loop": """
        int find(const char *s, const char *any) {
            for (int i = 0; s[i]; i++) for (int k = 0; any[k]; k++) if (s[i] == any[k]) return i;
            return -1;
        }
        int main(void) {
            char s[3] = {__VERIFIER_nondet_uchar(), __VERIFIER_nondet_uchar(), 0};
            int at = find(s, "+-");
            if (at >= 0 && s[at] != '+' && s[at] != '-') reach_error();
            if (at > 1) reach_error();
        }""",
    "a goto into the middle of a loop": """
        int main(void) {
            int i = 0;
            if (__VERIFIER_nondet_bool()) goto inside;
            for (i = 1; i < 4; i++) { inside: if (__VERIFIER_nondet_uchar() == 0) break; }
            if (i > 4) reach_error();
        }""",
    "two sorted numbers": """
        int main(void) {
            int a[3];
            for (int i = 0; i < 3; i++) a[i] = __VERIFIER_nondet_int();
            for (int i = 0; i < 3; i++) for (int j = 0; j < 2 - i; j++)
                if (a[j] > a[j + 1]) { int t = a[j]; a[j] = a[j + 1]; a[j + 1] = t; }
            if (a[0] > a[1] || a[1] > a[2]) reach_error();
        }""",
    "a number stored and read in parts": """
        int main(void) {
            unsigned x = __VERIFIER_nondet_int(); unsigned char *p = (unsigned char *)&x;
            if ((p[0] | p[1] << 8 | p[2] << 16 | (unsigned)p[3] << 24) != x) reach_error();
        }""",
}


@pytest.mark.parametrize("kind", ["assertions", "memory"])
@pytest.mark.parametrize("name", RIGHT)
def test_a_correct_program_is_accepted(tmp_path: Path, name: str, kind: SequentialKind) -> None:
    checked = judged_text(tmp_path, BYTES + RIGHT[name], kind)
    assert checked.accepted, checked.refused


@pytest.mark.parametrize("kind", ["assertions", "memory"])
@pytest.mark.parametrize("text", [*HARMLESS.values(), INDEXED, GUARDED])
@pytest.mark.parametrize("model", ["LP64", "ILP32"])
def test_what_paths_show_merging_shows(tmp_path: Path, text: str, kind: SequentialKind, model: str) -> None:
    checked = judged_text(tmp_path, HEADER + text, kind, model=model)
    assert checked.accepted, checked.refused


@pytest.mark.parametrize("name", HARMFUL)
def test_a_harmful_program_is_refused_whatever_the_proof_claims(tmp_path: Path, name: str) -> None:
    kind, text, message = HARMFUL[name]
    checked = judged_text(tmp_path, HEADER + text, kind, rounds=1_000)
    assert not checked.accepted and message in checked.refused[0]


WRONG: dict[str, tuple[SequentialKind, str, str]] = {
    "one byte too far": (
        "memory",
        """int main(void) {
            char s[3] = {__VERIFIER_nondet_uchar(), __VERIFIER_nondet_uchar(), __VERIFIER_nondet_uchar()};
            int i = 0; while (s[i] != 'x') { i++; if (i == 3 && s[0] != 'q') break; }
        }""",
        "go wrong"),
    "a table that is one short": (
        "memory", "char t[255]; int main(void) { return t[__VERIFIER_nondet_uchar()]; }", "go wrong"),
    "a double free on some paths": (
        "memory",
        """int main(void) {
            char *p = malloc(2); unsigned char a = __VERIFIER_nondet_uchar();
            if (!p) return 0; if (a == 'y') free(p); if (a != 'n') free(p);
        }""",
        "go wrong"),
    "one of many ways": (
        "assertions",
        """int main(void) {
            int k = 0; for (int i = 0; i < 3; i++) { if (__VERIFIER_nondet_uchar() == "abc"[i]) k++; }
            if (k == 3) reach_error();
        }""",
        "may be reached"),
    "two bytes that are the same": (
        "assertions",
        "int main(void) { if (__VERIFIER_nondet_uchar() == __VERIFIER_nondet_uchar()) reach_error(); }",
        "may be reached"),
    "a write outside that a solver must find": (
        "memory",
        """int a[4]; int main(void) {
            unsigned char x = __VERIFIER_nondet_uchar(), y = __VERIFIER_nondet_uchar();
            if (x > 2 || y > 2) return 0; a[x * x] = y; }""",
        "go wrong"),
    "a copy that is too long": (
        "memory",
        "int main(void) { char t[4], s[8] = {0}; memcpy(t, s, __VERIFIER_nondet_uchar() % 6); return t[0]; }",
        "go wrong"),
    "undefined contents that two paths leave": (
        "assertions",
        """int main(void) { int x; if (__VERIFIER_nondet_bool()) x = 1; if (x == 7) reach_error(); }""",
        "may be reached"),
    "the contents of another round": (
        "assertions",
        "int main(void) { for (int i = 0; i < 2; i++) { char t[2]; if (i && t[0] == 5) reach_error(); t[0] = 4; } }",
        "may be reached"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_what_goes_wrong_for_some_input_is_refused(tmp_path: Path, name: str) -> None:
    kind, text, message = WRONG[name]
    checked = judged_text(tmp_path, BYTES + text, kind, rounds=300)
    assert not checked.accepted and message in checked.refused[0]


COUNTED = (
    BYTES
    + """
int down(int n) { return n <= 0 ? 0 : 1 + down(n - 1); }
int main(void) {
    int n = __VERIFIER_nondet_uchar() & 3, k = 0;
    while (k < n) k++;
    if (down(n) != k) reach_error();
}
"""
)


def test_rounds_and_depth_must_suffice(tmp_path: Path) -> None:
    file = tmp_path / "program.c"
    file.write_text(COUNTED)
    program = load(file)
    [head] = program.procedures["main"].loop_heads

    def said(rounds: int, depth: int) -> str:
        checked = judged(program, "assertions", MergedProof((LoopRounds("main", head, rounds),), depth))
        return "" if checked.accepted else checked.refused[0]

    assert said(3, 4) == ""
    assert "goes round more often than the 2 times" in said(2, 4)
    assert "calls go deeper than the 3" in said(3, 3)
    assert "goes round more often than the 0 times" in said(0, 4)


def test_a_claim_about_another_program_is_refused(tmp_path: Path) -> None:
    (tmp_path / "other.c").write_text(COUNTED.replace("& 3", "& 7"))
    (tmp_path / "program.c").write_text(COUNTED)
    claim = plenty(load(tmp_path / "program.c"), 3, 4)
    assert judged(load(tmp_path / "program.c"), "assertions", claim).accepted
    assert not judged(load(tmp_path / "other.c"), "assertions", claim).accepted


def test_an_endless_loop_is_refused(tmp_path: Path) -> None:
    checked = judged_text(tmp_path, BYTES + "int main(void) { while (__VERIFIER_nondet_bool()) ; }", rounds=50)
    assert not checked.accepted and "more often than the 50 times" in checked.refused[0]


def test_no_time_is_a_reason_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "program.c").write_text(COUNTED)
    program = load(tmp_path / "program.c")
    checked = judged(program, "assertions", plenty(program, 9, 9), seconds=0.0)
    assert not checked.accepted and "time limit" in checked.refused[0]


def test_a_block_whose_size_is_a_number_or_depends_on_inputs_is_written_in_both_cases(tmp_path: Path) -> None:
    text = """
        int main(void) {
            unsigned char a = __VERIFIER_nondet_uchar(), b = __VERIFIER_nondet_uchar(), c = __VERIFIER_nondet_uchar();
            unsigned char p[100];
            memset(p, 0, 100);
            unsigned long n = (c & 1) ? 100 : (a + b) & 7;
            memset(p, 7, n);
            if (p[50] == 7) reach_error();
        }"""
    assert not judged_text(tmp_path, BYTES + text).accepted


CHECKSUM = """
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);
unsigned char by_bit(const unsigned char *in) {
    unsigned char sum = 255;
    for (int i = 0; i < 3; i++) {
        sum ^= in[i];
        for (int k = 0; k < 8; k++) sum = sum & 128 ? sum << 1 ^ 7 : sum << 1;
    }
    return sum;
}
unsigned char by_table(const unsigned char *in) {
    static const unsigned char table[] = {0, 7, 14, 9, 28, 27, 18, 21, 56, 63, 54, 49, 36, 35, 42, 45};
    unsigned char sum = 255;
    for (int i = 0; i < 3; i++) {
        sum = (unsigned char)(sum << 4 ^ table[sum >> 4 ^ in[i] >> 4]);
        sum = (unsigned char)(sum << 4 ^ table[(sum >> 4 ^ in[i]) & 15]);
    }
    return sum;
}
int main(void) {
    unsigned char in[3];
    for (int i = 0; i < 3; i++) in[i] = __VERIFIER_nondet_uchar();
    if (by_bit(in) != by_table(in)) reach_error();
}
"""


def test_checksums_are_equal_without_a_solver(tmp_path: Path) -> None:
    for text, expected in ((CHECKSUM, True), (CHECKSUM.replace("42, 45}", "42, 44}"), False)):
        (tmp_path / "program.c").write_text(text)
        program = load(tmp_path / "program.c")
        checked = judged(program, "assertions", plenty(program, 20, 10, by_words=True))
        assert checked.accepted == expected
        assert not (expected and checked.solver_calls)


SORTED = """
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int a[4];
    for (int i = 0; i < 4; i++) a[i] = __VERIFIER_nondet_int();
    for (int i = 1; i < 4; i++)
        for (int k = i; k > 0 && a[k - 1] > a[k]; k--) { int kept = a[k]; a[k] = a[k - 1]; a[k - 1] = kept; }
    for (int i = 1; i < 4; i++) if (a[i - 1] > a[i]) reach_error();
}
"""


def test_words_need_not_be_looked_into(tmp_path: Path) -> None:
    for text, expected in ((SORTED, True), (SORTED.replace("> a[k];", "> a[k] + 1;"), False)):
        (tmp_path / "program.c").write_text(text)
        program = load(tmp_path / "program.c")
        assert judged(program, "assertions", plenty(program, 20, 10, by_words=True)).accepted == expected
