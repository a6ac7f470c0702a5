"""Of any two visits of a place one word or another is smaller at the later one: claims about pairs of visits.

Where no tuple gets smaller on every way, a proof may give words instead, and say how each state has to do with any
earlier visit of a place with words. That this is so follows from way to way: it holds between a state and the next,
and where it holds since a visit, it holds after one more way. If it follows that of any two visits of a place one of
finitely many words is smaller at the later one, a run cannot visit the place for ever: among infinitely many visits
there would be infinitely many of which any two have the same word smaller (Ramsey), and that word would get smaller for
ever (*Transition Invariants*, LICS 2004). Ranks that get smaller between two visits need no such claim: they do so only
finitely often.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from pincer.evidence.c_proof.cut_point_claim import EARLIER, CutPoint, Since
from pincer.evidence.c_proof.encoding import Encoder, State
from pincer.evidence.c_proof.range_facts import Cell, cells_read
from pincer.evidence.c_proof.smt import Node
from pincer.logic import bitvectors
from pincer.logic.terms import Term
from pincer.program.control_flow import Edge


def earlier(words: Sequence[Term]) -> tuple[Term, ...]:
    """The variables that stand for words at an earlier visit."""
    return tuple(bitvectors.variable(f"{EARLIER}{number}", word.sort.width or 1) for number, word in enumerate(words))


class PairClaim(Struct, frozen=True):
    """At the end of a way the state has to do with a visit of the point `visited`, made at the beginning of the way, or
    before if it is `known` then how; unless a rank has got smaller."""

    visited: CutPoint
    source: CutPoint
    target: CutPoint
    known: Since | None
    wanted: Since | None

    @property
    def message(self) -> str:
        return f"what the proof says at location {self.target.location} of an earlier visit need not be so"

    def wrong(self, encoder: Encoder, state: State, _: Edge | None) -> tuple[Node, list[Cell]]:
        """What would contradict the claim."""
        script, before = encoder.script, encoder.before
        cells: list[Cell] = []

        def value(term: Term, where: State) -> Node:
            cells.extend(cells_read(encoder, term, where))
            return encoder.encode(term, where)

        names = earlier(self.visited.words)
        if self.known is None:
            then = tuple(value(word, before) for word in self.visited.words)
        else:
            then = tuple(script.variable(f"visited {n}", name.sort.width or 1) for n, name in enumerate(names))
        given = {str(name.args[0]): node for name, node in zip(names, then, strict=True)}

        def with_visit(where: State) -> State:
            return replace(where, changed={**where.changed, **given}, memo={})

        same = [
            script.equal(value(now, state), value(rank, before))
            for now, rank in zip(self.target.ranks, self.source.ranks, strict=True)
        ]
        if self.known is not None:
            same.append(value(self.known.relation, with_visit(before)))
        good = script.false if self.wanted is None else value(self.wanted.relation, with_visit(state))
        if self.visited is self.target:
            words = (value(word, state) for word in self.target.words)
            fallen = [script.below(now, old) for now, old in zip(words, then, strict=True)]
            good = script.conjunction((good, script.disjunction(fallen)))
        return script.conjunction((*same, script.negation(good))), cells


def pair_claims(cuts: Sequence[CutPoint], source: CutPoint, target: CutPoint) -> Iterator[PairClaim]:
    """What has to be shown of a way between two points with words."""
    wanted = {since.point: since for since in target.since}
    for number, visited in enumerate(cuts):
        if visited is source:
            yield PairClaim(visited, source, target, None, wanted.get(number))
    for known in source.since:
        yield PairClaim(cuts[known.point], source, target, known, wanted.get(known.point))
