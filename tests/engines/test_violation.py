"""Violations are found by tests, repeated from the start, and described for others to run."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.engines.sequential import SequentialSettings, check
from pincer.engines.task import EngineTask
from pincer.logic import bitvectors
from pincer.runtime.run import Run
from tests.engines.claims import failing_test_of, reason_of
from tests.engines.dash.dash_runs import decided, loaded, values_of, verdict
from tests.execution.interpreted import interpret

VIOLATED = {
    "at once": "int main(void) { reach_error(); }",
    "arithmetic": "int main(void) { if (__VERIFIER_nondet_uint() * 3u + 7u == 0x12345678u) reach_error(); }",
    "two inputs": """
        int main(void) {
            int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
            if (x > 100 && y == 2 * x && (x ^ y) == 0x3ff) reach_error();
        }""",
    "pointers": """
        struct node { int value; struct node *next; };
        int main(void) {
            struct node x, y;
            x.next = &y;
            y.next = &x;
            y.value = __VERIFIER_nondet_int();
            assert(x.next->next->next->value != 42);
        }""",
    "callee": """
        void f(int x) { if (x == 9) reach_error(); }
        int main(void) { int x = __VERIFIER_nondet_int(); if (x < 9) f(x + 1); }""",
    "result of a callee": """
        int twice(int x) { return x + x; }
        int main(void) { assert(twice(__VERIFIER_nondet_int()) != 46); }""",
    "recursion": """
        int f(int n) { if (n <= 0) return 0; return f(n - 1) + 1; }
        int main(void) { assert(f(__VERIFIER_nondet_int()) != 5); }""",
    "loop": """
        int main(void) {
            unsigned n = __VERIFIER_nondet_uint(), i = 0;
            while (i < n) i++;
            assert(i != 6);
        }""",
    "aliases": """
        void set(int *p, int *q) { *p = 1; *q = 2; }
        int main(void) { int a, b; set(&a, __VERIFIER_nondet_bool() ? &a : &b); assert(a == 1); }""",
    "uninitialised": "int main(void) { int x; if (x == 77) reach_error(); }",
    "bytes": """
        union { unsigned whole; unsigned char part[4]; } u;
        int main(void) { u.whole = __VERIFIER_nondet_uint(); assert(u.part[2] != 0xab || u.part[0] != 1); }""",
}


@pytest.mark.parametrize("name", VIOLATED)
def test_the_violation_is_found_and_its_inputs_reach_it_again(tmp_path: Path, name: str) -> None:
    program = loaded(tmp_path, VIOLATED[name])
    result = decided(program)
    assert result.verdict == "unsafe", reason_of(result)
    values = [(value.width, value.value) for value in failing_test_of(result).inputs]
    planned = {bitvectors.variable(f"input{i}", width): value for i, (width, value) in enumerate(values)}
    outcome = interpret(program, planned)
    assert outcome.stop.kind == "fail"
    assert outcome.stop.edge is not None and outcome.stop.edge.position == failing_test_of(result).failure.position


@pytest.mark.parametrize("name", VIOLATED)
def test_the_same_program_is_decided_the_same_way_twice(tmp_path: Path, name: str) -> None:
    first, second = (decided(loaded(tmp_path, VIOLATED[name])) for _ in range(2))
    assert values_of(first) == values_of(second)
    assert first.statistics["iterations"] == second.statistics["iterations"]


def test_a_test_tells_its_steps_in_the_words_of_the_program(tmp_path: Path) -> None:
    text = """
    int main(void) {
        int x = __VERIFIER_nondet_int();
        int y = x - 1;
        if (y == -8) reach_error();
    }"""
    test = failing_test_of(decided(loaded(tmp_path, text)))
    changes = [change for step in test.steps for change in step.changes]
    assert ("x", "-7") in changes and ("y", "-8") in changes
    assert [step.branch for step in test.steps if step.branch is not None] == [True]
    assert (test.property, test.kind, test.entry) == ("assertions", "assertions", "main")


def test_the_line_that_a_function_returns_from_is_a_step(tmp_path: Path) -> None:
    text = """
    int f(int x) {
        if (x == 5)
            return 1;
        return 2;
    }
    int main(void) { if (f(__VERIFIER_nondet_int()) == 1) reach_error(); }"""
    test = failing_test_of(decided(loaded(tmp_path, text)))
    lines = Path(test.file).read_text(encoding="utf-8").splitlines()
    passed = [lines[step.position.line - 1].strip() for step in test.steps if step.text == "return"]
    assert passed == ["return 1;"]


def test_planned_inputs_are_tried_before_anything_is_asked(tmp_path: Path) -> None:

    program = loaded(tmp_path, "int main(void) { if (__VERIFIER_nondet_int() == 123456) reach_error(); }")
    planned = tuple({bitvectors.variable("input0", 32): value} for value in (1, 123456))
    settings = SequentialSettings(planned=planned)
    [result] = check(EngineTask(program, ("assertions",), settings), Run())
    assert (result.verdict, result.statistics["questions"], result.statistics["tests"]) == ("unsafe", 0, 2)


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("int main(void) { int *p = 0; if (__VERIFIER_nondet_int() == 3) *p = 1; }", "invalid access"),
        ("int main(void) { int x = __VERIFIER_nondet_int(); return 10 / (x - 3); }", "division"),
        ("int a[4]; int main(void) { unsigned x = __VERIFIER_nondet_uint(); if (x < 5) a[x] = 1; }", "invalid access"),
        ("int main(void) { int *p = malloc(4); free(p); *p = 1; }", "invalid access"),
    ],
)
def test_memory_errors_are_found(tmp_path: Path, text: str, where: str) -> None:
    result = decided(loaded(tmp_path, text), "memory")
    assert result.verdict == "unsafe", reason_of(result)
    assert where in failing_test_of(result).failure.message


def test_what_is_not_modelled_is_named_when_a_path_reaches_it(tmp_path: Path) -> None:
    text = 'int main(void) { int x = __VERIFIER_nondet_int(); __asm__("cpuid" : "=a"(x)); if (x > 2) reach_error(); }'
    result = decided(loaded(tmp_path, text))
    assert result.verdict == "unknown"
    assert reason_of(result).startswith("unsupported: ") and "program.c:9" in reason_of(result)


def test_what_is_not_modelled_does_not_matter_where_no_path_reaches_it(tmp_path: Path) -> None:
    text = """
    void pause(void) { int x; __asm__("cpuid" : "=a"(x)); }
    int main(void) { int x = __VERIFIER_nondet_int(); if (x > 5 && x < 3) pause(); assert(x < 6 || x > 4); }"""
    assert verdict(tmp_path, text) == "safe"


def test_arguments_are_told_with_the_first_line_of_a_function_and_belong_to_it(tmp_path: Path) -> None:
    text = """
        int total;
        struct pair { int a, b; } pairs[2];
        void add(int n, struct pair *p) {
            total += n;
            assert(total != 5);
        }
        int main(void) {
            int n = 2;
            add(n + 3, &pairs[1]);
        }"""
    test = failing_test_of(decided(loaded(tmp_path, text)))
    given = next(step for step in test.steps if ("n", "5") in step.changes)
    assert given.changes == (("n", "5"), ("p", "&pairs[1]"))
    assert (given.scopes, given.depth, given.procedure) == (("add", "add"), 1, "add")
    owners = {name: scope for step in test.steps for (name, _), scope in zip(step.changes, step.scopes, strict=True)}
    assert owners == {"n": "add", "p": "add", "total": ""}
