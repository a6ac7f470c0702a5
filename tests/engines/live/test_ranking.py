"""Ranks of components of abstractions, uniform and worked out node by node."""

from __future__ import annotations

import pytest

from pincer.engines.guarded.verify import transition_system
from pincer.engines.live.abstract import AbstractGraph, closed, needed_predicates, prepared
from pincer.engines.live.components import Stuck, accepting_components
from pincer.engines.live.farkas import affine_ranks
from pincer.engines.live.question import question
from pincer.engines.live.ranking import ComponentRanks
from pincer.frontends.gcl import parse_program
from pincer.logic import terms
from pincer.logic.queries import Queries
from pincer.logic.z3_solver import Z3Solver
from pincer.program.product import product
from pincer.runtime.run import Run
from tests.evidence.live.live_samples import COUNTDOWN, LEXICOGRAPHIC, PHASES, proved

TOGETHER = """
var x, y : int;
control at : {one, two} = one;
trans a: at = one && x + 2*y > 0 -> x := x - 3, y := y + 1, at := two;
trans b: at = two && x + 2*y > 0 -> x := x + 1, y := y - 1, at := one;
temporal ends: <>empty;
"""


def _graph(text: str) -> tuple[AbstractGraph, Stuck]:
    program = parse_program(text, "r.gcl")
    queries = Queries(Z3Solver(), Run())
    asked = question(program, program.temporal[0])
    made = product(program, asked.wanted, asked.automaton)
    whole = prepared(asked, made, transition_system(made.program, queries))
    graph = closed(whole, needed_predicates(whole), (), queries)
    assert graph is not None
    [component] = accepting_components(graph.live, graph.live.edges)
    return graph, component


def test_what_a_guard_bounds_is_tried_first() -> None:
    graph, component = _graph(COUNTDOWN)
    found = ComponentRanks(graph).rank(component)
    assert found is not None
    ranks, removed = found
    assert set(ranks) == set(component.nodes)
    assert set(removed) == set(component.edges)


def test_a_rank_need_not_fall_everywhere() -> None:
    graph, component = _graph(LEXICOGRAPHIC)
    found = ComponentRanks(graph).rank(component)
    assert found is not None
    assert 0 < len(found[1]) < len(component.edges)


def test_an_unbounded_fall_tells_phases_apart() -> None:
    graph, component = _graph(PHASES)
    ranks = ComponentRanks(graph)
    assert ranks.rank(component) is None
    y = terms.variable("y")
    assert any(y in phase.variables for phase in ranks.phases)


@pytest.mark.parametrize("text", [COUNTDOWN, LEXICOGRAPHIC, TOGETHER])
def test_ranks_can_be_worked_out(text: str) -> None:
    graph, component = _graph(text)
    ranks = affine_ranks(graph, component)
    assert ranks is not None
    assert set(ranks) == set(component.nodes)


def test_where_there_is_no_linear_rank_none_is_worked_out() -> None:
    assert affine_ranks(*_graph(PHASES)) is None


def test_sums_of_variables_are_found() -> None:
    _, certificate = proved(TOGETHER)
    assert certificate.argument[0].kind == "rank"
