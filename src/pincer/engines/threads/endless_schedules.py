"""Schedules without an end: threads that stand still for ever, or states that come again on a fair round.

States of executions with fixed inputs are visited breadth first, and which follow which is kept. A component in which a
fair run can stay becomes a round. What is found here is a guess: the checker visits states by itself, and compiled code
goes the rounds.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial

from msgspec import Struct

from pincer.engines.threads.limits import ENDLESS_LIMITS
from pincer.execution.threads.deadlocks import ThreadDeadlock, unsignalled
from pincer.execution.threads.fingerprints import snapshot
from pincer.execution.threads.interleaving import Interleaver
from pincer.execution.threads.limits import ExecutionLimits
from pincer.execution.threads.schedules import ThreadChoice
from pincer.execution.threads.state import ThreadedState
from pincer.logic.bitvectors import width
from pincer.program.control_flow import ControlFlowProgram, Input
from pincer.program.graphs import cycles
from pincer.program.property import Fairness
from pincer.runtime.run import Run

Values = Mapping[Input, int]
"""The value of an input wherever it is read."""


class Step(Struct, frozen=True):
    """A choice, and the number of the state it leads to; one that `spins` comes back without having done anything."""

    choice: ThreadChoice
    target: int
    spins: bool = False


class VisitedState(Struct):
    """A state, how it was reached first, the threads that owe a step, and all steps."""

    threads: ThreadedState
    reached: tuple[int, Step] | None
    owing: frozenset[int] = frozenset()
    steps: tuple[Step, ...] = ()


class EndlessSchedule(Struct, frozen=True):
    """How a run without an end goes: the steps to a state, and those of a round from there. Without a round, `waits`
    says what all threads wait for."""

    stem: tuple[Step, ...]
    loop: tuple[Step, ...]
    values: Values
    waits: ThreadDeadlock | None = None


def plans(program: ControlFlowProgram) -> Iterator[Values]:
    """Values for inputs that are worth trying."""
    labels = list(dict.fromkeys(edge.label for edge in program.edges() if isinstance(edge.label, Input)))
    yield {label: label.usual for label in labels}
    for number in ENDLESS_LIMITS.values if labels else ():
        yield {label: number & ((1 << width(label.register)) - 1) for label in labels}


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
            waits = self._expand(number)
            if waits is not None:
                return EndlessSchedule(self._stem(number), (), self._values, waits)
            if len(self._states) - len(self._waiting) >= next_look:
                next_look *= 2
                found = self._round()
                if found is not None:
                    return found
        return self._round()

    def _number(self, threads: ThreadedState, reached: tuple[int, Step] | None) -> int:
        key = snapshot(threads, self.interleaver.shared.registers)
        known = self._numbers.get(key)
        if known is None:
            known = self._numbers[key] = len(self._states)
            self._states.append(VisitedState(threads, reached))
            self._waiting.append(known)
        return known

    def _expand(self, number: int) -> ThreadDeadlock | None:
        """Take all steps from a state; what its threads wait for, if all of them wait."""
        here = self._states[number]
        live = here.threads.live()
        if any(thread.stuck for thread in live):
            return None
        pending = {thread.number: self.interleaver.pending(here.threads, thread.number) for thread in live}
        enabled = [thread for thread in live if pending[thread.number].waiting is None]
        here.owing = frozenset(t.number for t in enabled if unsignalled(here.threads, t) is None)
        if live and not here.owing:
            waits = ((t.number, pending[t.number].waiting or unsignalled(here.threads, t)) for t in live)
            return ThreadDeadlock(tuple((n, waiting) for n, waiting in waits if waiting is not None), False)
        fresh = [thread for thread in enabled if thread.fresh][:1]
        here.steps = tuple(step for thread in fresh or enabled for step in self._steps(number, thread.number))
        return None

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

    def _stem(self, number: int) -> tuple[Step, ...]:
        steps: list[Step] = []
        while (reached := self._states[number].reached) is not None:
            steps.append(Step(reached[1].choice, number))
            number = reached[0]
        return tuple(reversed(steps))

    def _round(self) -> EndlessSchedule | None:
        """A fair round among the states that were visited."""
        members = self._fair(range(len(self._states)))
        if members is None:
            return None
        start = min(members)
        loop = _Walk(self._states, members, start).around(list(self._wanted(members)))
        return EndlessSchedule(self._stem(start), loop, self._values)

    def _fair(self, among: Iterable[int]) -> frozenset[int] | None:
        """A component in which a fair run can stay."""
        inside = frozenset(among)

        def following(number: int) -> list[int]:
            return [step.target for step in self._states[number].steps if step.target in inside]

        for part in cycles(sorted(inside), following):
            members = frozenset(part)
            left = {n: self._states[n].owing - self._stepping(members) for n in members}
            starved = frozenset[int]().union(*left.values())
            if self._fairness == "none" or not starved:
                return members
            if self._fairness == "weak":
                if not starved.intersection(*left.values()):
                    return members
            elif (found := self._fair(n for n in members if not left[n])) is not None:
                return found
        return None

    def _stepping(self, members: frozenset[int]) -> frozenset[int]:
        steps = (step for n in members for step in self._states[n].steps if step.target in members)
        return frozenset(step.choice.thread for step in steps)

    def _wanted(self, members: frozenset[int]) -> Iterator[Callable[[int, Step], bool]]:
        """What has to happen on a round for it to be fair: each says whether a step from a state does it."""
        if self._fairness == "none":
            return
        stepping = self._stepping(members)
        for thread in sorted(frozenset[int]().union(*(self._states[n].owing for n in members))):
            yield partial(_is_by, thread) if thread in stepping else partial(self._owes_nothing, thread)

    def _owes_nothing(self, thread: int, number: int, _: Step) -> bool:
        return thread not in self._states[number].owing


def _is_by(thread: int, _: int, step: Step) -> bool:
    return step.choice.thread == thread


class _Walk:
    """A walk inside of a component."""

    def __init__(self, states: Sequence[VisitedState], members: frozenset[int], start: int) -> None:
        self._states, self._members, self._start = states, members, start

    def around(self, wanted: Iterable[Callable[[int, Step], bool]]) -> tuple[Step, ...]:
        """Steps from the start back to it, among them what is wanted."""
        walk: list[tuple[int, Step]] = []
        for does in wanted:
            if not any(does(number, step) for number, step in walk):
                walk += self._to(walk[-1][1].target if walk else self._start, does)
        at = walk[-1][1].target if walk else self._start
        if not walk or at != self._start:
            walk += self._to(at, lambda _, step: step.target == self._start)
        return tuple(step for _, step in walk)

    def _to(self, start: int, does: Callable[[int, Step], bool]) -> list[tuple[int, Step]]:
        """The shortest way whose last step does something."""
        before: dict[int, tuple[int, Step]] = {}
        waiting = deque([start])
        while waiting:
            number = waiting.popleft()
            for step in self._states[number].steps:
                if step.target not in self._members:
                    continue
                if does(number, step):
                    way = [(number, step)]
                    while way[0][0] != start:
                        way.insert(0, before[way[0][0]])
                    return way
                if step.target != start and step.target not in before:
                    before[step.target] = number, step
                    waiting.append(step.target)
        raise AssertionError("a component is connected")
