"""Steps between cut points as a relation of values: what is observed at one, and what at the next.

One formula says all ways from a cut point to the next, so a question about ranks is one about two sets of variables.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from pincer.engines.cutpoints.candidates import values
from pincer.engines.cutpoints.cutting import Cut
from pincer.engines.cutpoints.induction import Facts
from pincer.engines.termination.limits import LIMITS
from pincer.engines.termination.marks import before_accepting, marks_of
from pincer.logic import bitvectors
from pincer.logic.bitvectors import width
from pincer.logic.rewriting import rewrite
from pincer.logic.solver import SolverUnknown
from pincer.logic.terms import FALSE, TRUE, Term, conjunction, equal, negate
from pincer.program.control_flow import Assume

Values = Mapping[Term, int]
"""What observed terms are before a step and after it, by the variables that stand for them."""


class Names(Struct, frozen=True):
    """The variables that stand for observed terms before and after a step."""

    before: Mapping[Term, Term]
    after: Mapping[Term, Term]

    def earlier(self, term: Term) -> Term:
        return named(term, self.before)

    def later(self, term: Term) -> Term:
        return named(term, self.after)


def named(term: Term, names: Mapping[Term, Term]) -> Term:
    """A term about observed terms, with variables in their place."""
    return rewrite(term, lambda leaf: names.get(leaf, leaf), {})


class Relation:
    """The steps between cut points of one program, given facts that hold there."""

    def __init__(self, cut: Cut, facts: Facts, effort: int = 0) -> None:
        """`effort` is what solvers had done before: questions about other things do not count here."""
        self._cut = cut
        self._most = effort + LIMITS.effort
        self._facts = facts
        self._steps: dict[tuple[int, int, tuple[Term, ...], bool], list[Term]] = {}
        self.places = tuple(sorted(facts))
        self._marks = None if cut.product is None else marks_of(cut.induction.blocks, cut.product)

    def follows(self, place: int) -> tuple[int, ...]:
        """The cut points that may come next."""
        return tuple(p for p in self.places if place in self._cut.induction.blocks.sources[p])

    def must_decrease(self, source: int, target: int) -> bool:
        """Whether ranks have to get smaller on the steps between two cut points: a run could take them for ever."""
        return self._marks is None or (source, target) in self._marks.always

    def may_accept(self, source: int, target: int) -> bool:
        """Whether ranks have to get smaller on some ways between two cut points, those that accept."""
        return self._marks is not None and (source, target) in self._marks.sometimes

    def before_accepting(self, target: int, formula: Term) -> dict[int, Term]:
        """What must hold at each cut point for a formula to hold at the next one, where the way to it accepts."""
        assert self._cut.product is not None
        return before_accepting(self._cut.induction.blocks, self._cut.product, target, formula)

    def observed(self, places: Iterable[int], needed: Iterable[Term] = ()) -> tuple[Term, ...]:
        """What can be observed at all of some cut points: what is needed first, then what conditions are about."""
        view = self._cut.view
        common: dict[Term, None] | None = None
        for place in places:
            here = dict.fromkeys(v for v in values(view, place) if v.op in ("var", "load"))
            here.pop(view.program.top, None)
            common = here if common is None else {v: None for v in common if v in here}
        decided = [edge.label.condition for edge in view.procedure.edges if isinstance(edge.label, Assume)]
        compared = {leaf for condition in decided for leaf in leaves(condition)}
        first = sorted({leaf for term in needed for leaf in leaves(term)}, key=lambda term: term.id)
        ordered = sorted(common or {}, key=lambda value: value not in compared)
        return tuple(dict.fromkeys((*first, *ordered[: LIMITS.observed])))

    def names(self, observed: Sequence[Term]) -> Names:
        """Variables for what is observed before and after a step."""
        return Names(
            {v: bitvectors.variable(f"~before{i}.{width(v)}", width(v)) for i, v in enumerate(observed)},
            {v: bitvectors.variable(f"~after{i}.{width(v)}", width(v)) for i, v in enumerate(observed)},
        )

    def model(
        self,
        source: int,
        target: int,
        observed: tuple[Term, ...],
        condition: Term,
        accepting: bool = False,
        also: Iterable[Term] = (),
    ) -> Values | None:
        """A step, perhaps an accepting one, that satisfies a condition over the variables of `names` and others, whose
        values are told `also`, or None.

        Raises SolverUnknown."""
        if condition is FALSE:
            return None
        questions = self._cut.induction.questions
        if questions.effort > self._most:
            raise SolverUnknown("the questions for ranks are used up")
        step = self._step(source, target, observed, accepting)
        if any(part is FALSE for part in step):
            return None
        found = questions.satisfiable([*step, condition])
        if found is None:
            return None
        names = self.names(observed)
        return {v: found.get(v, 0) for v in (*names.before.values(), *names.after.values(), *also)}

    def _step(self, source: int, target: int, observed: tuple[Term, ...], accepting: bool) -> list[Term]:
        known = self._steps.get((source, target, observed, accepting))
        if known is None:
            names, induction = self.names(observed), self._cut.induction
            arrived = conjunction(*(equal(value, name) for value, name in names.after.items()))
            before = self.before_accepting if accepting else induction.blocks.before
            taken = negate(before(target, negate(arrived)).get(source, TRUE))
            begun = [equal(value, name) for value, name in names.before.items()]
            plain = induction.plain.of([taken, *begun, *self._facts[source]])
            known = self._steps[source, target, observed, accepting] = [*plain.formulas, *plain.axioms]
        return known


def leaves(term: Term) -> set[Term]:
    """The registers and reads that a term is made of, not those inside of addresses."""
    found: set[Term] = set()

    def leaf(part: Term) -> Term:
        found.add(part)
        return part

    rewrite(term, leaf, {})
    return found
