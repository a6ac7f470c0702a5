"""Peeling of graphs."""

from __future__ import annotations

from pincer.engines.live.components import (
    Found,
    LiveEdge,
    LiveGraph,
    RankStep,
    StrongStep,
    Stuck,
    WeakLeaf,
    accepting_components,
    peel,
)

LOOP = (LiveEdge(0, 0, 1), LiveEdge(1, 0, 0))


def _graph(
    accepting: tuple[bool, ...],
    enabled: tuple[set[int], ...],
    edges: tuple[LiveEdge, ...],
    group: set[int],
    strong: bool = False,
) -> LiveGraph:
    return LiveGraph(accepting, [frozenset(found) for found in enabled], edges, (frozenset(group),), (strong,))


def test_cycles_without_accepting_nodes_are_no_matter() -> None:
    graph = _graph((False, False), ({0}, {0}), LOOP, set())
    assert peel(graph) == ()
    assert list(accepting_components(graph, LOOP)) == []


def test_a_weakly_fair_group_that_waits_all_the_time_discharges() -> None:
    assert peel(_graph((True, False), ({0, 1}, {0, 1}), LOOP, {1})) == (WeakLeaf(0, 0),)


def test_weak_fairness_owes_nothing_to_a_group_that_is_disabled_now_and_then() -> None:
    assert isinstance(peel(_graph((True, False), ({0, 1}, {0}), LOOP, {1})), Stuck)


def test_strong_fairness_takes_out_the_nodes_that_enable_the_group() -> None:
    assert peel(_graph((True, False), ({0, 1}, {0}), LOOP, {1}, strong=True)) == (StrongStep(0, 0, ()),)


def test_a_group_that_steps_is_served() -> None:
    """A process that only spins steps: its own fairness proves nothing."""
    assert isinstance(peel(_graph((True, False), ({0}, {0}), LOOP, {0})), Stuck)


def test_transitions_of_a_group_that_are_enabled_in_turn_keep_it_enabled() -> None:
    graph = _graph((True, True), ({0, 1}, {0, 2}), LOOP, {1, 2})
    assert peel(graph) == (WeakLeaf(0, 0),)


def test_ranks_leave_smaller_components() -> None:
    inner = LiveEdge(1, 1, 1)

    def rank(component: Stuck) -> Found | None:
        if len(component.nodes) == 2:
            return {0: "i", 1: "i"}, (LOOP[1],)
        return {1: "j"}, component.edges

    peeled = peel(_graph((False, True), ({0}, {0, 1}), (*LOOP, inner), set()), rank=rank)
    assert peeled == (RankStep(0, {0: "i", 1: "i"}, (LOOP[1],), (RankStep(1, {1: "j"}, (inner,), ()),)),)
