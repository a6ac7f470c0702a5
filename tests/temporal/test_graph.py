"""Graphs that grow on demand: a counter modulo eight, which may also stay where it is at zero."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pincer.temporal.formula import TRUE, Formula
from pincer.temporal.graph import Graph, components, expand, path, start
from pincer.temporal.limits import Meter, TemporalLimits, TooLarge


def _counter(node: int) -> Iterator[tuple[Formula, int]]:
    yield TRUE, (node + 1) % 8
    if node == 0:
        yield TRUE, 0


def _grown(nodes: int) -> Graph[int]:
    graph = start([0], _counter)
    expand(graph, Meter(TemporalLimits()), nodes)
    return graph


def test_a_graph_grows_as_far_as_it_is_asked() -> None:
    graph = _grown(3)
    assert (graph.initial, graph.nodes, len(graph.edges)) == (1, [0, 1, 2, 3], 3)
    assert expand(graph, Meter(TemporalLimits()), 4)
    assert not expand(graph, Meter(TemporalLimits()), 100)


def test_cycles_are_found_among_expanded_nodes() -> None:
    assert [sorted(found) for found in components(_grown(3))] == [[0]]
    assert [sorted(found) for found in components(_grown(8))] == [list(range(8))]


def test_a_path_takes_a_step_at_least() -> None:
    graph = _grown(8)
    assert path(graph, [0], 3) == [TRUE] * 3
    assert path(graph, [3], 3) == [TRUE] * 8
    assert path(graph, [0], 3, allowed={0, 1}) is None
    assert path(graph, [0], 0) == [TRUE]


def test_a_graph_that_is_too_large_is_cut() -> None:
    with pytest.raises(TooLarge, match="more than 4 nodes"):
        expand(start([0], _counter), Meter(TemporalLimits(nodes=4)), 100)
