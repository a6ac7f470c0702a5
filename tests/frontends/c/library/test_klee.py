"""The words of KLEE."""

from __future__ import annotations

from pathlib import Path

from pincer.program.control_flow import Fail, Halt, Input, Unsupported
from tests.frontends.c.lowered_c import labels, lowered


def inputs(folder: Path, body: str) -> list[tuple[str, bool]]:
    program = lowered(folder, f"int main(void) {{ {body} return 0; }}")
    return [(label.source, label.signed) for label in labels(program, Input)]


def test_an_object_takes_its_values_under_the_name_it_is_given(tmp_path: Path) -> None:
    body = 'int x; klee_make_symbolic(&x, sizeof x, "the x"); if (x) return 1;'
    assert inputs(tmp_path, body) == [("the_x by klee_make_symbolic", True)]


def test_numbers_are_inputs_and_hints_are_nothing(tmp_path: Path) -> None:
    body = 'if (klee_int("a") + klee_range(0, 4, "b") + klee_choose(3)) return 1; klee_print_expr("c", 1);'
    assert [source for source, _ in inputs(tmp_path, body)] == ["klee_int", "klee_range", "klee_choose"]


def test_the_words_that_end_a_run(tmp_path: Path) -> None:
    program = lowered(tmp_path, "int main(int c, char **v) { if (c > 2) klee_abort(); klee_silent_exit(0); }")
    assert [label.message for label in labels(program, Fail)] == ["klee_abort() is called"]
    assert [label.what for label in labels(program, Halt)] == ["klee_silent_exit"]


def test_other_words_are_unsupported_by_name(tmp_path: Path) -> None:
    program = lowered(tmp_path, "int main(void) { return klee_is_symbolic(1); }")
    assert [label.what for label in labels(program, Unsupported)] == ["the word klee_is_symbolic of KLEE"]
