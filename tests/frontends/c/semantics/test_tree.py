"""The typed tree can be walked: every part of an expression is found once, in order."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pincer.frontends.c.semantics import tree
from tests.frontends.c.typed_c import body, expression


def everything(node: tree.Node) -> Iterator[tree.Node]:
    yield node
    for child in tree.children(node):
        yield from everything(child)


def test_the_parts_of_an_expression_are_found_in_order(tmp_path: Path) -> None:
    found = everything(expression(tmp_path, "a ? f(b, c[d]) : (e = 1, -a)", "int a, b, *c, d, e; int f(int, int);"))
    names = [node.variable.name for node in found if isinstance(node, tree.Object)]
    assert names == ["a", "b", "c", "d", "e", "a"]


def test_labels_of_a_switch_are_found_once(tmp_path: Path) -> None:
    main = body(tmp_path, "int main(void) { switch (1) { case 1: ; { case 2 ... 4: ; } default: ; } return 0; }")
    cases = [node for node in everything(main.block) if isinstance(node, tree.Case)]
    assert [(case.low, case.high) for case in cases] == [(1, 1), (2, 4), (None, None)]


def test_only_the_conversions_that_c_makes_by_itself_are_taken_off(tmp_path: Path) -> None:
    found = expression(tmp_path, "x = (char)x", "long x;")
    assert isinstance(found, tree.Assignment)
    cast = tree.bare(found.value)
    assert found.value is not cast
    assert isinstance(cast, tree.Convert) and cast.explicit and tree.bare(cast) is cast
