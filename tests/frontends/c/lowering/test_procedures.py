"""Procedures: local objects at fixed addresses, or new ones for each activation."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.frontends.c.lowering.procedures import RESTRICTED_APART
from pincer.program.control_flow import (
    Allocate,
    Begin,
    End,
)
from tests.execution.interpreted import interpret
from tests.frontends.c.lowered_c import labels, lowered, result_of


def test_locals_of_a_procedure_that_is_not_recursive_have_fixed_addresses(tmp_path: Path) -> None:
    program = lowered(tmp_path, "int f(void) { int a[2]; a[0] = 1; return a[0]; } int main(void) { return f() + f(); }")
    (begin,), (end,) = labels(program, Begin, "f"), labels(program, End, "f")
    assert end.address.args[0] == begin.address
    assert not labels(program, Allocate)


@pytest.mark.parametrize(
    "calls", ["f(n - 1)", "g(n)", "(*p)(n - 1)"], ids=["directly", "through another", "through a pointer"]
)
def test_locals_of_a_recursive_procedure_are_new_objects(calls: str, tmp_path: Path) -> None:
    program = lowered(
        tmp_path,
        f"""int f(int n); int (*p)(int) = f; int g(int n) {{ return f(n - 1); }}
        int f(int n) {{ int a[2]; a[0] = n; if (n > 0) {calls}; return a[0]; }} int main(void) {{ return f(3); }}""",
    )
    assert [label.storage for label in labels(program, Allocate, "f")] == ["stack"]
    assert not labels(program, Begin, "f")


def test_activations_of_a_recursive_procedure_do_not_share_objects(tmp_path: Path) -> None:
    program = """long long result;
    void f(int n, int *up) { int a[1] = {n}; if (n) f(n - 1, a); if (up) result += *up * 10 + a[0]; }
    int main(void) { f(3, 0); return 0; }"""
    assert result_of(tmp_path, program) == (1 * 10 + 0) + (2 * 10 + 1) + (3 * 10 + 2)


def test_thread_functions_may_be_active_several_times(tmp_path: Path) -> None:
    program = lowered(
        tmp_path,
        """#include <pthread.h>
        void *work(void *p) { int a[2] = {0}; return a; }
        int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); return 0; }""",
    )
    assert labels(program, Allocate, "work") and not labels(program, Begin, "work")


@pytest.mark.parametrize(
    "function",
    [
        "_Noreturn void f(int n) { }",
        "__attribute__((noreturn)) void f(int n) { if (n) return; exit(1); }",
        "void f(int n) __attribute__((__noreturn__)); void f(int n) { }",
        "[[noreturn]] void f(int n) { if (!n) exit(2); }",
    ],
)
def test_a_function_that_is_declared_not_to_return_may_not_return(function: str, tmp_path: Path) -> None:
    stop = interpret(lowered(tmp_path, f"#include <stdlib.h>\n{function}\nint main(void) {{ f(1); return 0; }}")).stop
    assert (stop.kind, stop.message) == ("check", "f, which is declared not to return, returns")


@pytest.mark.parametrize("body", ["exit(1);", "if (n) abort(); exit(0);", "g(n);"])
def test_one_that_does_not_return_is_fine(body: str, tmp_path: Path) -> None:
    text = f"#include <stdlib.h>\n_Noreturn void g(int n) {{ exit(n); }}\n_Noreturn void f(int n) {{ {body} }}\n"
    assert interpret(lowered(tmp_path, f"{text}int main(void) {{ f(1); return 0; }}")).stop.kind == "halt"


@pytest.mark.parametrize(
    ("parameter", "assumed"),
    [("int *restrict p", True), ("int *__restrict p", True), ("int p[restrict 1]", True), ("int *p", False)],
)
def test_what_restrict_promises_is_assumed(parameter: str, assumed: bool, tmp_path: Path) -> None:
    function = f"static int f({parameter}) {{ return *p; }}"
    program = lowered(tmp_path, f"{function} int main(void) {{ int x = 1; return f(&x); }}")
    assert (RESTRICTED_APART in program.assumptions) == assumed
