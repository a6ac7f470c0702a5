"""The points-to analysis for questions about few pointers: addresses first, numbers that may be any address afterwards.

The plain analysis takes a sum of which it has seen no address yet for a number, and keeps that. Here it is run twice:
the first time sums and places without an address are none, the second time they are what they are for good. Every edge
is followed again with what was found, so that the outcome is a solution like any other, but a smaller one.
"""

from __future__ import annotations

from collections.abc import Callable

from pincer.logic.terms import Term
from pincer.program.control_flow import ControlFlowProgram
from pincer.program.memory_regions import Pointers
from pincer.program.points_to import PointsTo, PointsToSolver, Tracking


def patient_points_to(program: ControlFlowProgram, poll: Callable[[], None] = lambda: None) -> PointsTo:
    """A solution for a program."""
    return _Patient(program).run(poll)


class _Waiting(Tracking):
    """Values while addresses are still on their way."""

    def _number(self, term: Term, kept: Pointers) -> Pointers:
        return kept

    def place(self, term: Term, pointers: Pointers) -> Pointers:
        return pointers


class _Patient(PointsToSolver):
    def settle(self, poll: Callable[[], None]) -> None:
        self.evaluation = _Waiting
        super().settle(poll)
        self.evaluation = Tracking
        self.waiting.update(dict.fromkeys(edge for place in self.reached for edge in self.outgoing.get(place, ())))
        super().settle(poll)
