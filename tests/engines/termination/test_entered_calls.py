"""Calls that never return are shown as calls: one inside of the other, with the names of their own parameters."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.checking.answers import answer, confirmed
from tests.evidence.c.recorded_tests import needs_compiler

MUTUAL = """\
int even(int count, int step);
int odd(int size, int by) {
    int rest = size - by;
    return even(rest, by);
}
int even(int count, int step) {
    if (count == 0)
        return 1;
    return odd(count + step, step);
}
int main(void) {
    return even(3, 1);
}
"""
AT_ONCE = "int f(int n) { return f(n + 1) + 1; }\nint main(void) { return f(0); }\n"


pytestmark = needs_compiler


def rows(folder: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> list[tuple[int | None, int, str]]:
    monkeypatch.chdir(folder)
    steps = confirmed(answer(text, "termination")).run.steps
    changes = [", ".join(f"{change.name} = {change.value}" for change in step.changes) for step in steps]
    return [(step.line, step.depth, told) for step, told in zip(steps, changes, strict=True)]


def test_a_function_is_one_deeper_than_its_call_and_has_its_own_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert rows(tmp_path, monkeypatch, MUTUAL) == [
        (12, 0, ""),
        (7, 1, "count = 3, step = 1"),
        (9, 1, ""),
        (3, 2, "size = 4, by = 1, rest = 3"),
        (4, 2, "count = 3, step = 1"),
    ]


def test_a_function_that_calls_itself_at_once_shows_what_it_passes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert rows(tmp_path, monkeypatch, AT_ONCE) == [(2, 0, ""), (1, 1, "n = 1")]
