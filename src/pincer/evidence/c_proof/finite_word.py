"""Beginnings of runs that violate a temporal formula: they are followed with their inputs, and judged as words.

A run that has ended is a finite word. Otherwise the formula is false of every run that begins like this.
"""

from __future__ import annotations

from pincer.evidence.c_proof.cut_points import Refusal, Way
from pincer.evidence.c_proof.endless import LONGEST_STEM, EndlessChecker
from pincer.evidence.c_proof.reading import formula_of
from pincer.evidence.pptl.formula import TooManyCases
from pincer.evidence.pptl.truth import Letter, TruthJudge
from pincer.program.control_flow import Observe
from pincer.program.stuck import always_goes_on


class FiniteWordChecker(EndlessChecker):
    """Follows a beginning, and reads what is observed on it."""

    def check(self, most_refused: int) -> None:
        self._most_refused = most_refused
        self._known = {}
        self._prepare()
        self._taken = [value.value for value in self.endless.test.inputs]
        if self.endless.stem > LONGEST_STEM:
            raise Refusal("the run is too long to be followed")
        word: list[Letter] = []
        ended = False
        way = self._begin(None, self._exact)
        for _ in range(self.endless.stem):
            self.poll()
            following = self._only(way)
            edge = following.edges[-1]
            if isinstance(edge.label, Observe) and way.place.location == edge.source:
                word.append(self._letter(following, edge.label))
                ended = edge.label.last
            way = following
        if ended is not self.endless.ended:
            raise Refusal("the run does not end where it should")
        self.claims += 1
        self._judge(word)

    def _letter(self, way: Way, observation: Observe) -> Letter:
        found = set()
        for name, condition in observation.letters:
            holds = self._exact.encode(condition, way.state)
            if self._none(way, self.script.negation(holds)):
                found.add(name)
            elif not self._none(way, holds):
                raise Refusal("it is not known whether a predicate holds: it may speak of a variable without a value")
        return frozenset(found)

    def _judge(self, word: list[Letter]) -> None:
        formula, judge = formula_of(self.facts.program), TruthJudge()
        try:
            if self.endless.ended:
                violated = bool(word) and not judge.on_finite(formula, word)
            else:
                if not always_goes_on(self.facts.program):
                    raise Refusal("an assumption may fail later, so that there is no run that begins like this")
                violated = judge.excluded(judge.after(formula, word))
        except TooManyCases:
            raise Refusal("the formula has too many cases to be checked") from None
        if not violated:
            raise Refusal("the formula is not false of the run")
