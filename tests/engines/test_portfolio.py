"""Turns of strategies: their order, their budgets, and how a run ends."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import pytest

from pincer.engines.portfolio import Allowance, Ended, Going, Idle, Portfolio, Share
from pincer.runtime.reasons import Reason
from pincer.runtime.run import Run, Stopped


@dataclass
class Scripted:
    """A strategy with given outcomes, the last of them for ever; `seen` are the steps it was allowed."""

    outcomes: Iterable[Going | Idle | Ended | str]
    seen: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._left = list(self.outcomes)

    def step(self, budget: Allowance) -> Going | Idle | Ended | str:
        self.seen.append(budget.steps)
        return self._left.pop(0) if len(self._left) > 1 else self._left[0]


def share(name: str, first: int, later: int | None = None) -> Share:
    return Share(name, Allowance(first, 0), None if later is None else Allowance(later, 0))


def test_the_first_answer_ends_the_run_and_later_rounds_have_their_own_budgets() -> None:
    a, b = Scripted([Going()]), Scripted([Going(), Going(), "safe"])
    portfolio = Portfolio([share("a", 10, 3), share("b", 20, 5)], {"a": a, "b": b}, Run())
    assert portfolio.decide() == "safe"
    assert a.seen == [10, 3, 3] and b.seen == [20, 5, 5]


def test_a_row_without_later_budget_has_one_turn_and_a_strategy_may_have_several_rows() -> None:
    a, b = Scripted([Going()]), Scripted([Going(), "unsafe"])
    table = [share("a", 1), share("b", 2, 4), share("a", 3)]
    assert Portfolio(table, {"a": a, "b": b}, Run()).decide() == "unsafe"
    assert a.seen == [1, 3] and b.seen == [2, 4]


def test_who_has_ended_is_not_asked_again_and_its_reason_is_kept() -> None:
    a, b = Scripted([Ended("too many paths")]), Scripted([Going(Allowance(4, 2)), Going(Allowance(1, 1)), Ended("x")])
    portfolio = Portfolio([share("a", 1, 1), share("b", 1, 1)], {"a": a, "b": b}, Run())
    assert portfolio.decide() is None
    assert portfolio.ended == {"a": "too many paths", "b": "x"} and a.seen == [1]
    assert portfolio.spent == {"b": Allowance(5, 3)}


def test_a_run_ends_undecided_when_all_that_are_left_wait_for_others() -> None:
    a, b = Scripted([Idle(), Going(), Idle()]), Scripted([Idle()])
    assert Portfolio([share("a", 1, 1), share("b", 1, 1)], {"a": a, "b": b}, Run()).decide() is None
    assert len(a.seen) == 3


def test_a_run_may_be_limited_to_some_rounds() -> None:
    a = Scripted([Going()])
    assert Portfolio([share("a", 5, 7)], {"a": a}, Run(), rounds=3).decide() is None
    assert a.seen == [5, 7, 7]


def test_a_stopped_run_ends_between_two_turns() -> None:
    run = Run()
    run.stop(Reason("enough"))
    with pytest.raises(Stopped, match="enough"):
        Portfolio([share("a", 1, 1)], {"a": Scripted([Going()])}, run).decide()


def test_who_did_what_can_be_told() -> None:
    a, b = Scripted([Ended("too many paths")]), Scripted([Going(Allowance(4, 2)), "safe"])
    portfolio = Portfolio([share("a", 1, 1), share("b", 1, 1)], {"a": a, "b": b}, Run())
    assert portfolio.decide() == "safe"
    told = {name: {**work, "time_s": 0} for name, work in portfolio.account().items()}
    assert told == {
        "a": {"turns": 1, "steps": 0, "solver_calls": 0, "time_s": 0, "outcome": "too many paths"},
        "b": {"turns": 2, "steps": 4, "solver_calls": 2, "time_s": 0, "outcome": "decided the question"},
    }
