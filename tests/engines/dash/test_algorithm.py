"""The paper's examples: verdicts, one question per iteration, the growth it promises, and proofs that are checked."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.bench.dash_families import fig3, fig6
from pincer.engines.sequential import EVERYTHING
from tests.engines.claims import failing_test_of, reason_of
from tests.engines.dash.dash_runs import decided, family, finished, judged, loaded
from tests.engines.dash.paper_figures import BROKEN, FIGURES


@pytest.mark.parametrize("figure", FIGURES)
def test_a_figure_is_proved_and_the_checker_agrees(tmp_path: Path, figure: str) -> None:
    program = loaded(tmp_path, FIGURES[figure])
    result = decided(program)
    assert result.verdict == "safe", reason_of(result)
    checked = judged(program, result)
    assert checked.accepted, checked.refused
    assert checked.obligations > 0


@pytest.mark.parametrize("figure", FIGURES)
def test_every_iteration_asks_one_question(tmp_path: Path, figure: str) -> None:
    numbers = decided(loaded(tmp_path, FIGURES[figure])).statistics
    assert numbers["iterations"] == numbers["questions"] > 0
    assert numbers["solver_calls"] <= numbers["questions"]


@pytest.mark.parametrize("figure", BROKEN)
def test_a_figure_with_a_mistake_is_violated(tmp_path: Path, figure: str) -> None:
    result = decided(loaded(tmp_path, BROKEN[figure]))
    assert result.verdict == "unsafe", reason_of(result)
    assert "reach_error" in failing_test_of(result).failure.message


def test_figure_1_needs_no_test_but_the_first(tmp_path: Path) -> None:
    assert decided(loaded(tmp_path, FIGURES["1"])).statistics["tests"] == 1


def test_figure_3_takes_near_linear_iterations(tmp_path: Path) -> None:
    iterations = {}
    for n in (2, 4, 8, 16):
        result = decided(family(tmp_path, fig3(n)))
        assert result.verdict == "safe", reason_of(result)
        iterations[n] = result.statistics["iterations"]
        assert result.statistics["questions"] == iterations[n]
    assert iterations[16] < 12 * iterations[2], iterations
    assert iterations[16] < 3 * iterations[8], iterations


def test_checking_figure_3_takes_one_solver_call_for_each_pointer_though_its_conditions_are_about_all_pairs(
    tmp_path: Path,
) -> None:
    for n in (4, 8):
        program = family(tmp_path, fig3(n))
        checked = judged(program, decided(program))
        assert checked.accepted, checked.refused
        assert sum(checked.solver_calls.values()) <= n + 2, checked.solver_calls


def test_figure_6_takes_linear_splits_for_its_exponentially_many_paths(tmp_path: Path) -> None:
    splits = {}
    for n in (2, 4, 8, 16):
        dash = finished(family(tmp_path, fig6(n)))
        splits[n] = sum(search.abstraction.splits for search in dash.main.values())
        assert dash.statistics.tests <= 2 * n + 2
    assert splits[2] > 0
    assert splits[16] - splits[8] <= 2.2 * (splits[8] - splits[4]), splits
    assert splits[16] < 16 * 16


def test_figure_6_is_settled_by_constants_before_any_question(tmp_path: Path) -> None:
    program = family(tmp_path, fig6(20))
    result = decided(program, choice=EVERYTHING)
    assert (result.verdict, result.statistics["questions"]) == ("safe", 0)
    assert judged(program, result).accepted
