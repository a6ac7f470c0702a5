"""Programs in which inputs decide nothing are just run, to their end, as long as there is time."""

from __future__ import annotations

from pincer.engines.board import Board, Holds, Violated
from pincer.engines.portfolio import Allowance, Ended, Going
from pincer.engines.violation import violated
from pincer.evidence.c_proof.paths import Paths
from pincer.execution.stepping import Stop
from pincer.execution.straight_memory import NeedsInput
from pincer.execution.straight_run import StraightRun

_DEEP = 200_000
"""Calls within calls that no stack carries: a program that gets there is not decided by running on."""


class StraightExecution:
    """The strategy: the only run of a program in which inputs decide nothing. It ends where one does."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._run: StraightRun | None = None

    def step(self, budget: Allowance) -> Going | Ended | Holds | Violated:
        try:
            run = self._run = self._run or StraightRun(self._board.program)
            before = run.steps
            stop = run.run(budget.steps, self._board.run.poll)
        except NeedsInput:
            return Ended("inputs decide how the program goes on")
        if stop is None and len(run.waiting) > _DEEP:
            return Ended("calls lead ever deeper")
        if stop is None:
            return Going(Allowance(run.steps - before, 0))
        return self._ended(stop, run.steps)

    def _ended(self, stop: Stop, steps: int) -> Ended | Holds | Violated:
        if self._board.is_violation(stop):
            return violated(self._board, {}, steps=steps) or Ended("a violation could not be repeated")
        if stop.kind == "check":
            self._board.ended(stop)
            return Ended("the only run ends in undefined behaviour")
        return Holds("paths", execution=Paths(1, steps))
