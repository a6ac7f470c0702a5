"""Nodes are equal when they mean the same, wherever they stand, and every node is found below its root."""

from __future__ import annotations

import pytest

from pincer.frontends.msvl import parse_program, syntax
from tests.frontends.msvl.random_msvl_trees import RandomTrees

NESTED = "function f(int a){ skip }; struct T { int u }; int x and x:=1+y; if(x<2) then {output(x,3)} else {empty}"


def test_places_take_no_part_in_comparisons() -> None:
    here, there = syntax.Name("x", 3), syntax.Name("x", 9)
    assert here == there and hash(here) == hash(there)
    assert syntax.Binary("+", here, there) == syntax.Binary("+", there, here)
    assert syntax.Name("x") != syntax.Name("y")


@pytest.mark.parametrize("seed", range(10))
def test_hashes_are_remembered_and_those_of_equal_trees(seed: int) -> None:
    first, second = RandomTrees(seed).statement(3), RandomTrees(seed).statement(3)
    assert first is not second and first == second
    assert hash(first) == hash(second) == hash(first)


def test_nodes_do_not_change() -> None:
    with pytest.raises(AttributeError):
        syntax.Name("x").text = "y"  # type: ignore[misc]


def test_descendants_come_in_the_order_of_the_text_and_enter_definitions_on_demand() -> None:
    program = parse_program(NESTED.replace("+y", "+x"), "f.m")
    names = [node.text for node in syntax.descendants(program.written) if isinstance(node, syntax.Name)]
    assert names == ["x", "x", "x", "x"]
    found = list(syntax.descendants(program.written))
    places = [node.at for node in found if isinstance(node, syntax.Number)]
    assert places == sorted(places) and len(places) == 3
    assert not any(isinstance(node, syntax.Skip) for node in found)
    everything = list(syntax.descendants(program.written, inside_definitions=True))
    assert any(isinstance(node, syntax.Skip) for node in everything)
    assert set(map(id, found)) < set(map(id, everything))


@pytest.mark.parametrize("seed", range(10))
def test_descendants_are_the_children_of_children(seed: int) -> None:
    def below(node: syntax.Node) -> list[syntax.Node]:
        return [node, *(inner for child in syntax.children(node) for inner in below(child))]

    tree = RandomTrees(seed).statement(3)
    assert list(map(id, syntax.descendants(tree, inside_definitions=True))) == list(map(id, below(tree)))


@pytest.mark.parametrize("seed", range(10))
def test_rebuilding_changes_what_is_visited_and_keeps_the_rest(seed: int) -> None:
    tree = RandomTrees(seed).statement(3)
    assert syntax.rebuilt(tree, lambda part: part) is tree

    def renamed(part: syntax.Node) -> syntax.Node:
        return syntax.Name("new", part.at) if isinstance(part, syntax.Name) else syntax.rebuilt(part, renamed)

    changed = renamed(tree)
    before, after = (list(syntax.descendants(root, inside_definitions=True)) for root in (tree, changed))
    assert list(map(type, before)) == list(map(type, after))
    assert {node.text for node in after if isinstance(node, syntax.Name)} <= {"new"}
    assert [getattr(node, "at", 0) for node in before] == [getattr(node, "at", 0) for node in after]
