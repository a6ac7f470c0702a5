"""Tuples of words: lexicographic where one word is not enough, by phases where a condition tells them apart."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.engines.termination.peeling import Peeling, Resists, decisions
from pincer.engines.termination.relation import Relation
from pincer.logic.bitvectors import width
from pincer.program.control_flow import Assume
from tests.engines.termination.loop_programs import LEXICOGRAPHIC, ODD, PHASES, cut_in, ending


def peeling_of(folder: Path, text: str) -> Peeling:
    cut = cut_in(ending(folder, text))
    places = [place for place in cut.view.live if place != cut.view.procedure.entry]
    conditions = [edge.label.condition for edge in cut.view.procedure.edges if isinstance(edge.label, Assume)]
    return Peeling(Relation(cut, {place: {} for place in places}), decisions(conditions))


def test_the_words_of_a_tuple_are_in_the_order_of_what_leaves_the_loop(tmp_path: Path) -> None:
    [ranks] = peeling_of(tmp_path, LEXICOGRAPHIC).ranks().values()
    named = [sorted(str(variable) for variable in word.variables) for word in ranks if word.variables]
    assert named == [["main::i"], ["main::j"]]
    assert len({width(word) for word in ranks}) == 1


def test_a_condition_that_stays_false_tells_phases_apart(tmp_path: Path) -> None:
    [ranks] = peeling_of(tmp_path, PHASES).ranks().values()
    assert any(word.op == "ite" and len(word.variables) == 2 for word in ranks)


def test_a_loop_that_need_not_end_resists(tmp_path: Path) -> None:
    with pytest.raises(Resists) as resists:
        peeling_of(tmp_path, ODD).ranks()
    assert len(resists.value.places) == 1
