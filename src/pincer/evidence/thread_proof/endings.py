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
from pincer.evidence.thread_proof.exploration.reduction import FirstMoves
from pincer.evidence.thread_proof.exploration.refusals import ExplorationRefused, Unexplored
from pincer.evidence.thread_proof.exploration.states import State, ThreadState
from pincer.evidence.thread_proof.explore import ThreadExplorer
from pincer.evidence.thread_proof.fair_cycles import NOWHERE, Junction, components, fair_component
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
        self._first_moves = FirstMoves(self._steps)
        # In a merged move nobody sees who holds a lock: who waits for it would never be kept from going on.
        self._moves.merging = MoveMerging()
        self.initial = tuple(number for state in self._first() for number in self._numbered(state))
        self._partial: dict[int, State] = {}
        whole: list[tuple[int, State]] = []
        while self._waiting or whole:
            number, state = whole.pop() if whole else self._waiting.popleft()
            self._junctions[number] = self._junction(state, number)
            yield
            if not self._waiting and not whole:
                whole += self._in_rounds()

    def _in_rounds(self) -> Iterator[tuple[int, State]]:
        """States in which not all threads were looked at, one of each set in which a run could go round without the
        others: all threads are to be looked at there."""
        junctions = self.junctions
        for members in components(junctions, frozenset(self._partial)):
            first = min(members)
            if any(target in members for number in members for _, target in junctions[number].steps):
                yield first, self._partial.pop(first)

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

    def _junction(self, state: State, at: int) -> Junction:
        again = self._junctions[at] is not None
        live = state.live()
        if any(state.threads[number].stuck for number in live):
            self.assumed = True
            return NOWHERE
        moved: dict[int, list[Moved]] = {}
        waiting: dict[int, Blocked] = {}
        for number in live:
            answer = self._moves.of(state, number)
            if isinstance(answer, Blocked):
                waiting[number] = answer
            else:
                moved[number] = answer
                self.moves += len(answer)
        self._within_limits()
        self._apart(moved)
        owing = frozenset(number for number in moved if not _wakes_by_itself(state.threads[number]))
        stands = bool(live) and not owing
        self.standstill |= stands
        first = frozenset(moved) if again else self._first_moves.of(state, moved, waiting, owing)
        if len(first) < len(moved):
            self._partial[at] = state
        steps = self._followed(moved, first)
        ends = any(move.after is None for answer in moved.values() for move in answer)
        return Junction(owing, steps, ends, stands)

    def _followed(self, moved: Mapping[int, list[Moved]], threads: frozenset[int]) -> tuple[tuple[int, int], ...]:
        """The steps of some threads, each with the number of the state that follows."""
        steps = {
            (number, following): None
            for number, answer in moved.items()
            if number in threads
            for move in answer
            if move.after is not None
            for following in self._numbered(move.after)
        }
        return tuple(steps)

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
