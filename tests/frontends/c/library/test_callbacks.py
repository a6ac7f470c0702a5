"""Functions that are handed to one without a body are called, where it is clear with what."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.program.control_flow import Call
from tests.frontends.c.lowered_c import labels, lowered


@pytest.mark.parametrize(
    ("declaration", "function", "call", "called"),
    [
        ("void on(void (*)(void));", "void t(void) {}", "on(t)", True),
        ("void on(void (*)(int), int);", "void t(int n) {}", "on(t, 3)", True),
        ("void on(void (*)(void *), int *);", "void t(void *p) {}", "on(t, &x)", True),
        ("void on(void (*)(long *), int *);", "void t(long *p) {}", "on(t, &x)", False),
        ("void on(void (*)(void *), int *, char *);", "void t(void *p) {}", "on(t, &x, (char *)&x)", False),
        ("void on(void (*)(void)); void other(void);", "void t(void) { other(); }", "on(t)", False),
    ],
    ids=["nothing", "a number", "its data", "data of another type", "which data?", "that calls others"],
)
def test_calls(tmp_path: Path, declaration: str, function: str, call: str, called: bool) -> None:
    program = lowered(tmp_path, f"{declaration} {function} int main(void) {{ int x = 1; {call}; return x; }}")
    assert [label.procedure for label in labels(program, Call)] == ["t"] * called
