"""What guesses are made from: live registers, states of tests, and range facts tried on them."""

from __future__ import annotations

from pathlib import Path

from pincer.engines.cutpoints.view import in_state
from pincer.logic import ranges, terms
from pincer.logic.bitvectors import binary, compare, constant, extend, load
from tests.engines.cutpoints.cut_runs import FILL, viewed
from tests.engines.dash.dash_runs import loaded
from tests.program.named_registers import register

A, N, AT, K = register("main::a", 64), register("main::n"), register("main::i"), register("main::k")


def test_registers_that_are_read_later_are_live(tmp_path: Path) -> None:
    program = loaded(tmp_path, FILL)
    view, head = viewed(program)
    assert {A, N, AT, program.top} <= view.live[head]
    assert K not in view.live[head]


def test_tests_come_to_the_loop_with_different_lengths(tmp_path: Path) -> None:
    view, head = viewed(loaded(tmp_path, FILL))
    assert len({state.value(N) for state in view.states[head]}) > 3
    assert view.holds(compare("bvule", AT, N), head)
    assert not view.holds(terms.equal(AT, N), head)


def test_range_facts_are_tried_on_states(tmp_path: Path) -> None:
    view, head = viewed(loaded(tmp_path, FILL))
    cell = load(binary("bvadd", A, binary("bvmul", constant(4, 64), ranges.index(64))), 4)
    first = constant(0, 64)
    filled = ranges.every(first, extend(AT, 32, False), terms.equal(cell, constant(7, 32)))
    longer = ranges.every(first, extend(N, 32, False), terms.equal(cell, constant(7, 32)))
    assert view.holds(filled, head)
    assert not view.holds(longer, head)
    assert any(in_state(terms.negate(longer), state) for state in view.states[head])
