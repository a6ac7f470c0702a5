"""Taking transitions for a search: with a thread's own inputs, or with others that make it turn another way."""

from __future__ import annotations

from pincer.engines.questions import Infeasible, Questions
from pincer.engines.schedules.findings import Answer
from pincer.execution.threads.interleaving import Interleaver, Transition, Turn
from pincer.execution.threads.state import ThreadedState
from pincer.logic.solver import SolverUnknown


def taken(
    interleaver: Interleaver, questions: Questions, answer: Answer, begun: tuple[ThreadedState, int], way: int | Turn
) -> Transition | None:
    """The transition of a thread from a state, one of its outcomes or turned; None if no inputs lead that way, or if it
    is not known, which the answer then says. The answer counts what was taken."""
    if isinstance(way, int):
        transition = interleaver.take(*begun, way)
    else:
        try:
            found = questions.extend(way.path, [way.condition])
        except SolverUnknown:
            answer.truncated["the solver gave no answer"] += 1
            return None
        if isinstance(found, Infeasible):
            return None
        transition = interleaver.turn(way, found.model)
    answer.transitions += 1
    return transition
