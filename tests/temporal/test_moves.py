"""Moves of literals, and the graph of what is owed."""

from __future__ import annotations

import pytest

from pincer.temporal.cubes import cubes
from pincer.temporal.formula import FALSE, Formula, or_
from pincer.temporal.graph import expand
from pincer.temporal.limits import Meter, TemporalLimits
from pincer.temporal.moves import cube_moves, formula_moves, obligation_graph, owing
from pincer.temporal.parser import parse_formula
from pincer.temporal.text import cube_text


def _formula(text: str) -> Formula:
    return parse_formula(text).formula


def test_an_eventuality_may_wait_although_it_could_end() -> None:
    [cube] = cubes(_formula("<>p"))
    moves = {cube_text(move.literals): bool(move.owed) for move in cube_moves(cube, owing(cube))}
    assert moves == {"<>p": True, "true": False}


@pytest.mark.parametrize("text", ["p;q", "[](p -> <>q)", "(p,q) prj r", "p U q", "skip+"])
def test_some_move_is_there_for_every_letter_that_can_go_on(text: str) -> None:
    guards = FALSE
    for move in formula_moves(_formula(text)):
        guards = or_(guards, move.guard)
    assert guards is not FALSE


def test_what_is_owed_is_owed_until_it_is_discharged() -> None:
    graph = obligation_graph(_formula("[]<>p"))
    while expand(graph, Meter(TemporalLimits()), 2 * len(graph.nodes)):
        pass
    assert any(node.owes for node in graph.nodes) and any(not node.owes for node in graph.nodes)
