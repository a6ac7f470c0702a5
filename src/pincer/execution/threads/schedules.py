"""Schedules as data: which thread went on at each scheduling point, and the input values; replayed exactly."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from pincer.errors import PincerError
from pincer.execution.stepping import Stop
from pincer.execution.threads.interleaving import Interleaver
from pincer.execution.threads.state import ThreadedState
from pincer.execution.threads.transitions import ThreadTransition
from pincer.logic.terms import Term


class ThreadChoice(Struct, frozen=True):
    """At a scheduling point this thread goes on; `pick` chooses whom a signal wakes and the like."""

    thread: int
    pick: int = 0


class Schedule(Struct, frozen=True):
    """Choices in order, and the values of input symbols."""

    choices: tuple[ThreadChoice, ...]
    inputs: Mapping[Term, int] = {}


class ReplayedSchedule(Struct, frozen=True):
    """An execution: the states between transitions (the first one included), and the transitions."""

    states: tuple[ThreadedState, ...]
    transitions: tuple[ThreadTransition, ...]

    @property
    def last(self) -> ThreadedState:
        return self.transitions[-1].threads if self.transitions else self.states[0]

    @property
    def stop(self) -> Stop | None:
        return self.transitions[-1].stop if self.transitions else None


def replay(interleaver: Interleaver, schedule: Schedule) -> ReplayedSchedule:
    """Run a schedule again. A choice that cannot be taken is a mistake in the schedule."""
    threads = interleaver.initial(schedule.inputs)
    states, transitions = [threads], list[ThreadTransition]()
    for number, choice in enumerate(schedule.choices, 1):
        known = threads.threads.get(choice.thread)
        if known is None or not known.live or interleaver.pending(threads, choice.thread).waiting is not None:
            raise PincerError(f"choice {number} of the schedule names thread {choice.thread}, which cannot run there")
        transition = interleaver.take(threads, choice.thread, choice.pick)
        transitions.append(transition)
        if transition.stop is not None:
            break
        threads = transition.threads
        states.append(threads)
    return ReplayedSchedule(tuple(states), tuple(transitions))
