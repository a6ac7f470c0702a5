"""What expressions touch, read off the typed tree."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pincer.frontends.c.semantics import tree
from pincer.frontends.c.semantics.effects import ANY, Touched, touched, within
from tests.frontends.c.typed_c import body, expression

NAMES = "int x, y, *p, a[2]; struct S { int m; } r; int f(int); int (*fp)(int); int __VERIFIER_nondet_int(void);"


def names(found: Touched) -> tuple[set[str], set[str]]:
    return {one.name for one in found.uses}, {one.name for one in found.changes}


def test_variables_that_are_used_and_changed(tmp_path: Path) -> None:
    assert names(touched(expression(tmp_path, "x = y + 1", NAMES))) == ({"y"}, {"x"})
    assert names(touched(expression(tmp_path, "x += y", NAMES))) == ({"x", "y"}, {"x"})
    assert names(touched(expression(tmp_path, "x++ + sizeof(y++)", NAMES))) == ({"x"}, {"x"})
    assert names(touched(expression(tmp_path, "&x", NAMES))) == (set(), set())


def test_memory_that_is_read_and_written(tmp_path: Path) -> None:
    found = touched(expression(tmp_path, "*p = a[x]", NAMES))
    assert found.stores and found.loads and found.writes and found.acts
    assert not touched(expression(tmp_path, "r.m", NAMES)).stores
    assert not touched(expression(tmp_path, "x + 1", NAMES)).acts


def test_calls_may_do_anything_but_inputs(tmp_path: Path) -> None:
    assert touched(expression(tmp_path, "f(x)", NAMES)).calls == {"f"}
    assert touched(expression(tmp_path, "fp(x)", NAMES)).calls == {ANY}
    assert not touched(expression(tmp_path, "__VERIFIER_nondet_int()", NAMES)).acts


def test_a_function_keeps_its_own_aggregates_to_itself(tmp_path: Path) -> None:
    block = body(tmp_path, "int g; int main(void) { int a[2]; a[0] = 1; g = a[0]; return 0; }").block
    found = within(block, "main").without_locals("main")
    assert names(found) == (set(), {"g"}) and not found.stores and not found.loads
    assert within(block, None).stores


def test_every_part_of_a_long_sum_is_looked_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = expression(tmp_path, " + ".join(["x"] * 200), NAMES)
    looked_at = list[tree.Node]()
    children = tree.children

    def counted(node: tree.Node) -> Iterator[tree.Node]:
        looked_at.append(node)
        return children(node)

    monkeypatch.setattr(tree, "children", counted)
    part: tree.Expression = whole
    while isinstance(part, tree.Binary):
        assert names(touched(part)) == ({"x"}, set())
        part = part.left
    assert len(looked_at) == len(set(looked_at))
