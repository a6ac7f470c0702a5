"""Programs whose loops are spread over functions, and what becomes of them when calls are put in place."""

from __future__ import annotations

from pathlib import Path

from pincer.engines.inlining import Inlined, inlined
from pincer.program.control_flow import ControlFlowProgram
from tests.engines.dash.dash_runs import loaded

SAFE = {
    "a counter behind a pointer": """
        static void count(unsigned *c, unsigned n) { for (unsigned i = 0; i < n; i++) ++*c; }
        int main(void) {
            unsigned c = 0, n = __VERIFIER_nondet_uint();
            count(&c, n);
            assert(c == n);
        }""",
    "a structure that a call in a loop updates": """
        struct stats { unsigned seen, odd; };
        static void note(struct stats *s, unsigned v) { s->seen++; if (v % 2) s->odd++; }
        int main(void) {
            struct stats s = {0, 0};
            for (unsigned i = 0; i < 100000; i++) note(&s, __VERIFIER_nondet_uint());
            assert(s.odd <= s.seen);
        }""",
    "one loop after the other, in two functions": """
        static int up(int n) { int i = 0; while (i < n) i++; return i; }
        static int down(int n) { int c = 0; while (n > 0) { n--; c++; } return c; }
        int main(void) {
            int n = __VERIFIER_nondet_int();
            if (n < 0 || n > 1000000) return 0;
            assert(down(up(n)) == n);
        }""",
    "results through pointers": """
        static int divide(unsigned a, unsigned b, unsigned *quotient, unsigned *rest) {
            if (b == 0) return 0;
            *quotient = 0;
            while (a >= b) { a -= b; ++*quotient; }
            *rest = a;
            return 1;
        }
        int main(void) {
            unsigned b = __VERIFIER_nondet_uint(), quotient, rest;
            if (divide(__VERIFIER_nondet_uint(), b, &quotient, &rest)) assert(rest < b);
        }""",
    "functions without variables of their own": """
        static unsigned opened, closed;
        static void start(void) { opened++; }
        static void stop(void) { if (closed < opened) closed++; }
        int main(void) {
            while (__VERIFIER_nondet_bool() && opened < 1000) if (__VERIFIER_nondet_bool()) start(); else stop();
            assert(closed <= opened);
        }""",
    "a function called by a function in a loop": """
        static int bounded(int v, int most) { return v > most ? most : v; }
        static int step(int level) { return bounded(level + 1, 7); }
        int main(void) {
            int level = 0;
            while (__VERIFIER_nondet_bool()) level = step(level);
            assert(level <= 7);
        }""",
}  # fmt: skip


def in_place(folder: Path, text: str) -> tuple[ControlFlowProgram, Inlined]:
    program = loaded(folder, text)
    flat = inlined(program)
    assert flat is not None
    return program, flat
