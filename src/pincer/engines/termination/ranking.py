"""From a program to a proof that it ends: facts at its loop heads, ranks that they make get smaller, and both together.

Facts are the dearer part. Ranks are tried without them first, and then after each round of guesses.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from pincer.engines.cutpoints.candidates import conditions, numeric_candidates
from pincer.engines.cutpoints.cutting import Cut, Source, guessed, rounds
from pincer.engines.cutpoints.induction import Facts, Goal
from pincer.engines.cutpoints.proof import Ranks, Visits, cut_point_proof
from pincer.engines.cutpoints.view import View
from pincer.engines.invariants.houdini import Asking
from pincer.engines.termination.limits import LIMITS
from pincer.engines.termination.peeling import Peeling, Resists, decisions
from pincer.engines.termination.rank_texts import RankedLoop, formula_text, ranked_loops, ranks_text
from pincer.engines.termination.relation import Relation, named
from pincer.engines.termination.visits import goals
from pincer.evidence.c_proof.cut_point_claim import CutPointProof
from pincer.logic import bitvectors
from pincer.logic.bitvectors import compare, width
from pincer.logic.terms import FALSE, Term, conjunction, disjunction, equal, negate
from pincer.program.control_flow import Assume
from pincer.program.passes.recursion import Joined


class Ranking:
    """The search for a proof; `resisting` are the cut points of the last component for which no rank was found, and
    `why` says a proof that was found in words, `loops` what gets smaller where."""

    def __init__(self, cut: Cut, joined: Joined | None = None) -> None:
        """`joined` says which heads belong to functions, where recursion was made into loops."""
        self._cut = cut
        self._joined = joined
        self.resisting: tuple[int, ...] = ()
        self.why = ""
        self.loops: tuple[RankedLoop, ...] = ()
        self._facts: Facts | None = None
        self._effort = 0

    def proof(self) -> Asking[CutPointProof | None]:
        """The proof, None when there are no more guesses."""
        cut = self._cut
        self._effort = cut.induction.questions.effort
        entry = cut.view.procedure.entry
        facts: Facts = {place: {} for place in cut.view.live if place != entry}
        # Many nodes of an automaton are for violations, and no run comes there.
        unseen = [place for place in facts if cut.product is not None and not cut.view.states.get(place)]
        for place in unseen:
            facts[place][FALSE] = None
        yield from cut.induction.keep_inductive(facts)
        for sources in ((), *rounds(cut.view), (under_conditions,), (_elsewhere(cut, facts),)):
            yield 1
            if sources:
                before = {place: len(known) for place, known in facts.items()}
                for place, known in facts.items():
                    known |= guessed(cut.view, place, sources, known)
                for place in unseen:
                    facts[place][FALSE] = None
                yield from cut.induction.keep_inductive(facts)
                if before == {place: len(known) for place, known in facts.items()}:
                    continue
            found = yield from self._supported(facts)
            if found is not None:
                return found
        self._facts = facts
        return None

    def by_visits(self) -> Asking[CutPointProof | None]:
        """The proof that compares visits where no ranks were found, with all facts that were."""
        found: CutPointProof | None = None
        self._effort = self._cut.induction.questions.effort
        if self._facts is not None and self._cut.product is None:
            found = yield from self._supported(self._facts, compares=True)
        return found

    def _supported(self, facts: Facts, compares: bool = False) -> Asking[CutPointProof | None]:
        """The proof with ranks that get smaller given these facts, and the part of the facts that it takes."""
        cut = self._cut
        tables = decisions(e.label.condition for e in cut.view.procedure.edges if isinstance(e.label, Assume))
        relation = Relation(cut, facts, self._effort)
        peeling = Peeling(relation, tables, compares)
        try:
            ranks = peeling.ranks()
        except Resists as resists:
            self.resisting = resists.places
            return None
        kept = yield from cut.induction.supporting(facts, list(self._needed(relation, ranks, peeling.visits)))
        if kept is None:
            return None
        self.loops = ranked_loops(cut.program, cut.view.procedure, ranks, peeling.visits.words, self._joined)
        self.why = (ranks_text if cut.product is None else formula_text)(self.loops)
        return cut_point_proof(kept, cut.program.entry, cut.flat, ranks, cut.product, peeling.visits)

    def _needed(self, relation: Relation, ranks: Ranks, visits: Visits) -> Iterator[Goal]:
        """What must hold at cut points: no error up to the next ones, and smaller ranks there."""
        blocks = self._cut.induction.blocks
        yield from blocks.harmless()
        for target, words in ranks.items():
            earlier = [bitvectors.variable(f"~rank{i}.{width(word)}", width(word)) for i, word in enumerate(words)]
            same = conjunction(*(equal(now, then) for now, then in zip(words, earlier, strict=True)))
            below = smaller(words, earlier)
            falling = {
                source: relation.must_decrease(source, target) and not {source, target} <= visits.words.keys()
                for source in ranks
            }
            for counts, wanted in ((True, below), (False, disjunction(below, same))):
                if counts not in falling.values():
                    continue
                for source, formula in blocks.before(target, wanted).items():
                    if falling.get(source) is counts:
                        yield source, named(formula, dict(zip(earlier, ranks[source], strict=True)))
            for visited in visits.words if target in visits.words else ():
                wanted = disjunction(negate(same), visits.since.get((visited, target), FALSE))
                for source, formula in blocks.before(target, wanted).items():
                    if source in visits.words:
                        begun = named(formula, dict(zip(earlier, ranks[source], strict=True)))
                        yield from ((source, goal) for goal in goals(visits, visited, source, begun))
            if any(relation.may_accept(source, target) for source in ranks):
                for source, formula in relation.before_accepting(target, below).items():
                    if source in ranks:
                        yield source, named(formula, dict(zip(earlier, ranks[source], strict=True)))


def _elsewhere(cut: Cut, facts: Facts) -> Source:
    """What is known at the same place where the automaton is in another node: few tests may have come to this one."""
    origins = {} if cut.product is None else cut.product.origins

    def known_elsewhere(_: View, place: int) -> Iterator[Term]:
        for other, known in facts.items():
            if place in origins and other in origins and origins[other][0] == origins[place][0]:
                yield from known

    return known_elsewhere


def under_conditions(view: View, place: int) -> Iterator[Term]:
    """What may hold while a flag is set: bounds that only some states keep."""
    flags = islice(dict.fromkeys(conditions(view, place)), LIMITS.flags)
    guesses = list(islice(numeric_candidates(view, place), LIMITS.under_flags))
    for flag in flags:
        for guess in guesses:
            if flag.variables.isdisjoint(guess.variables) or len(guess.variables) > 1:
                yield disjunction(negate(flag), guess)


def smaller(words: tuple[Term, ...], earlier: list[Term]) -> Term:
    """The first word that differs from the earlier ones is below it."""
    found = FALSE
    for now, then in reversed(list(zip(words, earlier, strict=True))):
        found = disjunction(compare("bvult", now, then), conjunction(equal(now, then), found))
    return found
