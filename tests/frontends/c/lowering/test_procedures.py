"""Procedures: local objects at fixed addresses, or new ones for each activation."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.program.control_flow import (
    Allocate,
    Begin,
    End,
)
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
