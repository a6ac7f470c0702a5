"""Runs without inputs go exactly as the machine goes, only faster."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.execution.machine import World
from pincer.execution.straight_memory import UNKNOWN, NeedsInput
from pincer.execution.straight_run import StraightRun
from pincer.execution.testing import Tester
from tests.frontends.c.lowered_c import lowered
from tests.fuzz.c.generator import generate

ENDS = {
    "main returned": "int main(void) { int s = 0; for (int i = 0; i < 500; i++) s += i; return s; }",
    "assertion s == 3 fails": "#include <assert.h>\nint main(void) { int s = 4; assert(s == 3); return 0; }",
    "exit": "#include <stdlib.h>\nint main(void) { exit(3); }",
    "invalid access to p[i]": """
        #include <stdlib.h>
        int main(void) { int *p = calloc(4, 4); for (int i = 0; i < 5; i++) p[i] = 1; return 0; }""",
    "invalid access to *p": """
        #include <stdlib.h>
        int main(void) { int *p = malloc(4); *p = 1; free(p); return *p; }""",
    "the assumption does not hold": """
        extern void __VERIFIER_assume(int);
        int main(void) { int x = 3; __VERIFIER_assume(x == 4); return 0; }""",
}


@pytest.mark.parametrize("end", ENDS)
def test_a_run_ends_as_on_the_machine(tmp_path: Path, end: str) -> None:
    program = lowered(tmp_path, ENDS[end])
    tester = Tester(World(program))
    _, slow = tester.run(tester.root(), 100_000)
    fast = StraightRun(program).run(100_000, lambda: None)
    assert fast == slow and fast is not None and fast.message == end


@pytest.mark.parametrize("first", range(0, 24, 6))
def test_random_programs_end_as_on_the_machine(tmp_path: Path, first: int) -> None:
    for seed in range(first, first + 6):
        program = lowered(tmp_path, generate(seed, size=4))
        tester = Tester(World(program, concrete=True))
        last, slow = tester.run(tester.root(), 200_000)
        run = StraightRun(program)
        try:
            fast = run.run(1_000_000, lambda: None)
        except NeedsInput:
            assert last.state.inputs_read or last.state.world.has_undefined
            continue
        assert fast == slow
        for register, number in run.code.places.shared.items():
            assert run.shared[number] is UNKNOWN or run.shared[number] == last.state.registers.get(register, 0)


SHARED_PARTS = {
    "call": "assert(minus(j != 0 ? i | 16 : i, (j != 0 ? j : 1) - 3) == 10);",
    "store": "a[j != 0 ? i | 8 : i] = (char)(j != 0 ? j : 1); assert(a[13] == 14);",
    "copy": "memcpy(a + (j != 0 ? i | 8 : i), b + (j != 0 ? j : 1), 1); assert(a[13] == 7);",
}


@pytest.mark.parametrize("kind", SHARED_PARTS)
def test_operands_with_parts_that_are_used_twice_do_not_disturb_each_other(tmp_path: Path, kind: str) -> None:
    text = f"""
        #include <assert.h>
        #include <string.h>
        int minus(int x, int y) {{ return x - y; }}
        char a[16], b[16];
        int use(int i, int j) {{ b[14] = 7; {SHARED_PARTS[kind]} return 0; }}
        int main(void) {{ return use(5, 14); }}"""
    stop = StraightRun(lowered(tmp_path, text)).run(100_000, lambda: None)
    assert stop is not None and stop.message == "main returned"


def test_recursion_has_registers_for_each_activation(tmp_path: Path) -> None:
    text = "int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); }\n"
    text += '#include <assert.h>\nint main(void) { assert(f(12) == 144 && "f"); return 0; }\n'
    stop = StraightRun(lowered(tmp_path, text)).run(100_000, lambda: None)
    assert stop is not None and stop.kind == "halt"


@pytest.mark.parametrize(
    "text",
    [
        "extern int __VERIFIER_nondet_int(void);\nint main(void) { return __VERIFIER_nondet_int() < 3; }",
        "#include <stdlib.h>\nint main(void) { int *p = malloc(8); p[0] = 1; return p[p[1]]; }",
        "int main(void) { int a[3]; return a[1] ? 2 : 3; }",
    ],
)
def test_a_run_that_depends_on_what_is_not_known_is_left_to_others(tmp_path: Path, text: str) -> None:
    run = StraightRun(lowered(tmp_path, text))
    with pytest.raises(NeedsInput):
        run.run(1_000, lambda: None)


def test_a_run_can_be_taken_in_parts(tmp_path: Path) -> None:
    program = lowered(tmp_path, "int main(void) { int s = 0; for (int i = 0; i < 9000; i++) s += i; return s; }")
    run = StraightRun(program)
    assert run.run(10, lambda: None) is None and run.run(100_000, lambda: None) is not None
    assert StraightRun(program).run(100_000, lambda: None) is not None
