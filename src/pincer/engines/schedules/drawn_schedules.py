"""Short schedules drawn at random: what goes plainly wrong is found at once, also in programs without an end.

Executions are concrete, so a transition costs a tenth of a millisecond. What is found is shortened, and executed once
more with what is known of inputs, as others will. It never proves anything.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations

from pincer.engines.portfolio import Allowance, Going
from pincer.engines.sampling.inputs import compared_numbers, drawn_input
from pincer.engines.schedules.again import confirmed
from pincer.engines.schedules.findings import Race, ScheduleAnswer, Violation, counts, shown, violation
from pincer.engines.schedules.limits import DRAWN, DrawnLimits, ScheduleLimits
from pincer.engines.schedules.shorter import shortened
from pincer.engines.schedules.whose_turn import WAYS, WhoseTurn, drawn_way
from pincer.execution.threads.accesses import Footprint, races
from pincer.execution.threads.deadlocks import ThreadDeadlock
from pincer.execution.threads.interleaving import Interleaver
from pincer.execution.threads.schedules import ThreadChoice
from pincer.execution.threads.state import ThreadedState
from pincer.logic.terms import Term
from pincer.program.control_flow import ControlFlowProgram, Input
from pincer.program.property import PropertyKind
from pincer.runtime.run import Run


@dataclass
class DrawnSchedules:
    """One schedule after the other, each as its number and the seed say, as a strategy."""

    program: ControlFlowProgram
    property: PropertyKind
    run: Run
    seed: int = 0
    limits: ScheduleLimits = field(default_factory=ScheduleLimits)
    drawn: DrawnLimits = DRAWN

    def __post_init__(self) -> None:
        self.answer = ScheduleAnswer(self.property)
        self.answer.truncated["only some schedules were drawn at random"] += 1
        self._numbers = compared_numbers(self.program)
        self._tried = 0

    def step(self, budget: Allowance) -> Going | ScheduleAnswer:
        """Whole schedules until their transitions make up the budget; the answer when something is violated, or when
        more of them are no use."""
        before = self.answer.transitions
        while self.answer.transitions - before < budget.steps:
            if self.answer.transitions >= self.drawn.transitions:
                return self.answer
            found = self._drawn(self._tried)
            self._tried += 1
            self.answer.executions += 1
            if found is not None and self.answer.violation is None:
                self.answer.violation = self._again(found)
            if self.answer.violation is not None:
                return self.answer
        return Going(Allowance(self.answer.transitions - before, 0))

    def _again(self, found: Violation) -> Violation | None:
        """What others will see of a violation, after it has been made shorter."""
        limits = self.limits.execution
        short = shortened(found, Interleaver(self.program, limits, concrete=True), self.run, self.drawn.shortening)
        return confirmed(self.program, self.property, short.schedule, limits) or confirmed(
            self.program, self.property, found.schedule, limits
        )

    def _drawn(self, number: int) -> Violation | None:
        """The violation that a schedule comes to, if it does."""
        dice = random.Random(f"{self.seed} {number}")
        usual = number % 3 == 0
        numbers = self._numbers

        def value(label: Input, symbol: Term) -> int:
            return label.usual if usual else drawn_input(dice, label, symbol, numbers)

        interleaver = Interleaver(self.program, self.drawn.hasty(self.limits.execution), value, concrete=True)
        walk = Walk(interleaver, self.property, dice, drawn_way(dice, number))
        found = walk.follow(*self._size(number), self.run)
        self.answer.transitions += max(self.drawn.least, len(walk.choices))
        self.answer.longest = max(self.answer.longest, len(walk.choices))
        return found

    def _size(self, number: int) -> tuple[int, int]:
        """How many transitions and threads a schedule may have."""
        for stage in self.drawn.stages:
            if number < stage[0]:
                return stage[1:]
            number -= stage[0]
        return self.drawn.longest if number // WAYS % 2 == 0 else self.drawn.stages[-1][1:]


class Walk:
    """An execution along a schedule that is drawn while it goes on."""

    def __init__(self, interleaver: Interleaver, name: PropertyKind, dice: random.Random, way: WhoseTurn) -> None:
        self._interleaver, self._name, self._dice, self._way = interleaver, name, dice, way
        self._prints: dict[int, Footprint] = {}
        self._barred: set[int] = set()
        self.choices: list[ThreadChoice] = []

    def follow(self, depth: int, most_threads: int, run: Run) -> Violation | None:
        """At most so many transitions. A thread that would create more threads than there may be stands still."""
        threads = self._interleaver.initial()
        while len(self.choices) < depth:
            run.poll()
            able = self._interleaver.enabled(threads)
            what = self._seen(threads, able)
            if what is not None:
                return violation(self._name, what, self.choices, threads.state.values)
            able = [number for number in able if number not in self._barred]
            if not able:
                return None
            fresh = [number for number in able if threads.threads[number].fresh]
            number = fresh[0] if fresh else self._way.choose(able)
            choice = ThreadChoice(number, self._dice.randrange(self._interleaver.picks(threads, number)))
            transition = self._interleaver.take(threads, number, choice.pick)
            stop = transition.stop
            if stop is not None and not counts(self._name, stop):
                if not stop.returns and stop.kind != "steps":
                    return None
                self._barred.add(number)
                continue
            if len(transition.threads.threads) > most_threads:
                self._barred.add(number)
                continue
            self.choices.append(choice)
            if stop is not None:
                return violation(self._name, stop, self.choices, transition.threads.state.values)
            self._prints.pop(number, None)
            threads = transition.threads
        return None

    def _seen(self, threads: ThreadedState, able: Sequence[int]) -> ThreadDeadlock | Race | None:
        """What a state shows by itself. What threads are about to access is taken to be as it was until they move: then
        it is only a guess that two of them race, and looked at again."""
        if self._name == "deadlock":
            return shown(self._interleaver, self._name, threads) if len(able) < len(threads.live()) else None
        if self._name != "race":
            return None
        for number in able:
            if number not in self._prints:
                self._prints[number] = self._interleaver.footprint(threads, number)
        if any(races(self._prints[one], self._prints[other]) for one, other in combinations(able, 2)):
            return shown(self._interleaver, self._name, threads)
        return None
