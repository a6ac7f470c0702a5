"""Undefined values are inputs only where something may read them."""

from __future__ import annotations

from pathlib import Path

from pincer.program.control_flow import (
    Input,
)
from tests.frontends.c.lowered_c import labels, lowered


def test_uninitialised_locals_are_undefined_only_where_they_may_be_read(tmp_path: Path) -> None:
    program = lowered(tmp_path, "int main(int c, char **v) { int x, y, z; x = 1; if (c > 1) y = 2; return x + y; }")
    undefined = [label.source for label in labels(program, Input) if label.kind == "undefined"]
    assert undefined == ["uninitialised variable y"]


def test_a_jump_past_a_declaration_leaves_the_variable_undefined(tmp_path: Path) -> None:
    program = lowered(tmp_path, "int main(void) { goto in; { int x = 1; in: return x; } }")
    assert [label.kind for label in labels(program, Input)] == ["undefined"]
