"""The filter behind all guesses about threads: what no move of any thread makes wrong is kept.

Houdini over the obligations of Owicki and Gries: as long as some claim has a counterexample, the guesses that fail in
it are dropped. What is left is the largest part of the guesses that is inductive.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial

from msgspec.structs import replace

from pincer.engines.outlines.questions import OutlineQuestions
from pincer.evidence.thread_proof.checker import updates
from pincer.evidence.thread_proof.obligations import Claim, ClaimWriter, StepGoal
from pincer.evidence.thread_proof.outline import Order, Outline
from pincer.evidence.thread_proof.states import Step
from pincer.logic.terms import Term
from pincer.program.threaded_system import Move, Place, ThreadedSystem, UnfoldedThread

Claims = Callable[[], Iterator[Claim]]
Key = tuple[int, Place | None]
"""A place of a thread, or with thread -1 what stands."""


@dataclass
class GuessFilter:
    """The guesses that are left. Claims are written with coarse memory, or exactly where a move changes it twice."""

    coarse: ClaimWriter
    exact: ClaimWriter
    questions: OutlineQuestions
    _versions: dict[Key, int] = field(default_factory=dict)
    _settled: dict[tuple[object, ...], tuple[int, ...]] = field(default_factory=dict)
    _steps: dict[tuple[int, int], list[Step]] = field(default_factory=dict)

    @property
    def outline(self) -> Outline:
        return self.coarse.outline

    @property
    def system(self) -> ThreadedSystem:
        return self.coarse.system

    def order(self, order: Order) -> None:
        """The outline with ranks."""
        self.coarse.outline = self.exact.outline = replace(self.outline, order=order)

    def writer(self, move: Move) -> ClaimWriter:
        return self.coarse if updates(move) <= 1 else self.exact

    def steps(self, thread: UnfoldedThread, move: Move) -> list[Step]:
        key = thread.number, move.number
        if key not in self._steps:
            self._steps[key] = self.writer(move).steps(thread, move)
        return self._steps[key]

    def run(self) -> Generator[None, None, None]:
        """Drop guesses until what is left is inductive. Can be interrupted after every claim."""
        self._settle(self.coarse.start)
        while (yield from self._sequential()) or (yield from self._interference()):
            pass

    def _sequential(self) -> Generator[None, None, bool]:
        """What each thread does to its own assertions, until nothing changes; whether anything did."""
        any_, changed = False, True
        while changed:
            changed = False
            for thread, move, steps in self._all_steps():
                changed |= self._asked(
                    ("sequential", thread.number, move.number),
                    ((-1, None), (thread.number, move.source)),
                    partial(self.writer(move).sequential, thread, move, steps),
                )
                yield
            any_ |= changed
        return any_

    def _interference(self) -> Generator[None, None, bool]:
        """What threads do to the assertions of others."""
        changed = False
        for thread, move, steps in self._all_steps():
            writer = self.writer(move)
            for other in writer.rivals(thread):
                for place in other.places:
                    changed |= self._asked(
                        ("interference", thread.number, move.number, other.number, place),
                        ((-1, None), (thread.number, move.source), (other.number, place)),
                        partial(writer.interference, thread, move, steps, (other, place)),
                    )
                yield
        return changed

    def _all_steps(self) -> Iterator[tuple[UnfoldedThread, Move, list[Step]]]:
        for thread in self.system.threads:
            for move in thread.moves:
                steps = self.steps(thread, move)
                if steps:
                    yield thread, move, steps

    def _asked(self, item: tuple[object, ...], inputs: Iterable[Key], claims: Claims) -> bool:
        """Settle the claims of an item, unless what they rest on is the same as when they were settled last."""
        versions = tuple(self._versions.get(key, 0) for key in inputs)
        if self._settled.get(item) == versions:
            return False
        changed = self._settle(claims)
        self._settled[item] = tuple(self._versions.get(key, 0) for key in inputs)
        return changed

    def _settle(self, claims: Claims) -> bool:
        """Drop goals until all claims hold."""
        dropped_any = False
        while True:
            dropped: dict[Key, set[Term]] = {}
            for claim in claims():
                for goal in self._failing(claim):
                    dropped.setdefault((goal.thread, goal.place), set()).add(goal.condition)
            if not dropped:
                return dropped_any
            dropped_any = True
            self._drop(dropped)

    def _failing(self, claim: Claim) -> Iterator[StepGoal]:
        """The goals of a claim that do not follow."""
        goals = list(claim.goals)
        script = self.coarse.script
        while goals:
            wrong = script.negation(script.conjunction(goal.node for goal in goals))
            failing = self.questions.refuted((*claim.known, claim.guard), wrong, [goal.node for goal in goals])
            if failing is None:
                return
            bad = set(failing)
            yield from (goal for goal in goals if goal.node in bad)
            goals = [goal for goal in goals if goal.node not in bad]

    def _drop(self, dropped: dict[Key, set[Term]]) -> None:
        outline = self.outline
        standing = outline.standing
        assertions = {number: dict(places) for number, places in outline.assertions.items()}
        for (number, place), conditions in dropped.items():
            self._versions[number, place] = self._versions.get((number, place), 0) + 1
            if place is None:
                standing = tuple(condition for condition in standing if condition not in conditions)
            else:
                kept = assertions[number][place]
                assertions[number][place] = tuple(condition for condition in kept if condition not in conditions)
        made = Outline(standing, assertions, outline.ghosts, outline.updates, outline.order)
        self.coarse.outline = self.exact.outline = made
