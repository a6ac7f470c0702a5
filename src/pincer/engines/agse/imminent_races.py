"""Races that a state shows under some inputs: two threads are about to access the same data.

What a thread accesses next may depend on inputs. So each thread's next transition is followed in all the ways that
touch something else, and those of a second thread are followed under the conditions of the first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations

from pincer.engines.agse.findings import Race
from pincer.engines.dash.questions import Infeasible, Questions
from pincer.execution.threads.accesses import Footprint, races
from pincer.execution.threads.interleaving import Interleaver, Transition, Turn
from pincer.execution.threads.state import ThreadedState


class Unsettled(Exception):
    """Which accesses come next depends on an input that is read only between them."""


@dataclass(frozen=True, slots=True)
class ImminentRace:
    """A race and the state that shows it: the one looked at, with inputs for it."""

    race: Race
    threads: ThreadedState


def imminent_race(interleaver: Interleaver, questions: Questions, threads: ThreadedState) -> ImminentRace | None:
    """A race that a state shows, with its own inputs or others. Raises SolverUnknown and Unsettled."""
    for first, second in combinations(interleaver.enabled(threads), 2):
        for there, touched in _ways(interleaver, questions, threads, first):
            for here, others in _ways(interleaver, questions, there, second):
                pair = races(touched, others)
                if pair is not None:
                    return ImminentRace(Race((first, second), pair), here)
    return None


def _ways(
    interleaver: Interleaver, questions: Questions, threads: ThreadedState, number: int
) -> Iterator[tuple[ThreadedState, Footprint]]:
    """What a thread's next transition may touch, each with the state under inputs that make it do so."""
    pending: list[Turn | None] = [None]
    while pending:
        turn = pending.pop()
        if turn is None:
            there, transition = threads, interleaver.take(threads, number)
        else:
            answer = questions.extend(turn.path, [turn.condition])
            if isinstance(answer, Infeasible):
                continue
            there, transition = threads.under(answer.model), interleaver.turn(turn, answer.model)
        mattering = [turn for turn in transition.turns if turn.progress.may_touch_more]
        if any(turn.progress.node.state.counters[1] != threads.state.counters[1] for turn in mattering):
            raise Unsettled
        pending.extend(mattering)
        yield replace(there, conditions=_conditions(transition)), transition.footprint


def _conditions(transition: Transition):
    """The conditions under which a transition touches what it does: those of the steps up to its last access."""
