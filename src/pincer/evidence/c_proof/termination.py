"""Proofs that every run ends, and their checker: from cut point to cut point a tuple of words gets smaller.

Every loop has a cut point, so a run without an end passes cut points for ever. The proof gives facts and ranks at each:
words that are compared as unsigned numbers, the first ones first. On every way from one cut point to the next the
tuple must get smaller in this order. There are finitely many words of fixed widths, so no run does that for ever.

The memory model has finitely many places for objects, and a run that has used them up ends there. That is no reason
for a program to end: where an allocation may be repeated nothing is known of the state after it, neither the address
nor the contents of memory.

Between places with words the tuple may also stay what it is: then claims about pairs of visits show that no run goes on
so for ever (`visits`).

Recursion is made into loops first, by a pass that both sides know (`program.passes.recursion`).
"""

from __future__ import annotations

from pincer.evidence.c_proof.cut_point_claim import CutPoint, Since
from pincer.evidence.c_proof.cut_points import CutPointChecker, Place, Refusal, Way, Wrong
from pincer.evidence.c_proof.encoding import Encoder, State
from pincer.evidence.c_proof.program_facts import TOP
from pincer.evidence.c_proof.range_facts import Cell, cells_read
from pincer.evidence.c_proof.smt import Node
from pincer.evidence.c_proof.term_data import variables
from pincer.evidence.c_proof.visits import earlier, pair_claims
from pincer.logic.terms import BOOL, Term
from pincer.program.control_flow import Allocate, Edge

MOST_RANKS = 64
MOST_WORDS = 16
WIDEST_RANK = 128


class TerminationChecker(CutPointChecker):
    """Follows the ways between cut points, and compares the ranks at their ends. Where an allocation stands for what
    calls do that are passed, it `forgets` all of memory wherever it is."""

    forgets: bool = False

    def check(self, most_refused: int) -> None:
        shapes = {tuple(rank.sort.width for rank in cut.ranks) for cut in self.cuts}
        if len(shapes) > 1:
            raise Refusal("ranks at different places cannot be compared")
        self._repeated = self.forgets
        super().check(most_refused)

    def _in_scope(self, cut: CutPoint) -> None:
        super()._in_scope(cut)
        if len(cut.ranks) > MOST_RANKS:
            raise Refusal(f"there are more than {MOST_RANKS} ranks at location {cut.location}")
        if max(len(cut.words), len(cut.since)) > MOST_WORDS:
            raise Refusal(f"more than {MOST_WORDS} words are compared at location {cut.location}")
        for rank in (*cut.ranks, *cut.words):
            self._speaks_of_open_calls(cut, rank)
            if rank.sort is BOOL or not 0 < (rank.sort.width or 0) <= WIDEST_RANK:
                raise Refusal(f"a rank at location {cut.location} is no word of at most {WIDEST_RANK} bits")
            if any(str(register.args[0]) == TOP for register in variables(rank)):
                raise Refusal(f"a rank at location {cut.location} rests on the end of memory")
        if len({since.point for since in cut.since}) < len(cut.since):
            raise Refusal(f"two relations at location {cut.location} are about the same place")
        for since in cut.since:
            self._relates(cut, since)

    def _relates(self, cut: CutPoint, since: Since) -> None:
        """A relation is about the state and the words of a place with words."""
        words = self.cuts[since.point].words if since.point < len(self.cuts) else ()
        if not words or not cut.words or since.relation.sort is not BOOL:
            raise Refusal(f"a relation at location {cut.location} is not one to a place with words")
        names = earlier(words)
        if any(str(name.args[0]) in self.facts.widths for name in names):
            raise Refusal("a register has the name of a word of an earlier visit")
        self._speaks_of_open_calls(cut, since.relation, names)

    def _follow(self, cut: CutPoint | None) -> None:
        self._repeated = self.forgets or cut is not None
        super()._follow(cut)

    def _after(self, way: Way, edge: Edge, encoder: Encoder) -> Way | None:
        label = edge.label
        here = way.place.location != self._procedure(way.place.calls).exit
        if not (self._repeated and here and isinstance(label, Allocate)):
            return super()._after(way, edge, encoder)
        state = encoder.anything_after(label, way.state, self._mark(way))
        return way.then(edge, Place(way.place.calls, edge.target), state)

    def _arrived(self, cut: CutPoint | None, way: Way) -> None:
        super()._arrived(cut, way)
        if cut is not None:
            message = f"the ranks at location {way.place.location} need not be smaller than those before"
            target = self._known[way.place]
            related = bool(cut.words) and bool(target.words)
            wrong = _not_smaller(target.ranks, cut.ranks, related or self._may_stay(way))
            self._claim(cut, way, None, message, wrong)
            for claim in pair_claims(self.cuts, cut, target) if related else ():
                self._claim(cut, way, None, claim.message, claim.wrong)

    def _may_stay(self, way: Way) -> bool:
        """Whether it is no harm that ranks stay what they are on a way."""
        return False


def _not_smaller(ranks: tuple[Term, ...], before: tuple[Term, ...], may_stay: bool) -> Wrong:
    """The ranks in a state are not below those at the beginning of the way."""

    def wrong(encoder: Encoder, state: State, _: Edge | None) -> tuple[Node, list[Cell]]:
        script = encoder.script
        smaller = script.boolean(may_stay)
        for now, then in reversed(list(zip(ranks, before, strict=True))):
            new, old = encoder.encode(now, state), encoder.encode(then, encoder.before)
            same = script.conjunction((script.equal(new, old), smaller))
            smaller = script.disjunction((script.below(new, old), same))
        cells = [cell for rank in ranks for cell in cells_read(encoder, rank, state)]
        cells += [cell for rank in before for cell in cells_read(encoder, rank, encoder.before)]
        return script.negation(smaller), cells

    return wrong
