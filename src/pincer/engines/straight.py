"""Programs that read no inputs are just run, to their end, as long as there is time."""

from __future__ import annotations

from pincer.engines.board import Board, Holds, Violated
from pincer.engines.portfolio import Allowance, Ended, Going
from pincer.engines.violation import violated
from pincer.evidence.c_proof.paths import Paths
from pincer.execution.stepping import Stop
from pincer.execution.straight_memory import Open
from pincer.execution.straight_run import StraightRun
from pincer.program.control_flow import Input
from pincer.program.graphs import reachable

_FACTOR = 10
"""How much more is spent where no step of the program reads an input: such a run is most likely the answer."""

_DEEP = 200_000
"""Calls within calls that no stack carries: a program that gets there is not decided by running on."""


class StraightExecution:
    """The strategy: the only run of a program without inputs. It ends where an input decides something."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._run: StraightRun | None = None
        self._factor = 1 if _reads_inputs(board) else _FACTOR

    def step(self, budget: Allowance) -> Going | Ended | Holds | Violated:
        try:
            run = self._run = self._run or StraightRun(self._board.program)
            before = run.steps
            stop = run.run(self._factor * budget.steps, self._board.run.poll)
        except Open:
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


def _reads_inputs(board: Board) -> bool:
    procedures = board.program.procedures
    called = reachable((board.program.entry,), lambda name: procedures[name].callees)
    return any(isinstance(edge.label, Input) for name in called for edge in procedures[name].edges)
