"""Fair cycles."""

from __future__ import annotations

from itertools import pairwise

from pincer.engines.live.components import LiveEdge, LiveGraph, Stuck, peel
from pincer.engines.live.lasso import fair_cycle
from tests.evidence.live.live_samples import PETERSON, fair, refuted


def test_a_cycle_passes_an_accepting_node_and_serves_all_groups() -> None:
    edges = (LiveEdge(0, 0, 1), LiveEdge(1, 1, 0), LiveEdge(1, 2, 2), LiveEdge(2, 2, 1), LiveEdge(0, 3, 0))
    groups = (frozenset({0}), frozenset({2}), frozenset({9}))
    enabled = [frozenset({0, 9}), frozenset({1}), frozenset({2, 9})]
    graph = LiveGraph((True, False, False), enabled, edges, groups, (False, False, False))
    stuck = peel(graph)
    assert isinstance(stuck, Stuck)
    cycle = fair_cycle(graph, stuck)
    assert cycle[0].source == cycle[-1].target == 0
    assert all(one.target == other.source for one, other in pairwise(cycle))
    taken = {edge.transition for edge in cycle}
    assert {0, 2} <= taken
    assert any(edge.source == 1 for edge in cycle), "the third group is disabled there"


def test_a_run_has_a_stem_and_a_loop() -> None:
    _, run = refuted(fair(PETERSON, ""))
    assert run.kind == "lasso"
    assert run.loop_from is not None
    states = run.trace.states
    assert states[run.loop_from] == states[-1]
