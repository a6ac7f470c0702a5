"""Where declarations are read: blocks forget their names, places are those of the text, weak names may be missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.frontends.c.semantics.context import STATIC, by_name, file_context
from pincer.frontends.c.semantics.symbols import Enumerator
from pincer.frontends.c.semantics.types import INT
from tests.frontends.c.typed_c import typed


def test_a_block_forgets_its_names(tmp_path: Path) -> None:
    context = file_context(typed(tmp_path, "int main(void) { return 0; }"))
    with context.block():
        context.scope.names["x"] = Enumerator(1, INT)
        assert context.scope.find("x") is not None and context.scope.find("main") is not None
    assert context.scope.find("x") is None
    assert context.static and context.function == STATIC


def test_a_place_is_that_of_the_text_or_the_start_of_the_file(tmp_path: Path) -> None:
    program = typed(tmp_path, "\n  int x;\nint main(void) { return 0; }")
    first = program.trees[0].ext[0]
    assert (program.position(first).line, program.position(first).column) == (2, 7)
    assert program.position(first) is program.position(first)
    assert (program.position(None).line, program.position(None).column) == (1, 1)


@pytest.mark.parametrize(
    ("declaration", "missing"),
    [
        ("extern int f(void) __attribute__((weak));", True),
        ("int f(void) __attribute__((weak)); int f(void) { return 1; }", False),
        ("extern int f(void);", False),
    ],
)
def test_weak_functions_without_a_body_may_be_missing(tmp_path: Path, declaration: str, missing: bool) -> None:
    program = typed(tmp_path, declaration + " int main(void) { return 0; }")
    assert program.may_be_missing("f") == missing


def test_names_with_a_star_stand_for_all_that_begin_so() -> None:
    table = {"pthread_*": 1, "pthread_once": 2, "time": 3}
    found = [by_name(table, name) for name in ("pthread_mutex_lock", "pthread_once", "time", "times", "pthread")]
    assert found == [1, 2, 3, None, None]
