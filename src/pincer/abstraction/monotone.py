"""Linear forms that no transition makes smaller: their initial bounds hold for ever."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from math import gcd

from pincer.logic import terms
from pincer.logic.limits import LIMITS
from pincer.logic.terms import Term
from pincer.program.transition_system import Nondet, TransitionCase, TransitionSystem


def monotone_forms(system: TransitionSystem) -> list[Term]:
    """Forms over two or three variables, with small coefficients, that every transition keeps or increases.

    Variables that are assigned anything but themselves and a constant take no part. Of those found the ones with the
    smallest coefficients are returned, without sums of what only grows by itself.
    """
    changes = [_changes(system, transition) for transition in system.transitions]
    steady = [i for i, _ in enumerate(system.data_variables) if all(change[i] is not None for change in changes)]
    columns = {i: [change[i] or 0 for change in changes] for i in steady if any(change[i] for change in changes)}
    found = []
    for coefficients in _candidates(sorted(columns)):
        parts = [[factor * change for change in columns[i]] for i, factor in coefficients]
        if min(map(sum, zip(*parts, strict=True))) >= 0 and any(min(part) < 0 for part in parts):
            found.append(terms.combination((system.data_variables[i], factor) for i, factor in coefficients))
            if len(found) == LIMITS.monotone_forms:
                break
    return found


def _changes(system: TransitionSystem, transition: TransitionCase) -> Sequence[int | None]:
    """What the transition adds to each data variable; None where it does something else."""
    changes: list[int | None] = [0] * len(system.data_variables)
    for i, update in transition.data_updates:
        changes[i] = None
        if not isinstance(update, Nondet):
            changes[i] = terms.constant_value(terms.subtract(update, system.data_variables[i]))
    return changes


def _candidates(places: Sequence[int]) -> Iterator[tuple[tuple[int, int], ...]]:
    """Places with coprime coefficients, small ones first: pairs, and triples where there are few variables."""
    if not 2 <= len(places) <= LIMITS.monotone_variables:
        return
    for largest in range(1, LIMITS.monotone_coefficient + 1):
        for size in (2, 3):
            factors = [c for c in range(-largest, largest + 1) if c]
            for chosen in combinations(places, size):
                for weights in product(factors, repeat=size):
                    if max(map(abs, weights)) == largest and gcd(*weights) == 1:
                        yield tuple(zip(chosen, weights, strict=True))
