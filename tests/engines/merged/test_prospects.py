"""Prospects are good while loops go round about as often as there are inputs."""

from __future__ import annotations

from pathlib import Path

from pincer.engines.merged.limits import LIMITS
from pincer.engines.merged.prospects import Prospects
from tests.engines.merged.executions import begun, ended

MOST = LIMITS.rounds_anyway


def test_rounds_that_inputs_decide_about_need_inputs() -> None:
    prospects = Prospects()
    prospects.entered((0, 1), 4, 0)
    prospects.again((0, 1), 6, MOST, 0)
    assert prospects.good
    prospects.again((0, 1), 6, MOST + 1, 0)
    assert not prospects.good


def test_a_loop_that_goes_on_whatever_the_inputs_are_says_nothing() -> None:
    prospects = Prospects()
    prospects.entered((0, 1), 4, 0)
    prospects.again((0, 1), 4, 100 * MOST, 0)
    assert prospects.good


def test_rounds_that_read_an_input_each_are_few() -> None:
    prospects, most = Prospects(), LIMITS.rounds_with_inputs
    prospects.entered((0, 1), 4, 20)
    prospects.again((0, 1), 6, most, 20 + most)
    prospects.again((0, 1), 6, most + 1, 20 + most)
    assert prospects.good
    prospects.again((0, 1), 6, most + 1, 20 + most + 1)
    assert not prospects.good


def test_a_scan_over_inputs_has_good_prospects(tmp_path: Path) -> None:
    text = """
        int main(void) {
            char s[65]; int i = 0;
            for (int k = 0; k < 64; k++) s[k] = __VERIFIER_nondet_char();
            s[64] = 0;
            while (s[i]) i++;
            assert(i <= 64);
        }"""
    assert ended(tmp_path, text).prospects.good


def test_a_loop_that_inputs_may_keep_going_for_ever_has_bad_ones(tmp_path: Path) -> None:
    execution = begun(tmp_path, "int main(void) { unsigned n = 0; while (__VERIFIER_nondet_int()) n++; assert(n); }")
    for _ in range(10 * MOST):
        execution.advance()
    assert not execution.prospects.good and not execution.is_done


def test_states_that_are_kept_apart_go_round_together(tmp_path: Path) -> None:
    text = """
        int main(void) {
            unsigned char s[2] = {0, 0}; unsigned at = 0;
            for (int k = 0; k < 12; k++) {
                if (__VERIFIER_nondet_char() & 1) at = 1 - at;
                s[at] = k;
            }
            assert(s[at] == 11);
        }"""
    assert ended(tmp_path, text).prospects.good
