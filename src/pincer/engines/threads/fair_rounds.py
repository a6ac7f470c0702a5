"""Fair rounds through states that were visited: components in which a fair run can stay, and walks around in them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

from msgspec import Struct

from pincer.execution.threads.deadlocks import ThreadDeadlock
from pincer.execution.threads.schedules import ThreadChoice
from pincer.execution.threads.state import ThreadedState
from pincer.program.graphs import cycles
from pincer.program.property import Fairness


class Step(Struct, frozen=True):
    """A choice, and the number of the state it leads to; one that `spins` comes back without having done anything."""

    choice: ThreadChoice
    target: int
    spins: bool = False


class VisitedState(Struct):
    """A state, how it was reached first, the threads that owe a step, and all steps. The program may end with a choice
    (`ends`), or stand still because of what all threads wait for. Rounds pass a state that is `accepting`."""

    threads: ThreadedState
    reached: tuple[int, Step] | None
    owing: frozenset[int] = frozenset()
    steps: tuple[Step, ...] = ()
    ends: ThreadChoice | None = None
    stands: ThreadDeadlock | None = None
    accepting: bool = True


class FairRounds:
    """The rounds through some states that are fair."""

    def __init__(self, states: Sequence[VisitedState], fairness: Fairness) -> None:
        self._states, self._fairness = states, fairness

    def round(self) -> tuple[int, tuple[Step, ...]] | None:
        """A state, and the steps from there back to it."""
        members = self._fair(range(len(self._states)))
        if members is None:
            return None
        start = min(members)
        return start, _Walk(self._states, members, start).around(list(self._wanted(members)))

    def _fair(self, among: Iterable[int]) -> frozenset[int] | None:
        """A component in which a fair run can stay."""
        inside = frozenset(among)

        def following(number: int) -> list[int]:
            return [step.target for step in self._states[number].steps if step.target in inside]

        for part in cycles(sorted(inside), following):
            members = frozenset(part)
            if not any(self._states[n].accepting for n in members):
                continue
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
        if not all(self._states[n].accepting for n in members):
            yield lambda number, _: self._states[number].accepting
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
