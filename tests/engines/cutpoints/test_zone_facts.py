"""Guesses from zones are about what is live, and no test refutes them."""

from __future__ import annotations

from pathlib import Path

from pincer.engines.cutpoints.zone_facts import ZoneFacts
from pincer.logic.bitvectors import compare, constant, room
from tests.engines.cutpoints.cut_runs import FILL, viewed
from tests.engines.dash.dash_runs import loaded
from tests.program.named_registers import register

A, N, AT = register("main::a", 64), register("main::n"), register("main::i")


def test_zones_know_the_bounds_of_a_loop(tmp_path: Path) -> None:
    view, head = viewed(loaded(tmp_path, FILL))
    found = set(ZoneFacts(view).candidates(view, head))
    assert {compare("bvule", AT, N), compare("bvule", N, constant(1000, 32))} <= found
    assert all(fact.variables <= view.live[head] for fact in found)
    assert all(view.holds(fact, head) for fact in found)


def test_sizes_that_are_no_differences_keep_their_bounds(tmp_path: Path) -> None:
    text = FILL.replace("n * sizeof *a", "n + 4000")
    view, head = viewed(loaded(tmp_path, text))
    found = set(ZoneFacts(view).candidates(view, head))
    assert compare("bvule", room(A), constant(5000, 64)) in found
