"""Invariants guessed from executions and proved by induction over the abstract states.

Predicates divide the states; within one abstract state the explored executions often have more in common (an equation,
a bound, a parity) that pre-images would only find one value at a time. Each abstract state gets the hull of the states
explored in it. Then every may-transition is checked: a step that leaves the hull of its target gives a point that
weakens it, until nothing changes. What remains is inductive; abstract states whose hull stayed empty are unreachable.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations

from pincer.abstraction.monotone import monotone_forms
from pincer.abstraction.predicates import AbstractState, PredicateAbstraction, transition_values
from pincer.execution.symbolic import SymbolicState
from pincer.logic import terms
from pincer.logic.evaluation import evaluate
from pincer.logic.hull import Hull, WatchedForms
from pincer.logic.limits import LIMITS
from pincer.logic.terms import Term
from pincer.program.transition_system import State, TransitionSystem

Sample = tuple[AbstractState, State | SymbolicState]


class OutOfQuestions(Exception):
    """An attempt has asked as much as it may."""


class Strengthening:
    """Hulls of abstract states, closed under may-transitions as far as `close` has come.

    All methods raise OutOfQuestions after `questions` questions.
    """

    def __init__(self, abstraction: PredicateAbstraction, questions: int) -> None:
        self.abstraction = abstraction
        self.system = abstraction.system
        self.hulls: dict[AbstractState, Hull] = {}
        self._vocabulary = vocabulary(self.system, abstraction.predicates)
        self._questions = questions

    def hull(self, abstract: AbstractState) -> Hull:
        found = self.hulls.get(abstract)
        if found is None:
            found = self.hulls[abstract] = Hull(self._vocabulary)
        return found

    def cover(self, samples: Iterable[Sample]) -> None:
        """Let the hulls contain the given states: concrete ones first, then symbolic ones entirely."""
        symbolic = []
        for abstract, state in samples:
            if isinstance(state, tuple):
                self.hull(abstract).add(state[len(self.system.domains) :])
            else:
                symbolic.append((abstract, state))
        for hull in self.hulls.values():
            hull.settle()
        for abstract, state in symbolic:
            condition = sorted(state.condition, key=lambda c: c.id)
            values = dict(zip(self.system.data_variables, state.values, strict=True))
            self._weaken(self.hull(abstract), condition, values)

    def close(
        self, start: Iterable[AbstractState], is_bad: Callable[[AbstractState], bool]
    ) -> dict[AbstractState, tuple[Term, ...]] | None:
        """What holds in every abstract state reachable from `start`; None when a bad one may be reachable."""
        pending = dict.fromkeys(start)
        reached = dict(pending)
        while pending:
            abstract = next(iter(pending))
            del pending[abstract]
            for transition in self.abstraction.enabled(abstract):
                for target in self.abstraction.successors(abstract, transition):
                    changed = self._follow(abstract, transition, target)
                    if self.hull(target).empty or not (changed or target not in reached):
                        continue
                    if is_bad(target):
                        return None
                    pending[target] = reached[target] = None
        return {abstract: self.hull(abstract).literals() for abstract in reached}

    def _follow(self, source: AbstractState, transition: int, target: AbstractState) -> bool:
        """Let the target's hull contain all steps from the source's; whether it changed."""
        return self._weaken(self.hull(target), *self.step(source, transition, target))

    def step(
        self, source: AbstractState, transition: int, target: AbstractState
    ) -> tuple[list[Term], dict[Term, Term]]:
        """What holds where a step leads from one abstract state, with its hull, to another; and the values after it."""
        abstraction = self.abstraction
        base = [*abstraction.literals(source), *self.hull(source).literals(), *abstraction.choice_bounds(transition)]
        for position in range(abstraction.size):
            preimage = abstraction.preimage_at(source, transition, position)
            base.append(terms.literal(preimage, bool(target >> position & 1)))
        values: dict[Term, Term] = dict(zip(self.system.data_variables, self.system.data_variables, strict=True))
        values.update(self._step_values(source, transition))
        return base, values

    def _weaken(self, hull: Hull, base: Sequence[Term], values: Mapping[Term, Term]) -> bool:
        """Let a hull contain the points `values` under all solutions of `base`; whether it changed."""
        changed = False
        while True:
            outside = terms.negate(terms.conjunction(*(terms.substitute(part, values) for part in hull.literals())))
            if outside is terms.FALSE:
                return changed
            model = self._ask([*base, outside])
            if model is None:
                return changed
            known = _Defaulting(model)
            hull.add(tuple(evaluate(values[v], known) for v in self.system.data_variables))
            hull.settle()
            changed = True

    def _ask(self, formulas: Sequence[Term]) -> Mapping[Term, int] | None:
        if self._questions == 0:
            raise OutOfQuestions
        self._questions -= 1
        return self.abstraction.queries.model(formulas, "strengthening")

    def _step_values(self, source: AbstractState, transition: int) -> dict[Term, Term]:
        control, _ = self.abstraction.decode(source)
        present = dict(zip(self.system.control_variables, map(terms.integer, control), strict=True))
        values = transition_values(self.system, self.system.transitions[transition])
        return {v: terms.substitute(value, present) for v, value in values.items()}


class _Defaulting(dict[Term, int]):
    """A model in which unconstrained variables are zero."""

    def __missing__(self, key: Term) -> int:
        return 0


def vocabulary(system: TransitionSystem, predicates: Iterable[Term]) -> WatchedForms:
    """The forms worth watching and the bounds worth falling back to.

    They are variables, pairs, the predicates' own left sides, and what only grows."""
    data = system.data_variables
    known = frozenset(data)
    bounds: dict[Term, set[int]] = {v: set() for v in data}
    for predicate in predicates:
        coefficients, bound = predicate.args
        if predicate.variables <= known and all(factor.op == "var" for factor, _ in coefficients):
            bounds.setdefault(terms.combination(coefficients), set()).update((bound, bound + 1))
    if len(data) <= LIMITS.paired_variables:
        for left, right in combinations(data, 2):
            bounds.setdefault(terms.subtract(left, right), set())
            if 2 * len(data) <= LIMITS.paired_variables:
                bounds.setdefault(terms.add(left, right), set())
    for form in monotone_forms(system):
        bounds.setdefault(form, set())
    return WatchedForms(data, {form: sorted({-1, 0, 1, *found}) for form, found in bounds.items()})
