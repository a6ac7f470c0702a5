"""The product of the symbolic execution tree and the negated property, grown path by path.

A path stands for all inputs that satisfy its constraints, and a proposition may hold for some of them only. A product
state is therefore a tree node, the formula that is owed from there, and the conditions on inputs that the formula
assumed on the way. The formula is followed by its deterministic normal form, which is the subset construction of its
labelled graph. Every arc of the tree is multiplied once, however many paths share it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from msgspec import Struct

from pincer.engines.dse.options import LIMITS
from pincer.engines.dse.propositions import Propositions
from pincer.execution.trees import Path, repeats_symbolically
from pincer.execution.trees.exploration import domains
from pincer.logic import terms
from pincer.logic.bounds import FormBounds
from pincer.logic.evaluation import evaluate
from pincer.logic.queries import Queries
from pincer.logic.solver import SolverUnknown
from pincer.logic.terms import Term
from pincer.temporal.formula import FALSE, TRUE, Formula, at_end
from pincer.temporal.lasso import Lasso, holds_on_lasso
from pincer.temporal.limits import TemporalLimits
from pincer.temporal.walk import Walk

_PURPOSE = "the product"


class ProductState(Struct, frozen=True):
    """What is owed from a node on, for the inputs that satisfy `assumed` and the constraints of the path so far."""

    formula: Formula
    assumed: frozenset[Term]


class Candidate(Struct, frozen=True):
    """Inputs that should violate the property along a path; with `sure` false they are only worth a try."""

    path: Path
    inputs: dict[str, int]
    sure: bool = True


@dataclass
class PathProduct:
    """The product of one property with the paths added so far.

    `reasons` says why its being empty would not mean that the property holds on these paths.
    """

    negation: Formula
    propositions: Propositions
    queries: Queries
    limits: TemporalLimits
    reasons: dict[str, None] = field(default_factory=dict)
    states: int = 1

    def __post_init__(self) -> None:
        self._reached = {0: {ProductState(self.negation, frozenset()): None}}
        self._valid: dict[Formula, bool] = {TRUE: True}

    def extend(self, path: Path) -> Iterator[Candidate]:
        """Multiply a new path; candidates come as they are found, and have yet to be replayed."""
        ordinary = len(path.arcs) - (1 if path.kind in ("terminated", "lasso") else 0)
        for index in range(path.shared, ordinary):
            states = self._from(path, index, tuple(self._reached[path.nodes[index]]))
            found = self._reached[path.nodes[index + 1]] = dict.fromkeys(states)
            self.states += len(found)
        at_last = tuple(self._reached[path.nodes[ordinary]])
        match path.kind:
            case "terminated":
                yield from self._ended(path, at_last)
            case "lasso":
                yield from self._bad_prefixes(path, self._from(path, ordinary, at_last))
                yield from self._looping(path)
            case "cut" | "error":
                yield from self._bad_prefixes(path, at_last)
                self.reasons[_open_end(path)] = None

    def _from(self, path: Path, index: int, states: tuple[ProductState, ...]) -> Iterator[ProductState]:
        """What is owed after a state of the path that is not the last."""
        arc = path.arcs[index]
        for here in states:
            self.queries.run.poll()
            for guard, owed in Walk(here.formula).cases:
                if owed is FALSE:
                    continue
                assumed = self._assuming(path, index, here.assumed, self.propositions.term(guard, arc.state))
                if assumed is not None:
                    yield ProductState(owed, assumed)

    def _ended(self, path: Path, states: tuple[ProductState, ...]) -> Iterator[Candidate]:
        """The last state ends the interval: the negation must be satisfied there."""
        last = len(path.arcs) - 1
        for here in states:
            guard = self.propositions.term(at_end(here.formula), path.arcs[last].state)
            assumed = self._assuming(path, last, here.assumed, guard)
            if assumed is not None:
                yield from self._candidate(path, assumed)

    def _bad_prefixes(self, path: Path, states: Iterable[ProductState]) -> Iterator[Candidate]:
        """Whatever follows violates the property."""
        for here in states:
            if self._proved_valid(here.formula):
                yield from self._candidate(path, here.assumed)

    def _proved_valid(self, formula: Formula) -> bool:
        if formula not in self._valid:
            self._valid[formula] = Walk(formula).proved_valid(self.limits)
        return self._valid[formula]

    def _looping(self, path: Path) -> Iterator[Candidate]:
        """An infinite word for every pattern of truth that the propositions can have along the lasso."""
        if not repeats_symbolically(path.execution):
            self.reasons["a loop was followed for single inputs only"] = None
            yield Candidate(path, path.execution.input_values(), sure=False)
            return
        start = path.execution.ending.start
        assert start is not None
        for assumed, word in self._words(path):
            lasso = Lasso(tuple(word[:start]), tuple(word[start:]))
            if holds_on_lasso(self.negation, lasso, self.limits):
                yield from self._candidate(path, assumed)

    def _words(self, path: Path) -> Iterator[tuple[frozenset[Term], list[frozenset[str]]]]:
        """The words that inputs of the path can give, each with what it assumes about them."""
        names = sorted(self.propositions.expressions)
        rows = [[self.propositions.formula(name, arc.state) for name in names] for arc in path.arcs]
        for world in self._worlds(path, dict.fromkeys(formula for row in rows for formula in row)):
            known = world | {terms.TRUE}
            yield world, [frozenset(name for name, one in zip(names, row, strict=True) if one in known) for row in rows]

    def _worlds(self, path: Path, formulas: Iterable[Term]) -> list[frozenset[Term]]:
        """All ways in which the formulas can be true or false together for inputs of the path."""
        worlds: list[frozenset[Term]] = [frozenset()]
        for formula in formulas:
            if formula.variables:
                sides = (formula, terms.negate(formula))
                worlds = [one for world in worlds for side in sides if self._possible(path, one := world | {side})]
            if len(worlds) > LIMITS.lasso_words:
                self.reasons[f"a loop stands for more than {LIMITS.lasso_words} words"] = None
                return worlds[: LIMITS.lasso_words]
        return worlds

    def _assuming(self, path: Path, index: int, assumed: frozenset[Term], more: Term) -> frozenset[Term] | None:
        """The assumptions with one more, None when no input on the path up to state `index` satisfies them."""
        if more is terms.FALSE:
            return None
        if more is terms.TRUE and (not assumed or not path.arcs[index].constraints):
            return assumed
        bounds = FormBounds((*assumed, *terms.conjuncts(more)))
        wanted = frozenset(bounds.literals())
        return wanted if not bounds.contradictory and self._possible(path, wanted, index) else None

    def _possible(self, path: Path, wanted: frozenset[Term], index: int | None = None) -> bool:
        """Whether inputs of the path satisfy the formulas; with an index, inputs of the path up to that state."""
        if self._true_here(path, wanted):
            return True
        before = [one.condition for one in path.execution.constraints if index is None or one.state <= index]
        try:
            return self._model(path, [*before, *wanted]) is not None
        except SolverUnknown:
            self.reasons["the solver gave no answer to a question about the product"] = None
            return False

    def _true_here(self, path: Path, wanted: frozenset[Term]) -> bool:
        """Whether the inputs of the path's own run will do; then no solver is needed."""
        values = {terms.variable(read.name): read.value for read in path.execution.inputs}
        return all(evaluate(one, values) for one in wanted)

    def _candidate(self, path: Path, assumed: frozenset[Term]) -> Iterator[Candidate]:
        inputs = path.execution.input_values()
        if self._true_here(path, assumed):
            yield Candidate(path, inputs)
            return
        try:
            model = self._model(path, [*path.conditions, *assumed])
        except SolverUnknown:
            self.reasons["the solver gave no answer about a possible counterexample"] = None
            return
        if model is not None:
            yield Candidate(path, inputs | model)

    def _model(self, path: Path, wanted: list[Term]) -> dict[str, int] | None:
        model = self.queries.model([*wanted, *domains(path.execution, wanted)], _PURPOSE)
        return None if model is None else {variable.args[0]: value for variable, value in model.items()}


def _open_end(path: Path) -> str:
    ending = path.execution.ending
    return f"a run fails: {ending.error}" if path.kind == "error" else f"a run was {ending.reason}"
