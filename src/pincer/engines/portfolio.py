"""Strategies side by side: each works a little in its turn, and the first that decides the question ends the run.

A strategy is asked to `step` with an allowance, which it counts down in steps of its own kind (edges executed,
frontiers extended, environments followed) and in calls of the solver. It never looks at the clock: the same program
with the same table gives the same run on any machine, and only `Run.poll` ends it early. What strategies learn from
each other goes over a board that they are made with.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from itertools import count
from typing import Any, Generic, Protocol, TypeVar

from msgspec import Struct, field

from pincer.runtime.run import Run, Stopwatch

Answer_co = TypeVar("Answer_co", covariant=True)
Answer = TypeVar("Answer")


class Allowance(Struct, frozen=True):
    """What may be spent: steps, and calls of the solver. A call that the solver works at for long counts as several."""

    steps: int
    calls: int

    def __add__(self, other: Allowance) -> Allowance:
        return Allowance(self.steps + other.steps, self.calls + other.calls)


NOTHING = Allowance(0, 0)


class Going(Struct, frozen=True):
    """There is more to do; the turn has cost what was `spent`."""

    spent: Allowance = NOTHING


class Idle(Struct, frozen=True):
    """There is nothing to do until others have learned something."""


class Ended(Struct, frozen=True):
    """There is nothing left to do, and the question is not decided; the reason says why."""

    reason: str


class Strategy(Protocol[Answer_co]):
    """A way to decide a question that can be interrupted after every step, and goes on where it was."""

    def step(self, budget: Allowance) -> Going | Idle | Ended | Answer_co:
        """Work until the budget is spent, or sooner; anything but the first three outcomes is the answer."""


class Share(Struct, frozen=True):
    """A row of a table: what a strategy may spend in the first round and in every later one.

    Without `later` it has one turn only."""

    strategy: str
    first: Allowance
    later: Allowance | None = None


class StrategyWork(Struct):
    """What a strategy has done in its turns, for people who want to know who decided what; nothing depends on it."""

    turns: int = 0
    answered: bool = False


class Portfolio(Struct, Generic[Answer]):
    """The strategies of one run by name, in the order and with the budgets of a table, for some `rounds` or any number.

    `spent` says what each has cost so far, `ended` why those gave up that have nothing left to do, `work` what all did.
    """

    table: Sequence[Share]
    strategies: Mapping[str, Strategy[Answer]]
    run: Run
    rounds: int | None = None
    spent: dict[str, Allowance] = {}
    ended: dict[str, str] = {}
    work: dict[str, StrategyWork] = {}
    watch: Stopwatch = field(default_factory=Stopwatch)

    def account(self) -> dict[str, dict[str, Any]]:
        """Who has worked how much, and with which success, as plain data; the order is that of the first turns."""
        return {
            name: {
                "turns": work.turns,
                "steps": self.spent.get(name, NOTHING).steps,
                "solver_calls": self.spent.get(name, NOTHING).calls,
                "time_s": round(self.watch.seconds.get(name, 0.0), 3),
                "outcome": "decided the question" if work.answered else self.ended.get(name, ""),
            }
            for name, work in self.work.items()
        }

    def decide(self) -> Answer | None:
        """Round after round until a strategy answers; None when all that are left have nothing to do, or no round is
        left."""
        turns = self.turns()
        while True:
            try:
                next(turns)
            except StopIteration as ended:
                answer: Answer | None = ended.value
                return answer

    def turns(self) -> Generator[None, None, Answer | None]:
        """The same, turn by turn."""
        for number in count() if self.rounds is None else range(self.rounds):
            is_any_going = False
            for share in self.table:
                budget = share.later if number else share.first
                if budget is None or share.strategy not in self.strategies or share.strategy in self.ended:
                    continue
                outcome = self._turn(share.strategy, budget)
                if not isinstance(outcome, Going | Idle | Ended):
                    return outcome
                is_any_going |= isinstance(outcome, Going)
                yield
            if number and not is_any_going:
                break
        return None

    def _turn(self, name: str, budget: Allowance) -> Going | Idle | Ended | Answer:
        self.run.poll()
        work = self.work.setdefault(name, StrategyWork())
        work.turns += 1
        with self.watch.timing(name):
            outcome = self.strategies[name].step(budget)
        work.answered = not isinstance(outcome, Going | Idle | Ended)
        if isinstance(outcome, Going):
            self.spent[name] = self.spent.get(name, NOTHING) + outcome.spent
        elif isinstance(outcome, Ended):
            self.ended[name] = outcome.reason
        return outcome
