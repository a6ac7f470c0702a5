"""Ranks worked out node by node."""

from __future__ import annotations

from pincer.engines.live.farkas import affine_ranks
from pincer.logic import terms
from tests.engines.live.test_ranking import TOGETHER, _graph

UP = "var x : int; trans up: x > 0 -> x := x + 1; temporal ends: <>empty;"
SPLIT = """
var x : int;
control at : {one, two} = one;
trans a: at = one && x > 0 -> x := x + 5, at := two;
trans b: at = two -> x := x - 6, at := one;
temporal ends: <>empty;
"""


def test_nodes_may_have_different_ranks() -> None:
    """x grows from the first node to the second: only with an offset does the rank never grow."""
    graph, component = _graph(SPLIT)
    ranks = affine_ranks(graph, component)
    assert ranks is not None
    x = terms.variable("x")
    constants = {terms.linear_parts(rank)[1] for rank in ranks.values()}
    assert all(dict(terms.linear_parts(rank)[0])[x] > 0 for rank in ranks.values())
    assert len(constants) == 2


def test_a_loop_without_end_has_no_rank() -> None:
    assert affine_ranks(*_graph(UP)) is None


def test_ranks_have_whole_coefficients() -> None:
    ranks = affine_ranks(*_graph(TOGETHER))
    assert ranks is not None
    assert all(isinstance(factor, int) for rank in ranks.values() for _, factor in terms.linear_parts(rank)[0])
