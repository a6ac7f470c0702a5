"""The strategy: merged execution beside the others, by turns."""

from __future__ import annotations

from collections.abc import Mapping

from pincer.engines.board import Board, Holds, Violated
from pincer.engines.merged.asking import Asking, Model
from pincer.engines.merged.conditions import Conditions
from pincer.engines.merged.execution import MergedExecution
from pincer.engines.merged.limits import LIMITS
from pincer.engines.merged.state import Goal, GoalKind, Unmodelled
from pincer.engines.portfolio import Allowance, Ended, Going, Idle
from pincer.engines.violation import violated
from pincer.execution.machine import World
from pincer.execution.testing import Tester
from pincer.logic import bitvectors
from pincer.logic.bitvectors import width
from pincer.logic.decision_diagrams import TooManyNodes
from pincer.logic.solver import SolverUnknown
from pincer.logic.terms import Term


class Merged:
    """All paths at once. While the prospects of coming to an end are good, a budget counts several times, unless the
    solver is asked about words of inputs as a whole (`by_words`), which it may take long about."""

    def __init__(self, board: Board, by_words: bool = False) -> None:
        self._board = board
        self._conditions = Conditions(by_words)
        self._asking = Asking(board.run, self._conditions)
        self.questions = self._asking.questions
        self.execution = MergedExecution(board.program, self._conditions, self._asking.is_possible)
        self._is_small = sum(1 for _ in board.program.edges()) <= LIMITS.promising_edges
        self._pending: list[Goal] = []
        self._taken = self._tests = 0
        self._open_reason = ""
        self._outcome: Ended | Holds | Violated | None = None

    def step(self, budget: Allowance) -> Going | Ended | Holds | Violated:
        before = Allowance(self.execution.steps, self.questions.effort)
        try:
            while self._outcome is None and self._is_within(before, budget):
                self._some_steps()
            # What the solver could not say with its share is asked again in the next turn, with more.
            if self._outcome is None and self._has_calls(before, budget):
                self._outcome = self._asked()
        except Unmodelled as reason:
            self._outcome = self._asked() or Ended(str(reason))
        except TooManyNodes:
            self._outcome = Ended("the guards of merged paths became too large")
        except RecursionError:
            self._outcome = Ended("a formula became too large")
        spent = Allowance(self.execution.steps - before.steps, self.questions.effort - before.calls)
        return self._outcome or Going(spent)

    @property
    def has_good_prospects(self) -> bool:
        """Whether it is likely to come to an end."""
        return self._is_small and self.execution.prospects.good

    @property
    def relates(self) -> bool:
        """Whether relations were met that are not followed into the bytes of inputs."""
        return self._conditions.relates

    @property
    def formula(self) -> int:
        """How large the guards of all executions have become together: nodes of decision diagrams."""
        return self._conditions.diagrams.nodes

    def _is_within(self, before: Allowance, budget: Allowance) -> bool:
        is_going = self.execution.steps - before.steps < self._times * budget.steps
        return is_going and self._has_calls(before, budget)

    def _has_calls(self, before: Allowance, budget: Allowance) -> bool:
        return self.questions.effort - before.calls < self._times * budget.calls

    @property
    def _times(self) -> int:
        """How often a budget counts."""
        return LIMITS.good_prospects if self.has_good_prospects and not self._conditions.by_words else 1

    def _some_steps(self) -> None:
        self._board.run.poll()
        enough = self.execution.steps + LIMITS.at_once
        while self.execution.steps < enough:
            if self.execution.is_done:
                self._outcome = self._asked() or self._ended()
                return
            self.execution.advance()
        self._take_goals()
        if len(self._pending) >= LIMITS.goals:
            self._outcome = self._asked()

    def _ended(self) -> Ended | Holds | None:
        if self._pending:
            return None
        if self._open_reason:
            return Ended(self._open_reason)
        return Holds("merged", execution=self.execution.proof())

    def _take_goals(self) -> None:
        goals = self.execution.noting.goals
        is_failure_harmless = self._board.kind == "memory"
        self._pending += (
            goal for goal in goals[self._taken :] if not (is_failure_harmless and goal.kind is GoalKind.FAIL)
        )
        self._taken = len(goals)

    def _asked(self) -> Ended | Violated | None:
        """Whether what may go wrong does: all of it at once, and again without what a test has shown."""
        self._take_goals()
        while self._pending:
            try:
                model = self._asking.model(goal.guard for goal in self._pending)
            except SolverUnknown:
                return (
                    Ended("the solver does not say whether an error can be reached") if self._asking.is_tired else None
                )
            if model is None:
                self._pending.clear()
                break
            met = [goal for goal in self._pending if model.satisfies(goal.guard)]
            found = self._tested(model, met)
            if found is not None:
                return found
            self._open_reason = self._open_reason or f"{met[0].message} {met[0].edge.position.said}"
            self._pending = [goal for goal in self._pending if goal not in met]
        return None

    def _tested(self, model: Model, met: list[Goal]) -> Violated | None:
        """Execute the program with the inputs of a model."""
        inputs = self._inputs(model)
        self._tests += 1
        tester = Tester(World(self._board.program))
        last, stop = tester.run(tester.root(inputs), LIMITS.steps_of_tests, self._board.run.poll)
        if self._board.is_violation(stop):
            return violated(self._board, last.state.values)
        if stop.kind == "check" and any(goal.kind is GoalKind.CHECK for goal in met):
            self._board.ended(stop)
            self._board.inputs.append(last.state.values)
        return None

    def _inputs(self, model: Model) -> Mapping[Term, int]:
        """The inputs that an execution reads, in the order in which it does, and contents that were never stored."""
        stepping = self.execution.stepping
        read = [read.symbol for read in stepping.inputs if model.satisfies(read.guard)]
        return {
            bitvectors.variable(f"input{i}", width(symbol)): model.symbols.get(symbol, 0)
            for i, symbol in enumerate(read)
        }


class MergedToTheEnd:
    """More work for merged execution, as long as its prospects are good."""

    def __init__(self, merged: Merged) -> None:
        self._merged = merged

    def step(self, budget: Allowance) -> Going | Idle | Ended | Holds | Violated:
        return self._merged.step(budget) if self._merged.has_good_prospects else Idle()


class MergedByWords:
    """Merged execution that does not look into words of inputs, where `merged` has met relations that it cannot follow
    into them: between elements that are sorted, or checksums."""

    def __init__(self, board: Board, merged: Merged) -> None:
        self._merged = merged
        self._own = Merged(board, by_words=True)
        self.questions = self._own.questions

    @property
    def formula(self) -> int:
        """How large its own guards have become."""
        return self._own.formula

    def step(self, budget: Allowance) -> Going | Idle | Ended | Holds | Violated:
        return self._own.step(budget) if self._merged.relates else Idle()
