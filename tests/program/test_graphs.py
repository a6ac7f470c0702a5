"""Algorithms on graphs, against their definitions on random graphs."""

from __future__ import annotations

import random
from collections.abc import Iterable

import pytest

from pincer.program.graphs import components, cycles, immediate_dominators, on_cycles, postorder, reachable

Graph = dict[int, list[int]]


def random_graph(seed: int) -> Graph:
    rng = random.Random(seed)
    size = rng.randrange(1, 9)
    return {node: [rng.randrange(size) for _ in range(rng.randrange(4))] for node in range(size)}


def reached(graph: Graph, roots: Iterable[int], without: int | None = None) -> set[int]:
    found: set[int] = set()
    waiting = [root for root in roots if root != without]
    while waiting:
        node = waiting.pop()
        if node not in found:
            found.add(node)
            waiting.extend(target for target in graph[node] if target != without)
    return found


@pytest.mark.parametrize("seed", range(60))
def test_reachable_nodes_and_components(seed: int) -> None:
    graph = random_graph(seed)
    assert reachable([0], graph.__getitem__) == reached(graph, [0])
    found = list(components(graph, graph.__getitem__))
    assert sorted(node for members in found for node in members) == sorted(graph)
    for members in found:
        for node in members:
            both = {other for other in reached(graph, [node]) if node in reached(graph, [other])}
            assert both == set(members)


@pytest.mark.parametrize("seed", range(60))
def test_components_come_after_those_they_lead_to(seed: int) -> None:
    graph = random_graph(seed)
    number = {n: i for i, members in enumerate(components(graph, graph.__getitem__)) for n in members}
    assert all(number[target] <= number[node] for node, targets in graph.items() for target in targets)


@pytest.mark.parametrize("seed", range(60))
def test_nodes_on_cycles_lead_back_to_themselves(seed: int) -> None:
    graph = random_graph(seed)
    cyclic = {node for node in graph if node in reached(graph, graph[node])}
    assert on_cycles(graph, graph.__getitem__) == cyclic
    assert {node for members in cycles(graph, graph.__getitem__) for node in members} == cyclic


@pytest.mark.parametrize("seed", range(60))
def test_a_dominator_is_on_all_ways_from_the_root(seed: int) -> None:
    graph = random_graph(seed)
    found = immediate_dominators(0, graph)
    assert found.keys() == reached(graph, [0])
    for node in found.keys() - {0}:
        strict = {other for other in graph if other != node and node not in reached(graph, [0], without=other)}
        chain = [found[node]]
        while chain[-1] != 0:
            chain.append(found[chain[-1]])
        assert set(chain) == strict & found.keys()


@pytest.mark.parametrize("seed", range(30))
def test_postorder_lists_what_follows_first_where_there_are_no_cycles(seed: int) -> None:
    graph = {node: [t for t in targets if t > node] for node, targets in random_graph(seed).items()}
    order = postorder(0, graph.__getitem__)
    assert set(order) == reached(graph, [0]) and len(order) == len(set(order))
    assert all(order.index(target) < order.index(node) for node in order for target in graph[node])


def test_long_chains_need_no_recursion() -> None:
    chain = {node: [node + 1] if node < 50_000 else [] for node in range(50_001)}
    assert sum(1 for _ in components(chain, chain.__getitem__)) == 50_001
    assert postorder(0, chain.__getitem__)[-1] == 0
