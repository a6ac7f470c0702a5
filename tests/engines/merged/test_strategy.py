"""Bounded programs are decided with all their paths at once; what is found is a test that really fails."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.engines.board import Holds, Violated
from pincer.engines.merged.strategy import Merged, MergedByWords, MergedToTheEnd
from pincer.engines.portfolio import Allowance, Ended, Going, Idle
from pincer.evidence.c_proof.merged_claim import LoopRounds, MergedProof
from pincer.program.passes import Assertions, MemorySafety, instrumented
from pincer.program.property import SequentialKind
from tests.engines.dash.dash_runs import board_of, loaded

TURN = Allowance(20_000, 400)


def outcome(
    folder: Path, text: str, kind: SequentialKind = "assertions", by_words: bool = False
) -> Holds | Violated | Ended | None:
    """What merged execution alone says within some turns."""
    wanted = Assertions() if kind == "assertions" else MemorySafety()
    strategy = Merged(board_of(instrumented(loaded(folder, text), wanted), kind), by_words)
    for _ in range(10):
        said = strategy.step(TURN)
        if not isinstance(said, Going):
            return said
    return None


HOLDING = {
    "a scan over symbolic bytes": """
        int main(void) {
            char s[7]; int i = 0, digits = 0;
            for (int k = 0; k < 6; k++) s[k] = __VERIFIER_nondet_uchar();
            s[6] = 0;
            while (s[i]) {
                if (s[i] >= '0' && s[i] <= '9') digits++; else if (s[i] == '\\\\') i++;
                if (!s[i]) break;
                i++;
            }
            assert(digits <= 6 && i <= 6);
        }""",
    "early exits from nested loops": """
        int find(unsigned char *a, unsigned char x) {
            for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++) if (a[3 * i + j] == x) return 3 * i + j;
            return -1;
        }
        int main(void) {
            unsigned char a[9], x = __VERIFIER_nondet_uchar();
            for (int i = 0; i < 9; i++) a[i] = __VERIFIER_nondet_uchar();
            int k = find(a, x);
            assert(k == -1 || a[k] == x);
        }""",
    "recursion": """
        unsigned gcd(unsigned a, unsigned b) { return b ? gcd(b, a % b) : a; }
        int main(void) {
            unsigned a = __VERIFIER_nondet_uchar() & 7, b = __VERIFIER_nondet_uchar() & 7;
            if (!a || !b) return 0;
            unsigned g = gcd(a, b);
            assert(g >= 1 && a % g == 0 && b % g == 0);
        }""",
    "a switch in a loop with goto": """
        int main(void) {
            int state = 0;
            for (int i = 0; i < 6; i++) {
                unsigned char c = __VERIFIER_nondet_uchar();
                switch (state) {
                    case 0: if (c == 'a') state = 1; break;
                    case 1: if (c == 'b') state = 2; else goto wrong; break;
                    default: if (c) state = 0;
                }
            }
            assert(state >= 0 && state <= 2);
            return 0;
        wrong: assert(state == 1);
        }""",
    "allocations under conditions": """
        struct node { struct node *next; int value; };
        int main(void) {
            struct node *list = 0; int sum = 0, want = 0;
            for (int i = 0; i < 4; i++) {
                unsigned char c = __VERIFIER_nondet_uchar();
                if (c & 1) {
                    struct node *x = malloc(sizeof *x);
                    if (!x) return 0;
                    x->next = list; x->value = i; list = x; want += i;
                }
            }
            for (struct node *p = list; p; p = p->next) sum += p->value;
            assert(sum == want);
            while (list) { struct node *x = list->next; free(list); list = x; }
        }""",
    "function pointers and pointers with several targets": """
        int one(int x) { return x + 1; }
        int two(int x) { return x + 2; }
        int main(void) {
            int a = 3, b = 4;
            _Bool c = __VERIFIER_nondet_bool();
            int *p = c ? &a : &b;
            int (*f)(int) = c ? one : two;
            *p = f(*p);
            assert(c ? a == 4 && b == 4 : a == 3 && b == 6);
        }""",
    "an index that is an input": """
        int main(void) {
            int a[20];
            for (int i = 0; i < 20; i++) a[i] = i * i;
            unsigned k = __VERIFIER_nondet_uint(), m = __VERIFIER_nondet_uint();
            if (k >= 20 || m >= 20) return 0;
            a[m] = 7;
            assert(a[k] == (int)(k * k) || (k == m && a[k] == 7));
        }""",
    "an index that is computed from several inputs": """
        int main(void) {
            unsigned char t[16];
            for (int i = 0; i < 16; i++) t[i] = 15 - i;
            unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint();
            unsigned k = (x ^ y) & 15;
            t[k] = 3;
            assert(t[(x ^ y) & 15] == 3);
        }""",
    "a copy of some length": """
        #include <string.h>
        int main(void) {
            char a[6] = "hello", b[6] = "";
            unsigned n = __VERIFIER_nondet_uchar();
            if (n > 5) return 0;
            memcpy(b, a, n);
            b[n] = 0;
            assert(strlen(b) == n && strncmp(a, b, n) == 0);
        }""",
    "bytes of a word": """
        int main(void) {
            unsigned x = __VERIFIER_nondet_uint();
            unsigned char *p = (unsigned char *)&x;
            unsigned y = p[0] | p[1] << 8 | p[2] << 16 | (unsigned)p[3] << 24;
            if (x & 1) p[0] = 0;
            assert(y == x || (y & 1));
        }""",
    "relations between inputs close a loop": """
        int main(void) {
            unsigned n = __VERIFIER_nondet_uchar(), m = __VERIFIER_nondet_uchar(), k = 0;
            if (n > 5 || m > n) return 0;
            while (k < n + m) k++;
            assert(k <= 10);
        }""",
}


@pytest.mark.parametrize("by_words", [False, True])
@pytest.mark.parametrize("name", HOLDING)
def test_bounded_programs_are_proved(tmp_path: Path, name: str, by_words: bool) -> None:
    said = outcome(tmp_path, HOLDING[name], by_words=by_words)
    assert isinstance(said, Holds), said
    assert said.check == "merged"


@pytest.mark.parametrize("name", HOLDING)
def test_their_memory_is_safe(tmp_path: Path, name: str) -> None:
    said = outcome(tmp_path, HOLDING[name], "memory")
    assert isinstance(said, Holds), said


FAILING = {
    "a word that some inputs spell": """
        int main(void) {
            char s[4];
            for (int i = 0; i < 4; i++) s[i] = __VERIFIER_nondet_uchar();
            int n = 0;
            while (n < 4 && s[n] == "abcd"[n]) n++;
            assert(n < 4);
        }""",
    "inputs that are read on some paths only": """
        int main(void) {
            int x = __VERIFIER_nondet_uchar(), y = 0;
            if (x > 100) y = __VERIFIER_nondet_uchar();
            int z = __VERIFIER_nondet_uchar();
            assert(!(x == 120 && y == 33 && z == 44));
        }""",
    "a product": """
        int main(void) {
            unsigned char x = __VERIFIER_nondet_uchar(), y = __VERIFIER_nondet_uchar();
            int sum = 0;
            for (int i = 0; i < 3; i++) if (x >> i & 1) sum += y << i;
            assert(sum != 35);
        }""",
}


@pytest.mark.parametrize("by_words", [False, True])
@pytest.mark.parametrize("name", FAILING)
def test_errors_are_found_with_tests_that_fail(tmp_path: Path, name: str, by_words: bool) -> None:
    said = outcome(tmp_path, FAILING[name], by_words=by_words)
    assert isinstance(said, Violated), said


def test_an_access_outside_of_an_array_is_found(tmp_path: Path) -> None:
    text = """
        int main(void) {
            char s[4];
            for (int i = 0; i < 4; i++) s[i] = __VERIFIER_nondet_uchar();
            int i = 0;
            while (s[i] == 'x') i++;
        }"""
    said = outcome(tmp_path, text, "memory")
    assert isinstance(said, Violated), said
    assert "invalid access" in said.test.failure.message


def test_undefined_behaviour_is_no_proof_of_assertions(tmp_path: Path) -> None:
    text = """
        int main(void) {
            int a[2] = {1, 1};
            unsigned k = __VERIFIER_nondet_uchar();
            assert(a[k & 3] == 1);
        }"""
    said = outcome(tmp_path, text)
    assert isinstance(said, Ended)
    assert "invalid access" in said.reason


def test_a_loop_without_a_bound_is_never_closed(tmp_path: Path) -> None:
    text = """
        int main(void) {
            unsigned x = 0;
            while (__VERIFIER_nondet_bool()) x += 2;
            assert(x % 2 == 0);
        }"""
    said = outcome(tmp_path, text)
    assert not isinstance(said, Holds | Violated)


def test_the_proof_says_how_often_loops_are_entered_again(tmp_path: Path) -> None:
    text = """
        int main(void) {
            int n = __VERIFIER_nondet_uchar() & 3, i = 0;
            while (i < n) i++;
            assert(i == n);
        }"""
    said = outcome(tmp_path, text)
    assert isinstance(said, Holds)
    assert isinstance(said.execution, MergedProof)
    [loop] = said.execution.rounds
    assert isinstance(loop, LoopRounds)
    assert (loop.procedure, loop.rounds) == ("main", 3)


def test_executions_that_an_assumption_ends_are_left_out_and_the_others_are_not(tmp_path: Path) -> None:
    text = """
        int main(void) {
            unsigned char x = __VERIFIER_nondet_uchar(), y = __VERIFIER_nondet_uchar();
            __VERIFIER_assume(x < 10);
            __VERIFIER_assume(y < x);
            assert(%s);
        }"""
    assert isinstance(outcome(tmp_path, text % "y < 9"), Holds)
    assert isinstance(outcome(tmp_path, text % "y < 8"), Violated)


def test_what_is_not_modelled_is_no_proof(tmp_path: Path) -> None:
    text = """
        int main(void) {
            int *p = (int *)(long)__VERIFIER_nondet_int();
            if (__VERIFIER_nondet_bool()) return 0;
            *p = 3;
            assert(*p == 3);
        }"""
    assert not isinstance(outcome(tmp_path, text, "memory"), Holds)


def test_it_goes_on_to_the_end_while_loops_are_over_the_input(tmp_path: Path) -> None:
    text = "int main(void) { unsigned n = 0; while (__VERIFIER_nondet_int()) n++; assert(n != 100000); }"
    merged = Merged(board_of(instrumented(loaded(tmp_path, text), Assertions()), "assertions"))
    going_on = MergedToTheEnd(merged)
    assert isinstance(going_on.step(Allowance(1, 10)), Going)
    while merged.has_good_prospects:
        merged.step(Allowance(10, 10))
    assert isinstance(going_on.step(TURN), Idle)
    assert isinstance(merged.step(Allowance(10, 10)), Going)


SORTED = """
    int main(void) {
        int a[4];
        for (int i = 0; i < 4; i++) a[i] = __VERIFIER_nondet_int();
        for (int i = 1; i < 4; i++)
            for (int k = i; k > 0 && a[k - 1] > a[k]; k--) { int kept = a[k]; a[k] = a[k - 1]; a[k - 1] = kept; }
        for (int i = 1; i < 4; i++) assert(a[i - 1] <= a[i]);
    }"""


def test_by_words_is_for_relations_between_inputs(tmp_path: Path) -> None:
    followed = "int main(void) { unsigned char c = __VERIFIER_nondet_uchar(); assert(c < 10 || c > 8); }"
    for text, has_a_turn in ((SORTED, True), (followed, False)):
        board = board_of(instrumented(loaded(tmp_path, text), Assertions()), "assertions")
        merged = Merged(board)
        by_words = MergedByWords(board, merged)
        assert isinstance(by_words.step(TURN), Idle)
        merged.step(Allowance(400, 10))
        said = by_words.step(TURN)
        assert isinstance(said, Holds) if has_a_turn else isinstance(said, Idle)
        if isinstance(said, Holds):
            assert isinstance(said.execution, MergedProof)
            assert said.execution.by_words
