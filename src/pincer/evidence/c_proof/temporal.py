"""Proofs that no run violates a temporal formula, and their checker.

An automaton, which accepts every run that violates the formula, reads the states of runs. The proof gives facts and
ranks at cut points of the program, each in a node of the automaton. No run ends where the automaton accepts the end. On
ways between cut points the ranks never get larger, and they get smaller where the way passes an accepting node. So no
run passes accepting nodes again and again. Ranks get smaller as well on ways on which the automaton reads nothing: a
run that is observed no more is not judged at all.
"""

from __future__ import annotations

from pincer.evidence.c_proof.cut_point_claim import CutPoint
from pincer.evidence.c_proof.cut_points import Place, Refusal, Way, Wrong
from pincer.evidence.c_proof.encoding import Encoder, State
from pincer.evidence.c_proof.range_facts import Cell, cells_read
from pincer.evidence.c_proof.reading import ReadingChecker, condition, formula_of, well_formed
from pincer.evidence.c_proof.smt import Node
from pincer.evidence.c_proof.termination import TerminationChecker
from pincer.evidence.pptl.automaton import CheckedAutomaton
from pincer.evidence.pptl.formula import Formula, TooManyCases, not_
from pincer.evidence.pptl.simulation import BuiltPlayer, GivenPlayer, accepts_finite, accepts_infinite
from pincer.logic.terms import Term
from pincer.program.automaton import Automaton
from pincer.program.control_flow import Edge, Observe


def accepts_violations(automaton: Automaton, formula: Formula) -> None:
    """The automaton accepts every run, finite or not, that violates the formula; otherwise a Refusal is raised."""
    try:
        negated = not_(formula)
        if not accepts_finite(automaton, negated):
            raise Refusal("the automaton of the proof misses a finite run that violates the formula")
        if not accepts_infinite(GivenPlayer(automaton), BuiltPlayer(CheckedAutomaton(negated))):
            raise Refusal("the automaton of the proof may miss an infinite run that violates the formula")
    except TooManyCases:
        raise Refusal("the formula has too many cases to be checked") from None


class TemporalChecker(ReadingChecker, TerminationChecker, kw_only=True):
    """Follows the ways between cut points with the automaton of a proof."""

    automaton: Automaton

    def read_by(self) -> Automaton:
        return self.automaton

    def check(self, most_refused: int) -> None:
        well_formed(self.automaton, [cut.node for cut in self.cuts])
        if any(cut.words for cut in self.cuts):
            raise Refusal("pairs of visits are compared where all of them count: in proofs that runs end")
        accepts_violations(self.automaton, formula_of(self.facts.program))
        self._first = 0
        super().check(most_refused)

    def _follow(self, cut: CutPoint | None) -> None:
        if cut is not None:
            super()._follow(cut)
            return
        for node in self.automaton.initial:
            self._first = node
            super()._follow(None)

    def _begin(self, cut: CutPoint | None, encoder: Encoder) -> Way:
        way = super()._begin(cut, encoder)
        if cut is not None:
            return way
        return Way(Place(way.place.calls, way.place.location, self._first), way.state, way.conditions, way.cells)

    def _no_error(self, cut: CutPoint | None, way: Way, edge: Edge) -> None:
        super()._no_error(cut, way, edge)
        if isinstance(edge.label, Observe) and edge.label.last:
            ending = condition(self.automaton.ends[way.place.node], edge.label)
            self._claim(cut, way, edge, "a run that ends here may violate the formula", _holds(ending))

    def _may_stay(self, way: Way) -> bool:
        return self.reads(way) and not self.passes_accepting(way)


def _holds(fact: Term) -> Wrong:
    def wrong(encoder: Encoder, state: State, _: Edge | None) -> tuple[Node, list[Cell]]:
        return encoder.encode(fact, state), cells_read(encoder, fact, state)

    return wrong
