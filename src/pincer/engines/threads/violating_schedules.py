"""Schedules that violate a temporal formula: fair rounds on which an automaton of the violations accepts, runs that end
where it accepts the end, and runs that stand still.

What is found here is a guess: the checker looks for a violation by itself, and compiled code follows the schedule.
"""

from __future__ import annotations

from pincer.engines.termination.verify import violations
from pincer.engines.threads.endless_schedules import EndlessSchedule, EndlessSearch, Values
from pincer.engines.threads.fair_rounds import FairRounds, Step, VisitedState
from pincer.execution.threads.limits import ExecutionLimits
from pincer.execution.threads.schedules import ThreadChoice
from pincer.execution.threads.state import Thread, ThreadedState
from pincer.logic import bitvectors
from pincer.logic.terms import Term, substitute
from pincer.program.automaton import Letter, holds
from pincer.program.control_flow import AtLabel, ControlFlowProgram, Observe, Watched
from pincer.program.property import Fairness

_NOBODY = ThreadChoice(-1)


class ViolationSearch(EndlessSearch):
    """The search with one plan for inputs, and an automaton that reads what the formula speaks of."""

    def __init__(
        self, program: ControlFlowProgram, limits: ExecutionLimits, values: Values, fairness: Fairness
    ) -> None:
        super().__init__(program, limits, values, fairness)
        self._automaton = violations(program.formula)
        self._letters: list[Letter] = []
        self._at = {
            edge.source: edge.label.moment.removeprefix("at ")
            for edge in program.edges()
            if isinstance(edge.label, Observe) and edge.label.moment.startswith("at ")
        }
        self._conditions: dict[tuple[Watched, tuple[bool, ...]], Term] = {}

    def _stands(self, number: int) -> EndlessSchedule | None:
        """Standing still need not violate a formula: it is one of the rounds."""
        return None

    def _round(self) -> EndlessSchedule | None:
        self._letters += map(self._letter, [state.threads for state in self._states[len(self._letters) :]])
        numbers: dict[tuple[int, int], int] = {}
        order: list[tuple[int, int]] = []
        pairs: list[VisitedState] = []

        def pair(number: int, node: int, reached: tuple[int, Step] | None) -> int:
            if (number, node) not in numbers:
                numbers[number, node] = len(pairs)
                order.append((number, node))
                here = self._states[number]
                pairs.append(VisitedState(here.threads, reached, here.owing, accepting=self._automaton.accepting[node]))
            return numbers[number, node]

        for first in self._automaton.initial:
            pair(0, first, None)
        for at, (number, node) in enumerate(order):
            here, letter = self._states[number], self._letters[number]
            if here.ends is not None and holds(self._automaton.ends[node], letter):
                return EndlessSchedule(_stem(pairs, at), (), self._values, ends=here.ends)
            steps = here.steps if here.stands is None else (*here.steps, Step(_NOBODY, number, spins=True))
            nodes = [edge.target for edge in self._automaton.leaving(node) if holds(edge.guard, letter)]
            pairs[at].steps = tuple(
                Step(step.choice, pair(step.target, after, (at, step)), step.spins) for step in steps for after in nodes
            )
        found = FairRounds(pairs, self._fairness).round()
        if found is None:
            return None
        start, loop = found
        if all(step.choice == _NOBODY for step in loop):
            return EndlessSchedule(_stem(pairs, start), (), self._values, self._states[order[start][0]].stands)
        moving = tuple(step for step in loop if step.choice != _NOBODY)
        return EndlessSchedule(_stem(pairs, start), moving, self._values)

    def _letter(self, threads: ThreadedState) -> Letter:
        return frozenset(one.name for one in self.interleaver.program.watched if self._is_said(threads, one))

    def _is_said(self, threads: ThreadedState, one: Watched) -> bool:
        places = tuple(
            any(self._is_at(thread, place) for thread in threads.live() if not thread.fresh) for _, place in one.places
        )
        condition = self._conditions.get((one, places))
        if condition is None:
            given = {
                register: bitvectors.constant(int(is_there), bitvectors.width(register))
                for (register, _), is_there in zip(one.places, places, strict=True)
            }
            condition = self._conditions[one, places] = substitute(one.condition, given)
        return bool(threads.state.value(condition))

    def _is_at(self, thread: Thread, place: AtLabel) -> bool:
        there = self._at.get(thread.location) == place.label
        return there and place.thread in ("", str(thread.number), thread.start)


def _stem(pairs: list[VisitedState], number: int) -> tuple[Step, ...]:
    steps: list[Step] = []
    while (reached := pairs[number].reached) is not None:
        if reached[1].choice != _NOBODY:
            steps.append(reached[1])
        number = reached[0]
    return tuple(reversed(steps))
