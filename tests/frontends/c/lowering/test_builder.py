"""Automata that grow: checks are made once, steps that do nothing go, loops have heads."""

from __future__ import annotations

from pathlib import Path

from pincer.program.control_flow import (
    Assign,
    Assume,
    Check,
    Skip,
)
from tests.frontends.c.lowered_c import labels, lowered


def test_constant_decisions_leave_no_edges(tmp_path: Path) -> None:
    program = lowered(tmp_path, "int main(void) { if (sizeof(int) == 8) return 1; while (1) { break; } return 0; }")
    assert not labels(program, Assume) and not labels(program, Skip)
    assert len(labels(program, Assign)) == 1


def test_loop_heads_are_the_targets_of_back_edges(tmp_path: Path) -> None:
    program = lowered(
        tmp_path,
        """int main(void) { int i = 0; while (i < 5) { do i++; while (i & 1); }
        back: if (i-- > 3) goto back; return 0; }""",
    )
    assert len(program.procedures["main"].loop_heads) == 3


def test_an_endless_empty_loop_stays_a_loop(tmp_path: Path) -> None:
    program = lowered(tmp_path, "int main(void) { for (;;) ; }")
    (edge,) = program.procedures["main"].edges
    assert edge.source == edge.target


def test_the_same_access_is_checked_once_until_something_changes(tmp_path: Path) -> None:
    text = "struct S { int a, b; }; int f(struct S *p, struct S *q) { p->a = 1; p->a = 2; %s return p->a; }"
    assert len(labels(lowered(tmp_path, text % "", entry="f"), Check)) == 1
    assert len(labels(lowered(tmp_path, text % "p = q;", entry="f"), Check)) == 2
