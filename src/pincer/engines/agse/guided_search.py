"""Guided symbolic execution (Fig. 4): a greedy depth-first search along a set of abstract traces.

`search` is the paper's `main`, `_guided_symbolic_execution` its procedure of that name; line numbers are those of
Fig. 4. Three departures. Successors are ranked before they are generated (see `ranks`). A branch that goes the wrong
way asks for refinement at once only if its trace is lost by that; a loop may come to the branch again, and then
refinement waits for the end of the path. And a state that has been visited with the same traces left ends a path.
"""

from __future__ import annotations

import heapq
import random
from dataclasses import dataclass, field
from itertools import count

from msgspec import Struct
from msgspec.structs import replace

from pincer.engines.agse.abstract_system import AbstractSystem
from pincer.engines.agse.followed_traces import Following, Guides, Missed, TraceGuide
from pincer.engines.agse.limits import AgseLimits, TrialRound
from pincer.engines.agse.ranks import NOWHERE, RandomRanks, Rank
from pincer.engines.agse.trace_refinement import TraceRefinement, TraceSet
from pincer.engines.questions import Infeasible, Questions
from pincer.engines.schedules.findings import Violation, counts, shown, violation
from pincer.execution.machine import History, chronological
from pincer.execution.threads.calls import Waiting
from pincer.execution.threads.fingerprints import fingerprint
from pincer.execution.threads.interleaving import Interleaver
from pincer.execution.threads.schedules import ThreadChoice
from pincer.execution.threads.state import ThreadedState
from pincer.execution.threads.transitions import InputTurn, ThreadTransition
from pincer.logic.solver import SolverUnknown
from pincer.program.property import PropertyKind
from pincer.runtime.run import Progress, Run


class Trial(Struct, frozen=True):
    """A guided search along a trace set of an abstract system: the target set by its number, and how far it goes.

    `bold` refinement takes what looks best wherever the paper takes anything."""

    number: int
    target: int
    traces: TraceSet
    system: AbstractSystem
    round: TrialRound
    bold: bool


class GuidedStatistics(Struct):
    """`trace_length` is that of the traces before refinement, as in the paper's Table 2."""

    trace_length: int = 0
    states: int = 0
    refinements: int = 0
    backtracks: int = 0
    longest: int = 0
    queries: int = 0


class _Visit(Struct, frozen=True):
    """A state on a path, what is left of the traces there, and the branches that went wrong on the way."""

    threads: ThreadedState
    guides: Guides
    choices: History | None = None
    depth: int = 0
    missed: tuple[Missed, ...] = ()
    trail: History | None = None
    """The edges of each transition."""


class _Successor(Struct, frozen=True):
    """A thread goes on from a place: by itself, with other inputs, or as it has already been seen to."""

    place: _Visit
    thread: int
    way: int | InputTurn | ThreadTransition


class _End(Struct, frozen=True):
    """A path leads nowhere; perhaps because a branch went wrong."""

    missed: Missed | None = None
    trail: History | None = None


@dataclass
class GuidedSearch:
    """One search for a violation. `traces` are those of the trial as they are refined."""

    trial: Trial
    following: Following
    property: PropertyKind
    run: Run
    dice: random.Random
    limits: AgseLimits = field(default_factory=AgseLimits)
    statistics: GuidedStatistics = field(default_factory=GuidedStatistics)

    def __post_init__(self) -> None:
        self.traces, self.system, bold = self.trial.traces, self.trial.system, self.trial.bold
        self._interleaver = Interleaver(self.system.flow.facts.program, self.limits.execution)
        self._questions = Questions(self.run)
        self._refinement = TraceRefinement(self.system, self.dice, bold, self.limits)
        self._ranking = RandomRanks(self.following, self.dice, self.property)
        self._backtrack: list[tuple[Rank, int, _Successor]] = []
        self._numbers = count()
        self._visited: set[object] = set()
        self.statistics.trace_length = sum(map(len, self.traces))

    def search(self) -> Violation | None:
        """Lines 2 and 3, with what each path's end asks for: refinement, or going back (line 18)."""
        self.run.watch(self._progress)
        answer: _Visit | Violation | _End = self._restarted()
        while not isinstance(answer, Violation):
            self.run.poll()
            if isinstance(answer, _Visit):
                answer = self._guided_symbolic_execution(answer)
                continue
            refined = self._refined(answer)
            if refined is None and (not self._backtrack or self.statistics.states >= self.trial.round.max_states):
                return None
            answer = refined or self._backtracked()
        return answer

    def _progress(self) -> Progress:
        numbers = {"frontier": len(self._backtrack), "states": self.statistics.states}
        return Progress("agse", f"guided ({self.property})", {**numbers, "queries": self._questions.solved})

    def _restarted(self) -> _Visit:
        threads = self._interleaver.initial()
        guides = tuple(TraceGuide(trace) for trace in self.traces)
        settled = self.following.settled(threads, guides)
        return _Visit(threads, guides if isinstance(settled, int) else settled)

    def _guided_symbolic_execution(self, here: _Visit) -> Violation | _End:
        while True:
            self.run.poll()
            blocked = self._blocked(here.threads)
            error = self._goal_state(here, blocked)  # line 6
            if error is not None:
                return error
            successors = self._get_ranked_successors(here, blocked)  # line 8
            if not successors or self._is_bound_reached(here):  # line 5
                return _End(_last_missed(here), here.trail)
            best, *others = successors
            for rank, other in others:  # lines 9 and 10
                self._keep(rank, other)
            following = self._generated(best[1])
            if not isinstance(following, _Visit):
                return following
            here = following

    def _is_bound_reached(self, here: _Visit) -> bool:
        return here.depth >= self.limits.max_depth or self.statistics.states >= self.trial.round.max_states

    def _blocked(self, threads: ThreadedState) -> dict[int, Waiting]:
        pending = ((t.number, self._interleaver.pending(threads, t.number).waiting) for t in threads.live())
        return {number: waiting for number, waiting in pending if waiting is not None}

    def _goal_state(self, here: _Visit, blocked: dict[int, Waiting]) -> Violation | None:
        """Not threads at locations, but the error itself: threads that wait in a circle, or are about to race."""
        if self.property == "deadlock" and not blocked:
            return None
        arrived = (self._ranking.at_target(here.threads, here.guides, i) for i in range(len(here.guides)))
        if self.property == "race" and not any(arrived):
            return None
        what = shown(self._interleaver, self.property, here.threads)
        if what is None:
            return None
        return violation(self.property, what, chronological(here.choices), here.threads.state.values)

    def _get_ranked_successors(self, here: _Visit, blocked: dict[int, Waiting]) -> list[tuple[Rank, _Successor]]:
        """All that threads can do, best first. A new thread goes first: it does what nobody notices."""
        live = [thread for thread in here.threads.live() if thread.number not in blocked]
        live = [thread for thread in live if thread.fresh][:1] or live
        found = []
        for thread in live:
            rank = self._ranking.of_thread(here.threads, here.guides, thread.number, blocked)
            picks = self._interleaver.picks(here.threads, thread.number)
            found += [(rank, _Successor(here, thread.number, pick)) for pick in range(picks)]
        return sorted(found, key=lambda ranked: ranked[0])

    def _keep(self, rank: Rank, successor: _Successor) -> None:
        heapq.heappush(self._backtrack, (rank, -next(self._numbers), successor))

    def _generated(self, successor: _Successor) -> _Visit | Violation | _End:
        """Execute a successor: the best of the ways its thread can go with the inputs that are still open."""
        transition = self._transition(successor)
        if transition is None:
            return _End()
        while True:
            better = self._better_turn(successor, transition)
            if better is None:
                return self._followed(successor.place, transition)
            transition = better

    def _transition(self, successor: _Successor) -> ThreadTransition | None:
        """None if no inputs lead this way."""
        way = successor.way
        if isinstance(way, ThreadTransition):
            return way
        self.statistics.states += 1
        if isinstance(way, int):
            return self._interleaver.take(successor.place.threads, successor.thread, way)
        try:
            answer = self._questions.extend(way.path, [way.condition])
        except SolverUnknown:
            return None
        finally:
            self.statistics.queries = self._questions.solved
        return None if isinstance(answer, Infeasible) else self._interleaver.turn(way, answer.model)

    def _better_turn(self, successor: _Successor, transition: ThreadTransition) -> ThreadTransition | None:
        """A way that is ranked better than the one that was taken, which is then kept for later; as are the others."""
        guides, better = successor.place.guides, list[tuple[Rank, _Successor]]()
        elsewhere = self._ranking.h1(guides), NOWHERE, self.dice.random()
        for turn in transition.turns:
            other = _Successor(successor.place, successor.thread, turn)
            ranks = self._ranking.of_turn(guides, successor.thread, turn, transition)
            if ranks is not None and ranks[0] < ranks[1]:
                better.append((ranks[0], other))
            else:
                self._keep(elsewhere if ranks is None else ranks[0], other)
        better.sort(key=lambda ranked: ranked[0])
        for i, (_, other) in enumerate(better):
            turned = self._transition(other)
            if turned is not None:
                for rank, left in better[i + 1 :]:
                    self._keep(rank, left)
                seen = _Successor(successor.place, successor.thread, replace(transition, turns=()))
                self._keep(elsewhere, seen)
                return turned
        return None

    def _followed(self, place: _Visit, transition: ThreadTransition) -> _Visit | Violation | _End:
        """Lines 11 to 17: the traces and the path after a transition."""
        choices = History(ThreadChoice(transition.thread, transition.pick), place.choices)
        self.statistics.longest = max(self.statistics.longest, place.depth + 1)
        stop, threads = transition.stop, transition.threads
        if stop is not None and counts(self.property, stop):
            return violation(self.property, stop, chronological(choices), threads.state.values)
        guides, missed = self.following.passed(place.guides, transition.thread, transition.edges)
        trail = History(transition.edges, place.trail)
        here = _Visit(threads, guides, choices, place.depth + 1, place.missed + missed, trail)
        if stop is not None:
            return _End(_last_missed(here), here.trail)
        settled = self.following.settled(threads, guides)
        if isinstance(settled, int):  # lines 14 and 15
            return _End(self._lost(here, settled, transition), trail)
        here = replace(here, guides=settled)
        key = fingerprint(threads, self._interleaver.shared.registers), settled
        if key in self._visited:
            return _End(_last_missed(here), here.trail)
        self._visited.add(key)
        return here

    def _lost(self, here: _Visit, lost: int, transition: ThreadTransition) -> Missed | None:
        """The branch to blame: the last one that did not go as the trace says, or the one that made it impossible."""
        off = self.following.loss(here.guides, lost, transition.edges)
        said = next((missed for missed in reversed(here.missed) if missed.trace == lost), None)
        if off is None or said is None or (not self.trial.bold and self.dice.random() < self.limits.blame_the_cause):
            return off or said
        return said

    def _refined(self, end: _End) -> _Visit | None:
        """Begin again with refined traces, if there are any."""
        missed = end.missed
        if missed is None or self.statistics.refinements >= self.trial.round.max_refinements:
            return None
        executed = {edge for edges in chronological(end.trail) for edge in edges}
        refined = self._refinement.refine_trace(self.traces, missed, executed)
        if refined is None:
            return None
        self.statistics.refinements += 1
        self.traces = refined
        self._backtrack.clear()
        self._visited.clear()
        return self._restarted()

    def _backtracked(self) -> _Visit | Violation | _End:
        """Of what was left, the best, and of equals the last."""
        self.statistics.backtracks += 1
        return self._generated(heapq.heappop(self._backtrack)[2])


def _last_missed(here: _Visit) -> Missed | None:
    """The last branch that went wrong and that no trace has got past since."""
    return next((m for m in reversed(here.missed) if m.passable or here.guides[m.trace].remaining == m.remaining), None)
