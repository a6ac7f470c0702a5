"""What a function without a body does to the state."""

from __future__ import annotations

from pathlib import Path

from pincer.program.control_flow import Input, Store
from tests.frontends.c.lowered_c import labels, lowered, result_of


def test_by_default_nothing_is_written(tmp_path: Path) -> None:
    program = lowered(tmp_path, "extern int f(int *); int main(void) { int x = 1; return f(&x) + x; }")
    assert [(label.source, label.kind) for label in labels(program, Input)] == [("f", "external")]
    assert len(labels(program, Store)) == 1


def test_arguments_are_evaluated_once(tmp_path: Path) -> None:
    text = "extern void on(void (*)(void), int); void t(void) {} long long result;\n"
    assert result_of(tmp_path, text + "int main(void) { on(t, ++result); return 0; }") == 1


def test_functions_that_are_handed_over_are_named_in_what_stays_open(tmp_path: Path) -> None:
    text = "extern void run(void (*)(void)); void t(void) {} int main(void) { run(t); return 0; }"
    [handed] = [item for item in lowered(tmp_path, text).assumptions if item.leaves_open]
    assert handed.text.startswith("`run` (") and "calls no function that it is handed, or only once" in handed.text
