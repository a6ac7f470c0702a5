"""Calls put in place: what the new program does, what can be proved of it, and what its proofs say when read back."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pincer.analysis.constants import nothing_known
from pincer.engines.dash.inlined_proof import read_back
from pincer.engines.dash.inlining import Inlined, inlined
from pincer.engines.dash.limits import LIMITS
from pincer.engines.dash.proof import procedure_proofs
from pincer.engines.sequential import EVERYTHING
from pincer.evidence.c_proof.certificate import ProcedureProof
from pincer.evidence.c_proof.checker import check_proof
from pincer.execution import testing
from pincer.execution.machine import World
from pincer.logic.bitvectors import variable
from pincer.logic.terms import TRUE
from pincer.program.control_flow import Call, ControlFlowProgram
from pincer.program.registers import is_local
from tests.engines.claims import failing_test_of
from tests.engines.dash.dash_runs import certificate, decided, finished, loaded

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


def _in_place(folder: Path, text: str) -> tuple[ControlFlowProgram, Inlined]:
    program = loaded(folder, text)
    flat = inlined(program)
    assert flat is not None
    return program, flat


def _proofs(flat: Inlined) -> tuple[ProcedureProof, ...]:
    dash = finished(flat.program, flat.hidden)
    return read_back(procedure_proofs(dash, flat.program, nothing_known(flat.program)), flat)


@pytest.mark.parametrize("name", SAFE)
def test_a_loop_keeps_its_proof_when_it_is_spread_over_functions(tmp_path: Path, name: str) -> None:
    program, flat = _in_place(tmp_path, SAFE[name])
    checked = check_proof(program, certificate(program, _proofs(flat)))
    assert checked.accepted, checked.refused


def test_each_body_has_a_triple_of_its_own_procedure(tmp_path: Path) -> None:
    _, flat = _in_place(tmp_path, SAFE["one loop after the other, in two functions"])
    assert sorted(proof.procedure for proof in _proofs(flat) if not proof.errors) == ["down", "main", "up"]


def test_a_triple_without_its_invariants_is_refused(tmp_path: Path) -> None:
    program, flat = _in_place(tmp_path, SAFE["a counter behind a pointer"])
    main, *others = _proofs(flat)
    weakened = (main, *(replace(proof, invariants={}, exit=TRUE) for proof in others))
    assert not check_proof(program, certificate(program, weakened)).accepted


RECURSIVE = """
    static int depth(int n) { if (n <= 0) return 0; return 1 + depth(n - 1); }
    static int twice(int n) { return depth(n) + depth(n); }
    int main(void) { int s = 0; for (int i = 0; i < 4; i++) s += twice(i); assert(s == 12); }
"""


def test_recursive_calls_stay(tmp_path: Path) -> None:
    _, flat = _in_place(tmp_path, RECURSIVE)
    called = [edge.label.procedure for edge in flat.program.edges() if isinstance(edge.label, Call)]
    assert called == ["depth", "depth", "depth"]
    assert sorted(flat.program.procedures) == ["depth", "main"]


@pytest.mark.parametrize("text", [RECURSIVE, *SAFE.values()])
@pytest.mark.parametrize("value", [0, 1, 3])
def test_the_new_program_runs_like_the_old_one(tmp_path: Path, text: str, value: int) -> None:
    ends = []
    program, flat = _in_place(tmp_path, text)
    for version in (program, flat.program):
        tester = testing.Tester(World(version))
        planned = {variable(f"input{i}", bits): (value >> i) & 1 for i in range(8) for bits in (8, 32)}
        last, stop = tester.run(tester.root(planned), 4_000)
        shared = {register: number for register, number in last.state.registers.items() if not is_local(register)}
        ends.append((stop.kind, stop.message, shared, last.state.cells, last.state.values))
    assert ends[0] == ends[1]


def test_without_loops_calls_stay_as_they_are(tmp_path: Path) -> None:
    program = loaded(tmp_path, "static int f(int x) { return x; } int main(void) { assert(f(1) == 1); }")
    assert inlined(program) is None


def test_a_program_that_would_become_too_large_stays_as_it_is(tmp_path: Path) -> None:
    doubling = "".join(f"static void f{i}(void) {{ f{i - 1}(); f{i - 1}(); }}\n" for i in range(1, 12))
    text = f"static int g; static void f0(void) {{ g++; }}\n{doubling} int main(void) {{ for (;;) f11(); }}"
    program = loaded(tmp_path, text)
    assert sum(len(procedure.edges) for procedure in program.procedures.values()) < LIMITS.inlined_edges
    assert inlined(program) is None


def test_a_violation_is_told_with_the_functions_of_the_program(tmp_path: Path) -> None:
    text = """
    static void fill(int *a, int n) { for (int i = 1; i < n; i++) a[i] = 3; }
    static void judge(int x) { assert(x == 3); }
    int main(void) {
        int a[20] = {0}, k = __VERIFIER_nondet_int();
        fill(a, 20);
        if (k >= 0 && k < 20) judge(a[k]);
    }"""
    result = decided(loaded(tmp_path, text), choice=EVERYTHING)
    assert {step.procedure for step in failing_test_of(result).steps} == {"main", "fill", "judge"}
