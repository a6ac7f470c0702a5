"""Random tests: shallow violations, and tests that are worth keeping."""

from __future__ import annotations

from pathlib import Path

from pincer.engines.board import Violated
from pincer.engines.portfolio import Allowance, Ended, Going
from pincer.engines.sampling.hunting import Hunting
from pincer.engines.sampling.limits import LIMITS
from tests.engines.dash.dash_runs import MUCH, board_of, loaded


def test_a_constant_that_the_program_compares_with_is_drawn(tmp_path: Path) -> None:
    board = board_of(loaded(tmp_path, "int main(void) { if (__VERIFIER_nondet_int() == 123456) reach_error(); }"))
    found = Hunting(board).step(MUCH)
    assert isinstance(found, Violated)
    assert [value.value for value in found.test.inputs] == [123456]
    assert found.passed and found.inputs == found.test.inputs


def test_tests_that_go_new_ways_are_handed_on_and_no_others(tmp_path: Path) -> None:
    text = "int main(void) { int x = __VERIFIER_nondet_int(); if (x == 5) x = 1; else if (x == 9) x = 2; assert(x); }"
    board = board_of(loaded(tmp_path, text.replace("assert(x);", "")))
    assert isinstance(Hunting(board).step(MUCH), Ended)
    assert 1 < len(board.inputs) <= LIMITS.tests_kept


def test_a_program_without_inputs_needs_no_random_tests(tmp_path: Path) -> None:
    assert isinstance(Hunting(board_of(loaded(tmp_path, "int main(void) { return 0; }"))).step(MUCH), Ended)


def test_tests_end_with_the_budget_and_go_on_later(tmp_path: Path) -> None:
    hunting = Hunting(board_of(loaded(tmp_path, "int main(void) { while (__VERIFIER_nondet_int()) ; }")))
    turns = 0
    while isinstance(hunting.step(Allowance(20, 0)), Going):
        turns += 1
    assert turns > 1
