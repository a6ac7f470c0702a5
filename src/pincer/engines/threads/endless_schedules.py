"""Schedules without an end: threads that stand still for ever, or states that come again on a fair round.

States of executions with fixed inputs are visited breadth first, and which follow which is kept. A component in which a
fair run can stay becomes a round. What is found here is a guess: the checker visits states by itself, and compiled code
goes the rounds.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterator, Mapping
from itertools import islice

from msgspec import Struct

from pincer.engines.threads.fair_rounds import FairRounds, Step, VisitedState
from pincer.engines.threads.limits import ENDLESS_LIMITS
from pincer.execution.threads.deadlocks import ThreadDeadlock, unsignalled
from pincer.execution.threads.fingerprints import snapshot
from pincer.execution.threads.interleaving import Interleaver
from pincer.execution.threads.limits import ExecutionLimits
from pincer.execution.threads.schedules import ThreadChoice
from pincer.execution.threads.state import ThreadedState
from pincer.logic.bitvectors import signed, width
from pincer.logic.terms import postorder
from pincer.program.control_flow import Assume, ControlFlowProgram, Input
from pincer.program.property import Fairness
from pincer.runtime.run import Run

Values = Mapping[Input, int]
"""The value of an input wherever it is read."""


class EndlessSchedule(Struct, frozen=True):
    """How a run without an end goes: the steps to a state, and those of a round from there. Without a round, `waits`
    says what all threads wait for, or the program `ends` with a choice."""

    stem: tuple[Step, ...]
    loop: tuple[Step, ...]
    values: Values
    waits: ThreadDeadlock | None = None
    ends: ThreadChoice | None = None


def plans(program: ControlFlowProgram) -> Iterator[Values]:
    """Values for inputs that are worth trying."""
    labels = list(dict.fromkeys(edge.label for edge in program.edges() if isinstance(edge.label, Input)))
    yield {label: label.usual for label in labels}
    for number in dict.fromkeys((*ENDLESS_LIMITS.values, *_mentioned(program))) if labels else ():
        yield {label: number & ((1 << width(label.register)) - 1) for label in labels}


def _mentioned(program: ControlFlowProgram) -> Iterator[int]:
    """Numbers that the formula speaks of, then those that conditions compare with, with both signs (sums have what is
    taken from them negated), and their neighbours."""
    decisions = [edge.label.condition for edge in program.edges() if isinstance(edge.label, Assume)]
    conditions = [*(one.condition for one in program.watched), *decisions]
    words = (part for condition in conditions for part in postorder(condition) if part.op in ("bvconst", "bvlin"))
    numbers = (signed(part.args[0 if part.op == "bvconst" else 1], width(part)) for part in words if width(part) > 1)
    both = list(dict.fromkeys(number for found in numbers for number in (abs(found), -abs(found))))
    yield from islice(dict.fromkeys(number + by for by in (0, 1, -1) for number in both), ENDLESS_LIMITS.mentioned)


class EndlessSearch:
    """The search with one plan for inputs."""

    def __init__(
        self, program: ControlFlowProgram, limits: ExecutionLimits, values: Values, fairness: Fairness
    ) -> None:
        self.interleaver = Interleaver(program, limits, lambda label, _: values.get(label, 0), concrete=True)
        self._values = values
        self._fairness = fairness
        self._states: list[VisitedState] = []
        self._numbers: dict[object, int] = {}
        self._waiting: deque[int] = deque()
        self.transitions = 0
        self.undefined = False

    def search(self, run: Run) -> EndlessSchedule | None:
        self._number(self.interleaver.initial(), None)
        next_look = ENDLESS_LIMITS.first_look
        while self._waiting and self.transitions < ENDLESS_LIMITS.transitions:
            run.poll()
            number = self._waiting.popleft()
            self._expand(number)
            if (found := self._stands(number)) is not None:
                return found
            if len(self._states) - len(self._waiting) >= next_look:
                next_look *= 2
                found = self._round()
                if found is not None:
                    return found
        return (self._walked(run) if self._waiting else None) or self._round()

    def _walked(self, run: Run) -> EndlessSchedule | None:
        """A run that stands still far from the beginning: some are followed in which threads mostly go on as long as
        they can."""
        expanded = set(range(len(self._states))).difference(self._waiting)
        for seed in range(ENDLESS_LIMITS.walks):
            dice, number, last = random.Random(seed), 0, -1
            for _ in range(ENDLESS_LIMITS.steps_per_walk):
                run.poll()
                if number not in expanded:
                    expanded.add(number)
                    self._expand(number)
                if (found := self._stands(number)) is not None:
                    return found
                steps = self._states[number].steps
                if not steps:
                    break
                same = [step for step in steps if step.choice.thread == last and not step.spins]
                step = dice.choice(same if same and dice.random() < ENDLESS_LIMITS.going_on else steps)
                number, last = step.target, step.choice.thread
        return None

    def _number(self, threads: ThreadedState, reached: tuple[int, Step] | None) -> int:
        key = snapshot(threads, self.interleaver.shared.registers)
        known = self._numbers.get(key)
        if known is None:
            known = self._numbers[key] = len(self._states)
            self._states.append(VisitedState(threads, reached))
            self._waiting.append(known)
        return known

    def _stands(self, number: int) -> EndlessSchedule | None:
        """A run that stands still in a state that was just visited."""
        waits = self._states[number].stands
        return None if waits is None else EndlessSchedule(self._stem(number), (), self._values, waits)

    def _expand(self, number: int) -> None:
        """Take all steps from a state."""
        here = self._states[number]
        live = here.threads.live()
        if any(thread.stuck for thread in live):
            return
        pending = {thread.number: self.interleaver.pending(here.threads, thread.number) for thread in live}
        enabled = [thread for thread in live if pending[thread.number].waiting is None]
        here.owing = frozenset(t.number for t in enabled if unsignalled(here.threads, t) is None)
        if live and not here.owing:
            waits = ((t.number, pending[t.number].waiting or unsignalled(here.threads, t)) for t in live)
            here.stands = ThreadDeadlock(tuple((n, waiting) for n, waiting in waits if waiting is not None), False)
        fresh = [thread for thread in enabled if thread.fresh][:1]
        here.steps = tuple(step for thread in fresh or enabled for step in self._steps(number, thread.number))

    def _steps(self, number: int, thread: int) -> Iterator[Step]:
        """The steps of a thread that lead on."""
        threads = self._states[number].threads
        for pick in range(self.interleaver.picks(threads, thread)):
            self.transitions += 1
            transition = self.interleaver.take(threads, thread, pick)
            choice = ThreadChoice(thread, pick)
            if transition.stop is None:
                step = Step(choice, 0)
                yield Step(choice, self._number(transition.threads, (number, step)))
            elif transition.stop.returns:
                yield Step(choice, number, spins=True)
            else:
                self.undefined |= transition.stop.kind == "check"
                if transition.stop.kind in ("halt", "fail"):
                    self._states[number].ends = choice

    def _stem(self, number: int) -> tuple[Step, ...]:
        steps: list[Step] = []
        while (reached := self._states[number].reached) is not None:
            steps.append(Step(reached[1].choice, number))
            number = reached[0]
        return tuple(reversed(steps))

    def _round(self) -> EndlessSchedule | None:
        """A fair round among the states that were visited."""
        found = FairRounds(self._states, self._fairness).round()
        return None if found is None else EndlessSchedule(self._stem(found[0]), found[1], self._values)
