"""Random literals over a few linear forms, for the modules that reason about conjunctions of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from random import Random

from pincer.logic import terms
from pincer.logic.evaluation import evaluate
from pincer.logic.terms import Term


def relation(rng: Random, form: Term, size: int) -> Term:
    """The form compared with a number: at most, at least, equal or different."""
    bound = terms.integer(rng.randint(-size, size))
    kind = rng.random()
    if kind < 0.35:
        return terms.at_most(form, bound)
    if kind < 0.7:
        return terms.at_most(bound, form)
    if kind < 0.8:
        return terms.equal(form, bound)
    return terms.negate(terms.equal(form, bound))


def linear_form(rng: Random, variables: Sequence[Term], size: int, divisions: bool) -> Term:
    """A combination of one to three of the variables, sometimes with a `div`."""
    chosen = rng.sample(variables, rng.randint(1, min(3, len(variables))))
    parts = [(v, rng.choice([c for c in range(-size, size + 1) if c])) for v in chosen]
    if divisions and rng.random() < 0.3:
        inner = terms.combination(parts, rng.randint(-2, 2))
        outer = terms.scale(rng.choice((-1, 1, 2)), rng.choice(variables))
        return terms.add(terms.divide(inner, rng.randint(2, 4)), outer)
    return terms.combination(parts)


def box(variables: Sequence[Term], radius: int) -> Iterator[dict[Term, int]]:
    for point in product(range(-radius, radius + 1), repeat=len(variables)):
        yield dict(zip(variables, point, strict=True))


def within(variables: Iterable[Term], radius: int) -> list[Term]:
    """The literals that confine variables to the box."""
    literals = []
    for v in variables:
        literals += [terms.at_most(v, terms.integer(radius)), terms.at_most(terms.integer(-radius), v)]
    return literals


def all_hold(formulas: Iterable[Term], model: dict[Term, int]) -> bool:
    return all(evaluate(formula, model) for formula in formulas)
