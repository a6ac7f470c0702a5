"""Calls put in place: what the new program does, what can be proved of it, and what its proofs say when read back."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.engines.inlining import LIMITS, inlined
from pincer.engines.sequential import EVERYTHING
from pincer.execution import testing
from pincer.execution.machine import World
from pincer.logic.bitvectors import variable
from pincer.program.control_flow import Call
from pincer.program.registers import is_local
from tests.engines.claims import failing_test_of
from tests.engines.dash.dash_runs import decided, loaded
from tests.engines.inlined_programs import SAFE, in_place

RECURSIVE = """
    static int depth(int n) { if (n <= 0) return 0; return 1 + depth(n - 1); }
    static int twice(int n) { return depth(n) + depth(n); }
    int main(void) { int s = 0; for (int i = 0; i < 4; i++) s += twice(i); assert(s == 12); }
"""


def test_recursive_calls_stay(tmp_path: Path) -> None:
    _, flat = in_place(tmp_path, RECURSIVE)
    called = [edge.label.procedure for edge in flat.program.edges() if isinstance(edge.label, Call)]
    assert called == ["depth", "depth", "depth"]
    assert sorted(flat.program.procedures) == ["depth", "main"]


@pytest.mark.parametrize("text", [RECURSIVE, *SAFE.values()])
@pytest.mark.parametrize("value", [0, 1, 3])
def test_the_new_program_runs_like_the_old_one(tmp_path: Path, text: str, value: int) -> None:
    ends = []
    program, flat = in_place(tmp_path, text)
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
    assert sum(len(procedure.edges) for procedure in program.procedures.values()) < LIMITS.edges
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
