"""Searches to compare with: few context switches first (iterative context bounding), and random schedules."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

from msgspec import Struct

from pincer.engines.questions import Questions
from pincer.engines.schedules.findings import Race, ScheduleAnswer, counts, leaves_open, shown, taken, violation
from pincer.engines.schedules.imminent_races import seen_race
from pincer.engines.schedules.limits import ScheduleLimits
from pincer.execution.machine import History, chronological
from pincer.execution.threads.deadlocks import ThreadDeadlock
from pincer.execution.threads.fingerprints import fingerprint
from pincer.execution.threads.interleaving import Interleaver
from pincer.execution.threads.schedules import ThreadChoice
from pincer.execution.threads.state import ThreadedState
from pincer.execution.threads.transitions import InputTurn, ThreadTransition
from pincer.logic import bitvectors
from pincer.logic.terms import Term
from pincer.program.control_flow import ControlFlowProgram, Input
from pincer.program.property import PropertyKind
from pincer.runtime.run import Run


class _Branch(Struct, frozen=True):
    """Something still to be tried: a thread's transition from a state, or another way for one to go on."""

    threads: ThreadedState
    choices: History | None
    thread: int
    way: int | InputTurn
    left: int


@dataclass
class ContextBounded:
    """All executions in which a thread that could go on is interrupted at most `bound` times.

    A state that was reached before by the same thread, with as many interruptions left, is not explored again.
    """

    program: ControlFlowProgram
    property: PropertyKind
    run: Run
    bound: int
    limits: ScheduleLimits = field(default_factory=ScheduleLimits)
    cut: bool = False
    """Whether the bound kept some execution from being explored."""

    def __post_init__(self) -> None:
        self._interleaver = Interleaver(self.program, self.limits.execution)
        self._questions = Questions(self.run)
        self._answer = ScheduleAnswer(self.property)
        self._branches: list[_Branch] = []
        self._visited: dict[object, int] = {}

    def search(self) -> ScheduleAnswer:
        """Explore until everything within the bound has been seen, or something is violated."""
        answer = self._answer
        self._enter(self._interleaver.initial(), None, 0, self.bound)
        while self._branches and answer.violation is None:
            self.run.poll()
            if answer.transitions >= self.limits.max_transitions:
                answer.truncated[f"stopped after {self.limits.max_transitions} transitions"] += 1
                break
            branch = self._branches.pop()
            transition = self._taken(branch)
            if transition is not None:
                self._follow(branch, transition)
        answer.queries = self._questions.solved
        return answer

    def _taken(self, branch: _Branch) -> ThreadTransition | None:
        begun = branch.threads, branch.thread
        transition = taken(self._interleaver, self._questions, self._answer, begun, branch.way)
        if transition is None:
            return None
        for turn in transition.turns:
            self._branches.append(_Branch(branch.threads, branch.choices, branch.thread, turn, branch.left))
        return transition

    def _follow(self, branch: _Branch, transition: ThreadTransition) -> None:
        choices = History(ThreadChoice(transition.thread, transition.pick), branch.choices)
        stop = transition.stop
        if stop is None:
            self._enter(transition.threads, choices, branch.thread, branch.left)
            return
        self._answer.executions += 1
        if counts(self.property, stop):
            inputs = transition.threads.state.values
            self._answer.violation = violation(self.property, stop, chronological(choices), inputs)
        reason = leaves_open(self.property, stop)
        if reason is not None:
            self._answer.truncated[reason] += 1

    def _enter(self, threads: ThreadedState, choices: History | None, last: int, left: int) -> None:
        what: ThreadDeadlock | Race | None
        values = threads.state.values
        if self.property == "race":
            race = seen_race(self._interleaver, self._questions, threads, self._answer)
            what, values = (None, values) if race is None else (race.race, race.threads.state.values)
        else:
            what = shown(self._interleaver, self.property, threads)
        if what is not None:
            self._answer.violation = violation(self.property, what, chronological(choices), values)
            return
        enabled = self._interleaver.enabled(threads)
        if not enabled:
            self._answer.executions += 1
            return
        key = fingerprint(threads, self._interleaver.shared.registers), last
        if self._visited.get(key, -1) >= left:
            return
        self._visited[key] = left
        for thread, remaining in self._candidates(threads, enabled, last, left):
            for pick in range(self._interleaver.picks(threads, thread)):
                self._branches.append(_Branch(threads, choices, thread, pick, remaining))

    def _candidates(
        self, threads: ThreadedState, enabled: list[int], last: int, left: int
    ) -> Iterator[tuple[int, int]]:
        """Who may go on, with the interruptions left then; the thread that ran last is tried first."""
        fresh = [number for number in enabled if threads.threads[number].fresh]
        if fresh:
            yield fresh[0], left
            return
        for number in enabled:
            cost = 1 if last in enabled and number != last else 0
            if cost > left:
                self.cut = True
            elif number != last:
                yield number, left - cost
        if last in enabled:
            yield last, left


def context_bounding(
    program: ControlFlowProgram, property: PropertyKind, run: Run, limits: ScheduleLimits | None = None
) -> ScheduleAnswer:
    """No interruption first, then one, and so on; safe only if one more could not make a difference."""
    limits = limits or ScheduleLimits()
    total = ScheduleAnswer(property)
    for bound in range(limits.interruptions + 1):
        search = ContextBounded(program, property, run, bound, limits)
        answer = search.search()
        answer.transitions += total.transitions
        answer.executions += total.executions
        total = answer
        if answer.violation is not None or answer.truncated or not search.cut:
            return answer
    total.truncated[f"schedules with more than {limits.interruptions} interruptions"] += 1
    return total


def random_schedules(
    program: ControlFlowProgram,
    property: PropertyKind,
    run: Run,
    seed: int = 0,
    limits: ScheduleLimits | None = None,
) -> ScheduleAnswer:
    """Executions with random schedules and inputs, the same ones for the same seed. They never prove anything."""
    limits = limits or ScheduleLimits()
    dice = random.Random(seed)
    answer = ScheduleAnswer(property)
    for _ in range(limits.random_executions):
        run.poll()
        interleaver = Interleaver(program, limits.execution, lambda label, symbol: _random_input(dice, label, symbol))
        _random_run(interleaver, dice, answer, limits)
        if answer.violation is not None:
            return answer
    answer.truncated[f"only {limits.random_executions} random schedules were tried"] += 1
    return answer


def _random_input(dice: random.Random, label: Input, symbol: Term) -> int:
    """Small numbers, positive and negative, more often than others."""
    bits = bitvectors.width(symbol)
    mask = (1 << bits) - 1
    if dice.random() < 0.7:
        return dice.randint(-2, 5) & mask
    return dice.getrandbits(bits)


def _random_run(interleaver: Interleaver, dice: random.Random, answer: ScheduleAnswer, limits: ScheduleLimits) -> None:
    threads, choices = interleaver.initial(), list[ThreadChoice]()
    answer.executions += 1
    for _ in range(limits.max_depth):
        what = shown(interleaver, answer.name, threads)
        if what is not None:
            answer.violation = violation(answer.name, what, choices, threads.state.values)
            return
        enabled = interleaver.enabled(threads)
        if not enabled:
            return
        number = dice.choice(enabled)
        pick = dice.randrange(interleaver.picks(threads, number))
        transition = interleaver.take(threads, number, pick)
        answer.transitions += 1
        choices.append(ThreadChoice(number, pick))
        threads = transition.threads
        answer.longest = max(answer.longest, len(choices))
        if transition.stop is not None:
            if counts(answer.name, transition.stop):
                answer.violation = violation(answer.name, transition.stop, choices, threads.state.values)
            return
