"""DASH as a strategy: it takes turns, uses the tests of others, and gives proofs of the program as it is written."""

from __future__ import annotations

from pathlib import Path

from pincer.engines.board import Holds, Violated
from pincer.engines.dash.strategy import Regions
from pincer.engines.portfolio import Allowance, Going
from pincer.evidence.c_proof.checker import check_proof
from pincer.logic.bitvectors import variable
from pincer.program.control_flow import Call
from tests.engines.dash.dash_runs import MUCH, board_of, certificate, loaded
from tests.engines.dash.paper_figures import FIG4
from tests.engines.inlined_programs import SAFE

RARE = "int main(void) { if (__VERIFIER_nondet_uint() * 3u + 7u == 0x12345678u) reach_error(); }"


def test_calls_are_put_in_place_unless_the_program_is_taken_as_it_is(tmp_path: Path) -> None:
    program = loaded(tmp_path, SAFE["functions without variables of their own"])
    for plain in (True, False):
        analysed = Regions(board_of(program), plain=plain).analysed
        assert any(isinstance(edge.label, Call) for edge in analysed.edges()) == plain


def test_what_holds_comes_with_a_proof_that_the_checker_accepts(tmp_path: Path) -> None:
    program = loaded(tmp_path, FIG4)
    answer = Regions(board_of(program)).step(MUCH)
    assert isinstance(answer, Holds) and answer.check == "regions"
    assert check_proof(program, certificate(program, answer.proofs)).accepted


def test_a_small_budget_interrupts_the_search_and_the_next_one_goes_on(tmp_path: Path) -> None:
    regions = Regions(board_of(loaded(tmp_path, FIG4)), plain=True)
    turns = 0
    while isinstance(answer := regions.step(Allowance(1, 1)), Going):
        turns += 1
        assert turns < 1_000
    assert turns > 1 and isinstance(answer, Holds)


def test_tests_of_others_are_run_before_anything_is_asked(tmp_path: Path) -> None:
    program = loaded(tmp_path, RARE)
    board = board_of(program)
    number = (0x12345678 - 7) * pow(3, -1, 1 << 32) % (1 << 32)
    board.inputs.append({variable("input0", 32): number})
    regions = Regions(board)
    answer = regions.step(MUCH)
    assert isinstance(answer, Violated)
    assert [value.value for value in answer.test.inputs] == [number]
    assert regions.dash.questions.effort == 0
