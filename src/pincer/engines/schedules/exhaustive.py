"""All schedules and all inputs, depth first, with dynamic partial-order reduction.

The reduction is source-set DPOR with sleep sets (Abdulla, Aronis, Jonsson and Sagonas, POPL 2014): when a transition
conflicts with an earlier one that nothing orders before it, a thread that can begin the reversed order is tried at the
state before that one too. Two departures. All such earlier transitions are considered, not only those next to it in
the order, because a lock that is taken comes after its release and has to be tried before its acquisition. And a
transition that ends the program conflicts with all others.

Without reduction every enabled thread is tried in every state, and a state is explored once however it is reached:
so endless executions through finitely many states are explored completely.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from msgspec.structs import replace

from pincer.engines.portfolio import Allowance, Going
from pincer.engines.questions import Questions
from pincer.engines.schedules.findings import Race, ScheduleAnswer, Violation, counts, leaves_open, taken, violation
from pincer.engines.schedules.imminent_races import seen_race
from pincer.engines.schedules.limits import ScheduleLimits
from pincer.execution.stepping import Stop
from pincer.execution.threads.accesses import Footprint, races
from pincer.execution.threads.deadlocks import ThreadDeadlock, deadlock_among
from pincer.execution.threads.fingerprints import fingerprint
from pincer.execution.threads.interleaving import Interleaver, Unmergeable
from pincer.execution.threads.ordering import Event, happened, initials, racing, reversible, without
from pincer.execution.threads.schedules import Schedule, ThreadChoice, replay
from pincer.execution.threads.state import ThreadedState
from pincer.execution.threads.transitions import InputTurn, NextTransition, ThreadTransition
from pincer.logic.bitvectors import width
from pincer.program.control_flow import ControlFlowProgram
from pincer.program.property import PropertyKind
from pincer.runtime.run import Progress, Run

_NOTHING: Mapping[int, NextTransition] = {}
_AT_A_TIME = Allowance(10_000, 10_000)


@dataclass
class _Point:
    """A state on the current path: whom to let go on from it, and whom not to.

    `ways` are outcomes of the current thread's transition that are still to be explored; `touched` is what those
    explored touched together. Sleeping threads have been explored in an equivalent place already.
    """

    threads: ThreadedState
    pending: dict[int, NextTransition]
    pasts: dict[int, int]
    sleep: dict[int, Footprint]
    backtrack: set[int]
    thread: int | None = None
    ways: list[int | InputTurn] = field(default_factory=list)
    touched: Footprint = field(default_factory=Footprint)
    turned: bool = False
    """Whether the transition on the path was taken with other inputs than the state has."""

    @property
    def enabled(self) -> list[int]:
        return [number for number, pending in self.pending.items() if pending.waiting is None]


@dataclass
class Exhaustive:
    """One search. `on_end` is told each execution that ended: its last state, and why it stopped.

    With `merges`, releases belong to the transitions before them; the search may then raise Unmergeable.
    With `everything` the search goes on after violations, and the first one is the answer's. A search with reduction
    ends as soon as it sees an execution come back to a state it has passed: `is_cyclic` then.

    Where a thread that waits may wake up without a signal, but need not, a deadlock may be a state in which steps are
    left. Reduction leaves such states out, so it is not used for them.
    """

    program: ControlFlowProgram
    property: PropertyKind
    run: Run
    limits: ScheduleLimits = field(default_factory=ScheduleLimits)
    reduction: bool = True
    on_end: Callable[[ThreadedState, Stop | None], None] | None = None
    everything: bool = False
    merges: bool = False
    is_cyclic: bool = False

    def __post_init__(self) -> None:
        if self.property == "deadlock" and self.limits.execution.spurious:
            self.reduction = self.merges = False
        self._interleaver = Interleaver(self.program, self.limits.execution, merges=self.merges)
        self._questions = Questions(self.run)
        self.answer = ScheduleAnswer(self.property)
        self._path: list[_Point] = []
        self._events: list[Event] = []
        self._visited: set[object] = set()
        self._begun = False

    def search(self) -> ScheduleAnswer:
        """Explore until everything has been seen, something is violated, or a bound is reached."""
        while self.advance():
            pass
        return self.answer

    def advance(self) -> bool:
        """Take one more step of the search; False if it is over."""
        answer = self.answer
        if not self._begun:
            self._begun = True
            self.run.watch(self._progress)
            self._enter(self._interleaver.initial(), {0: 0}, {}, None)
        if not self._path or self.is_cyclic or (answer.violation is not None and not self.everything):
            return False
        self.run.poll()
        if answer.transitions >= self.limits.max_transitions:
            answer.truncated[f"stopped after {self.limits.max_transitions} transitions"] += 1
            return False
        point = self._path[-1]
        transition = self._next(point)
        if transition is not None:
            self._follow(point, transition)
        else:
            self._path.pop()
            if self._events:
                self._events.pop()
        answer.queries = self._questions.solved
        return True

    def _progress(self) -> Progress:
        answer, queries = self.answer, self._questions.solved
        numbers = {"frontier": len(self._path), "executions": answer.executions, "states": answer.transitions}
        return Progress("agse", f"exploring all schedules ({self.property})", {**numbers, "queries": queries})

    def _enter(
        self,
        threads: ThreadedState,
        pasts: dict[int, int],
        sleep: dict[int, Footprint],
        last: int | None,
        known: Mapping[int, NextTransition] = _NOTHING,
    ) -> None:
        """A new state at the end of the path; without reduction, one that has been visited before ends it.

        `known` is what some threads wait for, as it was before and still is."""
        if not self.reduction:
            key = fingerprint(threads, self._interleaver.shared.registers)
            if key in self._visited:
                self._path.append(_Point(threads, {}, {}, {}, set()))
                return
            self._visited.add(key)
        pending = {
            t.number: known.get(t.number) or self._interleaver.pending(threads, t.number) for t in threads.live()
        }
        point = _Point(threads, pending, pasts, sleep, set())
        self._path.append(point)
        self._look(point)
        enabled = point.enabled
        fresh = [number for number in enabled if threads.threads[number].fresh]
        if fresh:
            point.backtrack.add(fresh[0])
        elif not self.reduction:
            point.backtrack.update(enabled)
        else:
            awake = [number for number in enabled if number not in sleep]
            if awake:
                point.backtrack.add(last if last in awake else awake[0])
        if self.reduction and len(self._path) % self.limits.cycle_window == 0 and self._comes_back():
            self.is_cyclic = True
            self.answer.truncated["executions come back to the same state"] += 1
        if len(self._path) > self.limits.max_depth:
            point.backtrack.clear()
            self.answer.truncated[f"executions of more than {self.limits.max_depth} transitions"] += 1
        if not enabled:
            self._ended(threads, None)
        if not point.backtrack:
            self._blocked_races(point)

    def _comes_back(self) -> bool:
        """Whether the last state is one of those shortly before it."""
        shared = self._interleaver.shared.registers
        last, *earlier = (
            fingerprint(point.threads, shared) for point in self._path[: -self.limits.cycle_window - 1 : -1]
        )
        return last in earlier

    def _look(self, point: _Point) -> None:
        """Violations that a state shows by itself; with reduction, races are found by what orders transitions."""
        if self.answer.violation is not None:
            return
        if self.property == "deadlock":
            what = deadlock_among(point.threads, point.pending)
            if what is not None:
                self._violated(what, point.threads)
        elif self.property == "race" and not self.reduction:
            found = seen_race(self._interleaver, self._questions, point.threads, self.answer)
            if found is not None:
                self._violated(found.race, found.threads)

    def _violated(
        self, what: Stop | ThreadDeadlock | Race, threads: ThreadedState, last: ThreadChoice | None = None
    ) -> None:
        choices = [choice for event in self._events for choice in event.choices] + ([] if last is None else [last])
        self._found(violation(self.property, what, choices, threads.state.values))

    def _found(self, violation: Violation) -> None:
        if self.answer.violation is None:
            self.answer.violation = violation

    def _next(self, point: _Point) -> ThreadTransition | None:
        """The next transition to explore from a state."""
        while True:
            if point.ways:
                transition = self._taken(point, point.ways.pop())
                if transition is not None:
                    return transition
                continue
            if point.thread is not None:
                point.sleep[point.thread] = point.touched
                point.thread = None
            waiting = sorted(point.backtrack - point.sleep.keys())
            if not waiting:
                return None
            point.thread, point.touched = waiting[0], Footprint()
            point.ways = [*reversed(range(self._interleaver.picks(point.threads, point.thread)))]

    def _taken(self, point: _Point, way: int | InputTurn) -> ThreadTransition | None:
        assert point.thread is not None
        begun = point.threads, point.thread
        transition = taken(self._interleaver, self._questions, self.answer, begun, way)
        if transition is None:
            return None
        point.turned = isinstance(way, InputTurn)
        point.ways.extend(transition.turns)
        point.touched = point.touched.joined(transition.footprint)
        return transition

    def _follow(self, point: _Point, transition: ThreadTransition) -> None:
        """Go on with a transition: note what it can be exchanged with, and enter the state after it."""
        own = point.pasts.get(transition.thread, 0)
        event = happened(self._events if self.reduction else (), own, transition, point.threads)
        if self.reduction:
            self._reverse(transition.thread, own, transition.footprint)
            if self.property == "race" and self.answer.violation is None:
                self._race(event, own, transition.threads)
        self.answer.longest = max(self.answer.longest, len(self._events) + 1)
        if transition.stop is not None:
            self._stopped(point, transition, transition.stop)
            return
        self._events.append(event)
        if not self.reduction:
            self._note_blocks(event.footprint)
        pasts = {**point.pasts, transition.thread: event.past}
        for number in transition.threads.threads:
            if number not in pasts:
                pasts[number] = event.past
        sleep = dict[int, Footprint]()
        if self.reduction:
            kept = ((n, asleep) for n, asleep in point.sleep.items() if not asleep.conflicts(transition.footprint))
            sleep.update(kept)
        self._enter(transition.threads, pasts, sleep, transition.thread, self._still_known(point, transition))

    def _still_known(self, point: _Point, transition: ThreadTransition) -> dict[int, NextTransition]:
        """What threads wait for that a transition has not changed; other inputs may change anything."""
        if point.turned:
            return {}
        return {
            number: pending
            for number, pending in point.pending.items()
            if number != transition.thread and self._interleaver.is_unchanged(pending, transition.footprint)
        }

    def _stopped(self, point: _Point, transition: ThreadTransition, stop: Stop) -> None:
        """The program has ended; every thread that could still run might have gone before."""
        if counts(self.property, stop):
            self._violated(stop, transition.threads, ThreadChoice(transition.thread, transition.pick))
        reason = leaves_open(self.property, stop)
        if reason is not None:
            self.answer.truncated[reason] += 1
        self._ended(transition.threads, stop)
        point.backtrack.update(point.enabled)
        self._blocked_races(point)

    def _ended(self, threads: ThreadedState, stop: Stop | None) -> None:
        self.answer.executions += 1
        if self.on_end is not None:
            self.on_end(threads, stop)

    def _blocked_races(self, point: _Point) -> None:
        """Threads that wait for ever could have come before those that made them wait."""
        if self.reduction:
            for number, pending in point.pending.items():
                if pending.waiting is not None and pending.accesses:
                    self._reverse(number, point.pasts.get(number, 0), Footprint(pending.accesses))

    def _reverse(self, number: int, own: int, footprint: Footprint) -> None:
        """Let a thread, or one it needs, go first where it comes after something it conflicts with."""
        for i in reversible(self._events, own, footprint):
            self._note_blocks(footprint, self._events[i].footprint)
            point = self._path[i]
            first = initials(self._events, i, number, own, footprint)
            able = [q for q in first if q in point.pending and point.pending[q].waiting is None]
            if not able:
                point.backtrack.update(point.enabled)
            elif not point.backtrack.intersection(able):
                point.backtrack.add(able[0])

    def _note_blocks(self, *footprints: Footprint) -> None:
        """Copying or filling a block, or a value wider than a word, is one step here, which threads could interrupt."""
        if self.property == "race":
            return
        word = self.program.layout.pointer_bits // 8
        accesses = [access for part in footprints for access in part.accesses if not access.atomic]
        if any(access.is_block(word) for access in accesses):
            self.answer.truncated["a block of memory is copied or filled in one step while others may access it"] += 1
        if any(access.space == "register" and access.start in self._wide for access in accesses):
            self.answer.truncated["a value wider than a word is used in one step while others may access it"] += 1

    @cached_property
    def _wide(self) -> frozenset[int]:
        """The numbers of shared registers that a machine reads and writes in parts."""
        bits = self.program.layout.pointer_bits
        return frozenset(n for register, n in self._interleaver.shared.registers.items() if width(register) > bits)

    def _race(self, event: Event, own: int, after: ThreadedState) -> None:
        """A race that some order of the same transitions shows is replayed in that order."""
        found = racing(self._events, own, event)
        if found is None:
            return
        at, pair = found
        schedule = without(self._events, at, after.state.values)
        race = Race((self._events[at].thread, event.thread), pair)
        if self._shows(schedule, race):
            self._found(violation("race", race, schedule.choices, schedule.inputs))
        else:
            self.answer.truncated["a race that could not be replayed"] += 1

    def _shows(self, schedule: Schedule, race: Race) -> bool:
        interleaver = Interleaver(self.program, self.limits.execution)
        last = replay(interleaver, schedule).last
        enabled = interleaver.enabled(last)
        if not set(race.threads) <= set(enabled):
            return False
        first, second = (interleaver.footprint(last, number) for number in race.threads)
        return races(first, second) is not None


@dataclass
class AllSchedules:
    """All schedules and inputs of a program within limits, as a strategy: the answer when the search is over.

    Releases are merged with what comes before them where nobody can notice. And where executions are endless (a thread
    that spins until another comes), reduction gives way to a search that keeps all states: it ends if there are
    finitely many."""

    program: ControlFlowProgram
    property: PropertyKind
    run: Run
    limits: ScheduleLimits = field(default_factory=ScheduleLimits)
    reduction: bool = True

    def __post_init__(self) -> None:
        self._search = self._begun(self.limits, self.reduction, merges=self.reduction)

    def _begun(self, limits: ScheduleLimits, reduction: bool, merges: bool) -> Exhaustive:
        return Exhaustive(self.program, self.property, self.run, limits, reduction, merges=merges)

    def step(self, budget: Allowance) -> Going | ScheduleAnswer:
        """Counted are steps of the search, each a transition or going back over one, and questions to the solver."""
        steps = calls = 0
        while steps < budget.steps and calls < budget.calls:
            search = self._search
            asked = search.answer.queries
            try:
                is_over = not search.advance()
            except Unmergeable:
                self._search = self._begun(self.limits, self.reduction, merges=False)
                continue
            if is_over and (not search.is_cyclic or search.answer.violation is not None):
                return search.answer
            if is_over:
                limits = replace(self.limits, max_depth=self.limits.max_transitions)
                self._search = self._begun(limits, reduction=False, merges=False)
            steps, calls = steps + 1, calls + search.answer.queries - asked
        return Going(Allowance(steps, calls))


def explore(
    program: ControlFlowProgram,
    property: PropertyKind,
    run: Run,
    limits: ScheduleLimits | None = None,
    reduction: bool = True,
) -> ScheduleAnswer:
    """The answer of the whole search, in one go."""
    strategy = AllSchedules(program, property, run, limits or ScheduleLimits(), reduction)
    while isinstance(answer := strategy.step(_AT_A_TIME), Going):
        pass
    return answer
