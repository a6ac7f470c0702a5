"""Facts and ranks together are a proof; what it does not need is left out of it."""

from __future__ import annotations

from pathlib import Path

from pincer.engines.termination.ranking import Ranking, smaller
from pincer.execution.machine import World
from pincer.logic.bitvectors import variable
from tests.engines.cutpoints.test_induction import done
from tests.engines.termination.loop_programs import COUNTDOWN, LEXICOGRAPHIC, ODD, certified, cut_in, ending


def test_a_rank_that_needs_no_facts_has_none(tmp_path: Path) -> None:
    program = ending(tmp_path, LEXICOGRAPHIC)
    proof = done(Ranking(cut_in(program)).proof())
    assert proof is not None
    assert [point.facts for point in proof.points] == [()]
    assert certified(program, proof).accepted


def test_a_rank_that_needs_facts_has_those(tmp_path: Path) -> None:
    program = ending(tmp_path, COUNTDOWN % "255")
    proof = done(Ranking(cut_in(program)).proof())
    assert proof is not None
    assert 0 < len(proof.points[0].facts) < 6
    assert certified(program, proof).accepted


def test_the_loop_that_resists_is_told(tmp_path: Path) -> None:
    cut = cut_in(ending(tmp_path, ODD))
    ranking = Ranking(cut)
    assert done(ranking.proof()) is None
    assert set(ranking.resisting) == cut.view.procedure.loop_heads


def test_tuples_are_compared_from_the_front() -> None:
    now, then = tuple(variable(f"n{i}", 4) for i in range(2)), [variable(f"t{i}", 4) for i in range(2)]
    condition = smaller(now, then)
    for a in range(9):
        for b in range(9):
            values = dict(zip((*now, *then), (a // 3, a % 3, b // 3, b % 3), strict=True))
            assert bool(World.evaluate_symbols(condition, values)) is (a < b)
