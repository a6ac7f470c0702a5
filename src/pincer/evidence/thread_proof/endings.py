"""Do all schedules and inputs of a program with threads come to an end? The checker visits all states by itself.

A run has no end where it stands still, with threads that nobody wakes, and where it goes on through states that come
again. A run in which an assumption does not hold is none. What wakes up without a cause may do so, but owes nothing.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping

from pincer.evidence.thread_proof.exploration.library import Blocked
from pincer.evidence.thread_proof.exploration.merging import MoveMerging
from pincer.evidence.thread_proof.exploration.moves import Moved
from pincer.evidence.thread_proof.exploration.refusals import ExplorationRefused, Unexplored
from pincer.evidence.thread_proof.exploration.states import State, ThreadState
from pincer.evidence.thread_proof.explore import ThreadExplorer
from pincer.evidence.thread_proof.fair_cycles import NOWHERE, Junction, fair_component
from pincer.program.control_flow import Edge
from pincer.program.property import Fairness


class EndingExplorer(ThreadExplorer):
    """Visits states breadth first, and remembers which follow which. `standstill` says that a run stands still."""

    def only_with(self, inputs: Mapping[Edge, int]) -> None:
        """Look only at runs whose inputs have these values; nothing else may be left to chance then."""
        self._steps.given = inputs
        self._steps.values.closed = True

    def visit(self) -> Iterator[None]:
        self._numbers: dict[object, int] = {}
        self._junctions: list[Junction | None] = []
        self._waiting: deque[tuple[int, State]] = deque()
        self.standstill = self.assumed = False
        # In a merged move nobody sees who holds a lock: who waits for it would never be kept from going on.
        self._moves.merging = MoveMerging()
        self.initial = tuple(number for state in self._first() for number in self._numbered(state))
        while self._waiting:
            number, state = self._waiting.popleft()
            self._junctions[number] = self._junction(state)
            yield

    @property
    def states(self) -> int:
        return len(self._numbers)

    def _numbered(self, state: State) -> Iterator[int]:
        """The numbers of the states that are told apart in one; here it is one state."""
        yield self._number(state)

    def _number(self, state: State) -> int:
        """The number of a state; a new one is visited later."""
        key = self._key(state)
        known = self._numbers.get(key)
        if known is None:
            known = self._numbers[key] = len(self._numbers)
            self._junctions.append(None)
            self._waiting.append((known, state))
        return known

    def _junction(self, state: State) -> Junction:
        live = state.live()
        if any(state.threads[number].stuck for number in live):
            self.assumed = True
            return NOWHERE
        moved: dict[int, list[Moved]] = {}
        for number in live:
            answer = self._moves.of(state, number)
            if not isinstance(answer, Blocked):
                moved[number] = answer
                self.moves += len(answer)
        self._within_limits()
        self._apart(moved)
        owing = frozenset(number for number in moved if not _wakes_by_itself(state.threads[number]))
        stands = bool(live) and not owing
        self.standstill |= stands
        steps = {
            (number, following): None
            for number, answer in moved.items()
            for move in answer
            if move.after is not None
            for following in self._numbered(move.after)
        }
        ends = any(move.after is None for answer in moved.values() for move in answer)
        return Junction(owing, tuple(steps), ends, stands)

    @property
    def junctions(self) -> list[Junction]:
        """All states by number, as far as they have been visited."""
        return [junction or NOWHERE for junction in self._junctions]

    def endless(self, fairness: Fairness) -> str:
        """How a run of the states that were visited may go on for ever; empty if none does."""
        if self.standstill:
            return "a run may stand still: nobody ends what its threads wait for"
        found = fair_component(self.junctions, fairness)
        return "" if found is None else f"a run may go on for ever through {len(found)} states"


def _wakes_by_itself(thread: ThreadState) -> bool:
    """Whether a thread waits for a signal, and goes on only if it wakes up without one."""
    phase = thread.phase
    return phase is not None and phase.kind == "condition" and not phase.woken and not phase.timed


def check_endings(explorer: EndingExplorer, fairness: Fairness) -> None:
    """All runs end. Raises Refused where one may not, Unexplored at a limit."""
    explorer.explore()
    if explorer.assumed and fairness == "none":
        # Without fairness the thread need not come to the assumption that ends the run.
        raise Unexplored("without fairness, others may go on for ever before an assumption that does not hold")
    how = explorer.endless(fairness)
    if how:
        raise ExplorationRefused(how)


def check_endless(explorer: EndingExplorer, inputs: Mapping[Edge, int], fairness: Fairness) -> None:
    """Some run with these inputs has no end; states are visited until one is found. Raises Unexplored if none is."""
    explorer.only_with(inputs)
    size = 64
    for visited, _ in enumerate(explorer.visit(), 1):
        if visited >= size:
            if explorer.endless(fairness):
                return
            size *= 2
    if not explorer.endless(fairness):
        raise Unexplored("no run with these inputs goes on for ever")
