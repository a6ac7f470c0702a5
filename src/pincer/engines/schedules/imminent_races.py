"""Races that a state shows under some inputs: two threads are about to access the same data.

What a thread accesses next may depend on inputs. So each thread's next transition is followed in all the ways that
touch something else, and those of a second thread are followed under the conditions of the first.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from msgspec import Struct
from msgspec.structs import replace

from pincer.engines.questions import Infeasible, Questions
from pincer.engines.schedules.findings import Race, ScheduleAnswer, shown
from pincer.execution.machine import History
from pincer.execution.threads.accesses import Footprint, races
from pincer.execution.threads.interleaving import Interleaver
from pincer.execution.threads.state import ThreadedState
from pincer.execution.threads.transitions import InputTurn, ThreadTransition
from pincer.logic.solver import SolverUnknown


class Unsettled(Exception):
    """Which accesses come next depends on an input that is read only between them."""


class ImminentRace(Struct, frozen=True):
    """A race and the state that shows it: the one looked at, with inputs for it."""

    race: Race
    threads: ThreadedState


def seen_race(
    interleaver: Interleaver, questions: Questions, threads: ThreadedState, answer: ScheduleAnswer
) -> ImminentRace | None:
    """A race that a state shows; if that cannot be told, the answer says so."""
    try:
        return imminent_race(interleaver, questions, threads)
    except SolverUnknown:
        answer.truncated["the solver gave no answer"] += 1
    except Unsettled:
        answer.truncated["what an atomic section accesses depends on an input that it reads"] += 1
    return None


def imminent_race(interleaver: Interleaver, questions: Questions, threads: ThreadedState) -> ImminentRace | None:
    """A race that a state shows, with its own inputs or others. Raises SolverUnknown and Unsettled."""
    race = shown(interleaver, "race", threads)
    if isinstance(race, Race):
        return ImminentRace(race, threads)
    enabled = interleaver.enabled(threads)
    if not any(_mattering(interleaver.take(threads, number), threads) for number in enabled):
        return None
    for first, second in combinations(enabled, 2):
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
    pending: list[InputTurn | None] = [None]
    while pending:
        turn = pending.pop()
        if turn is None:
            there, transition = threads, interleaver.take(threads, number)
        else:
            answer = questions.extend(turn.path, [turn.condition])
            if isinstance(answer, Infeasible):
                continue
            there, transition = threads.under(answer.model), interleaver.turn(turn, answer.model)
        pending.extend(_mattering(transition, threads))
        yield replace(there, conditions=_conditions(transition)), transition.footprint


def _mattering(transition: ThreadTransition, before: ThreadedState) -> list[InputTurn]:
    """The turns after which a transition may touch something else."""
    found = [turn for turn in transition.turns if turn.progress.may_touch_more]
    if any(turn.progress.node.state.counters != before.state.counters for turn in found):
        raise Unsettled
    return found


def _conditions(transition: ThreadTransition) -> History | None:
    """The conditions under which a transition touches what it does, without those of the steps after that."""
    later = (turn.path for turn in transition.turns if not turn.progress.may_touch_more)
    return next(later, transition.threads.conditions)
