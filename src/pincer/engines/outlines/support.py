"""A small part of an inductive outline that excludes the errors, and is inductive by itself."""

from __future__ import annotations

from collections.abc import Generator, Iterator

from pincer.engines.outlines.filtering import GuessFilter, Key
from pincer.evidence.c_proof.smt import Node
from pincer.evidence.thread_proof.obligations import Claim, ClaimWriter, StepGoal, There
from pincer.evidence.thread_proof.outline import Outline
from pincer.logic.terms import Term
from pincer.program.threaded_system import Place


class Support:
    """Collects what claims need, and what that needs in turn."""

    def __init__(self, filtered: GuessFilter) -> None:
        self._filter = filtered
        self._needed: dict[tuple[Key, Term], None] = {}
        self._waiting: list[tuple[Key, Term]] = []

    def outline(self, claims: list[tuple[ClaimWriter, Claim]]) -> Generator[None, None, Outline]:
        """The part of the outline on which claims rest. Can be interrupted after every condition."""
        for writer in (self._filter.coarse, self._filter.exact):
            writer.leaves_out_known = False
        for writer, claim in claims:
            self._note(writer, claim, None)
        while self._waiting:
            (number, place), condition = self._waiting.pop()
            self._justify(number, place, condition)
            yield
        whole = self._filter.outline
        standing = tuple(c for c in whole.standing if ((-1, None), c) in self._needed)
        assertions = {
            number: {
                place: kept
                for place, conditions in places.items()
                if (kept := tuple(c for c in conditions if ((number, place), c) in self._needed))
            }
            for number, places in whole.assertions.items()
        }
        return Outline(standing, assertions, whole.ghosts, whole.updates, whole.order)

    def _justify(self, number: int, place: Place | None, condition: Term) -> None:
        """All claims that have a condition for a goal."""
        filtered, goal = self._filter, (number, place, condition)
        for thread in filtered.system.threads:
            for move in thread.moves:
                steps = filtered.steps(thread, move)
                writer = filtered.writer(move)
                born = any(step.birth is not None and step.birth.thread.number == number for step in steps)
                if place is None or born or (thread.number == number and move.target == place):
                    for claim in writer.sequential(thread, move, steps):
                        self._goals(writer, claim, goal)
                if place is None or not steps:
                    continue
                for other in writer.rivals(thread):
                    if other.number == number:
                        for claim in writer.interference(thread, move, steps, (other, place)):
                            self._goals(writer, claim, goal)

    def _goals(self, writer: ClaimWriter, claim: Claim, wanted: tuple[int, Place | None, Term]) -> None:
        for goal in claim.goals:
            if (goal.thread, goal.place, goal.condition) == wanted:
                self._note(writer, claim, goal)

    def _note(self, writer: ClaimWriter, claim: Claim, goal: StepGoal | None) -> None:
        """Mark the conditions that refute the negation of a claim."""
        optional = dict(self._optional(writer, claim.there))
        fixed = [node for node in claim.known if node not in optional]
        script = self._filter.coarse.script
        wrong = script.true if goal is None else script.negation(goal.node)
        core = self._filter.questions.needed([*fixed, claim.guard, wrong], optional)
        for node in optional if core is None else core:
            for entry in optional[node]:
                if entry not in self._needed:
                    self._needed[entry] = None
                    self._waiting.append(entry)

    def _optional(self, writer: ClaimWriter, there: tuple[There, ...]) -> Iterator[tuple[Node, list[tuple[Key, Term]]]]:
        """The conditions that may be assumed, by their formulas."""
        encoder, outline = writer.encoder, self._filter.outline
        found: dict[Node, list[tuple[Key, Term]]] = {}
        anyone = encoder.view("me", writer.system.threads[0])
        for condition in outline.standing:
            found.setdefault(encoder.encode(condition, encoder.before, anyone), []).append(((-1, None), condition))
        for number, place, who in there:
            view = encoder.view(who, writer.system.threads[number])
            for condition in outline.at(number, place):
                node = encoder.encode(condition, encoder.before, view)
                found.setdefault(node, []).append(((number, place), condition))
        yield from ((node, entries[:1]) for node, entries in found.items())
