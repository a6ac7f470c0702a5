"""Endless runs that violate a temporal formula: an automaton that accepts nothing else reads their states, and accepts.

Besides what is shown of all endless runs: the automaton can come to the first point, it can always make a move, and
every cycle of points passes an accepting node.
"""

from __future__ import annotations

from collections.abc import Mapping

from pincer.evidence.c_proof.cut_point_claim import CutPoint
from pincer.evidence.c_proof.cut_points import Place, Refusal, Way, place_of
from pincer.evidence.c_proof.endless import EndlessChecker, always
from pincer.evidence.c_proof.reading import ReadingChecker, condition, formula_of, well_formed
from pincer.evidence.pptl.automaton import CheckedAutomaton, negates_iteration
from pincer.evidence.pptl.formula import Formula, TooManyCases, not_
from pincer.evidence.pptl.simulation import BuiltPlayer, GivenPlayer, accepts_infinite
from pincer.program.automaton import Automaton
from pincer.program.control_flow import Edge, Observe


def accepts_only_violations(automaton: Automaton, formula: Formula) -> None:
    """Every infinite run that the automaton accepts violates the formula; otherwise a Refusal is raised."""
    negated = not_(formula)
    if negates_iteration(negated):
        raise Refusal("an iteration stands under a negation: what the automaton accepts may satisfy the formula")
    try:
        if not accepts_infinite(BuiltPlayer(CheckedAutomaton(negated)), GivenPlayer(automaton)):
            raise Refusal("the automaton of the run may accept runs that satisfy the formula")
    except TooManyCases:
        raise Refusal("the formula has too many cases to be checked") from None


class EndlessWordChecker(ReadingChecker, EndlessChecker, kw_only=True):
    """Follows the beginning and the rounds with an automaton."""

    automaton: Automaton
    moves: frozenset[tuple[int, int]]

    def read_by(self) -> Automaton:
        return self.automaton

    def kept_moves(self) -> frozenset[tuple[int, int]]:
        return self.moves

    def check(self, most_refused: int) -> None:
        well_formed(self.automaton, [cut.node for cut in self.cuts])
        accepts_only_violations(self.automaton, formula_of(self.facts.program))
        self._nodes = frozenset(self.automaton.initial)
        self._idle: dict[Place, set[Place]] = {}
        self._unread: dict[Place, set[Place]] = {}
        super().check(most_refused)
        if _has_cycle(self._idle):
            raise Refusal("it is not shown that the formula is violated however often the rounds are gone")
        if _has_cycle(self._unread):
            raise Refusal("it is not shown that every round passes a place where the formula is looked at")

    def _leaving(self, way: Way) -> tuple[Edge, ...]:
        """The automaton decides in rounds; on the way to them, it is in all nodes that it may be in."""
        return super()._leaving(way) if self._taken is None else EndlessChecker._leaving(self, way)

    def _only(self, way: Way) -> Way:
        [*_, last] = (following := super()._only(way)).edges
        if isinstance(last.label, Observe) and way.place.location == last.source:
            self._nodes = self._moved(following, last.label)
        return following

    def _moved(self, way: Way, observation: Observe) -> frozenset[int]:
        found: set[int] = set()
        for edge in self.automaton.edges:
            if edge.source in self._nodes and edge.target not in found:
                holds = self._exact.encode(condition(edge.guard, observation), way.state)
                if holds.is_true or self._none(way, self.script.negation(holds)):
                    found.add(edge.target)
        return frozenset(found)

    def _begun(self) -> None:
        super()._begun()
        if self.cuts[0].node not in self._nodes:
            raise Refusal("the automaton does not come to the first point")

    def _at_first(self, way: Way) -> bool:
        first = self.cuts[0]
        return way.place == Place(first.calls, first.location)

    def _arrived(self, cut: CutPoint | None, way: Way) -> None:
        super()._arrived(cut, way)
        assert cut is not None
        accepts, reads = self.passes_accepting(way), self.reads(way)
        if (accepts and reads) or self._is_impossible(self._coarse, way, None, always):
            return
        if not accepts:
            self._idle.setdefault(place_of(cut), set()).add(way.place)
        if not reads:
            self._unread.setdefault(place_of(cut), set()).add(way.place)


def _has_cycle(moves: Mapping[Place, set[Place]]) -> bool:
    """Whether something is left when places from which no move leads on are taken away, one after the other."""
    left = {place: set(targets) for place, targets in moves.items()}
    while True:
        ends = {place for place, targets in left.items() if not targets & left.keys()}
        if not ends:
            return bool(left)
        left = {place: targets for place, targets in left.items() if place not in ends}
