"""What invariants may be made of: the program's own predicates, and what explored states have in common."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, islice

from pincer.abstraction.strengthening import vocabulary
from pincer.engines.guarded.exploration import AbstractExploration
from pincer.engines.guarded.limits import LIMITS
from pincer.logic import terms
from pincer.logic.hull import Hull, WatchedForms
from pincer.logic.terms import Term
from pincer.program.transition_system import State, TransitionSystem


def candidate_atoms(exploration: AbstractExploration, predicates: Sequence[Term]) -> list[Term]:
    """Atoms over the integers: some predicates, and a limited number of others."""
    system = exploration.abstraction.system
    found = dict.fromkeys(predicates)
    states = list(islice((n.state for n in exploration.nodes if isinstance(n.state, tuple)), LIMITS.clause_states))
    watched = vocabulary(system, predicates)
    for formula in (*_common(system, states, watched), *_orders(system)):
        for atom in terms.atoms(formula):
            for part in (atom, *_halves(atom)):
                if part.variables and not system.over_control_only(part):
                    found.setdefault(part)
    return list(found)[: len(predicates) + LIMITS.clause_atoms]


def _common(system: TransitionSystem, states: Sequence[State], watched: WatchedForms) -> Iterator[Term]:
    """What holds in all states, and what holds wherever the finite variables have the same values."""
    split = len(system.domains)
    places: dict[tuple[int, ...], list[State]] = {(): list(states)}
    if split:
        for state in states:
            places.setdefault(state[:split], []).append(state)
    for place in islice(places.values(), LIMITS.clause_places):
        yield from _hull((state[split:] for state in place), len(place), watched)


def _hull(points: Iterable[tuple[int, ...]], count: int, watched: WatchedForms) -> tuple[Term, ...]:
    """What the points have in common: bounds that the last half of them breaks are no bounds."""
    hull = Hull(watched)
    for i, point in enumerate(points):
        if i == max(1, count // 2):
            hull.settle()
        hull.add(point)
    return () if hull.empty else hull.literals()


def _orders(system: TransitionSystem) -> Iterator[Term]:
    data = system.data_variables
    if len(data) <= LIMITS.ordered_variables:
        for left, right in combinations(data, 2):
            yield terms.at_most(left, right)
            yield terms.at_most(right, left)


def _halves(atom: Term) -> Iterator[Term]:
    """The two inequalities that an equation is made of."""
    if atom.op == "eq" and isinstance(atom.args[0], tuple):
        coefficients, constant = atom.args
        total = terms.combination(coefficients, -constant)
        yield from terms.atoms(terms.at_most_zero(total))
        yield from terms.atoms(terms.at_most_zero(terms.scale(-1, total)))
