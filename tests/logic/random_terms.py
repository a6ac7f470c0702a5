"""Random terms, each with a meaning that is computed without them.

A sample is built twice in parallel: as a term, by the constructors under test, and as a plain Python function of the
variables' values, by the definition of the operation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random

from pincer.logic import terms
from pincer.logic.terms import Term

NAMES = ("x", "y", "z", "a[1]")
VARIABLES = tuple(terms.variable(name) for name in NAMES)

Values = Mapping[str, int]


@dataclass(frozen=True)
class Sample:
    """A term and what it must mean."""

    term: Term
    meaning: Callable[[Values], int]


def environment(rng: Random, size: int = 12) -> dict[str, int]:
    return {name: rng.randint(-size, size) for name in NAMES}


def as_model(values: Values) -> dict[Term, int]:
    return {terms.variable(name): value for name, value in values.items()}


class Maker:
    """Draws samples; `depth` bounds how far operations are nested."""

    def __init__(self, rng: Random, conditionals: bool = True) -> None:
        self.rng = rng
        self.conditionals = conditionals

    def integer(self, depth: int) -> Sample:
        rng = self.rng
        if depth == 0 or rng.random() < 0.2:
            return self._leaf()
        kind = rng.choice(["add", "subtract", "scale", "divide", "modulo", "conditional"])
        first = self.integer(depth - 1)
        if kind == "add":
            second = self.integer(depth - 1)
            return Sample(terms.add(first.term, second.term), lambda v: first.meaning(v) + second.meaning(v))
        if kind == "subtract":
            second = self.integer(depth - 1)
            return Sample(terms.subtract(first.term, second.term), lambda v: first.meaning(v) - second.meaning(v))
        if kind == "scale":
            factor = rng.randint(-4, 4)
            return Sample(terms.scale(factor, first.term), lambda v: factor * first.meaning(v))
        if kind == "divide":
            modulus = rng.randint(1, 6)
            return Sample(terms.divide(first.term, modulus), lambda v: first.meaning(v) // modulus)
        if kind == "modulo" or not self.conditionals:
            modulus = rng.randint(1, 6)
            return Sample(terms.modulo(first.term, modulus), lambda v: first.meaning(v) % modulus)
        test, second = self.formula(min(1, depth - 1)), self.integer(depth - 1)
        return Sample(
            terms.conditional(test.term, first.term, second.term),
            lambda v: first.meaning(v) if test.meaning(v) else second.meaning(v),
        )

    def _leaf(self) -> Sample:
        if self.rng.random() < 0.25:
            constant = self.rng.randint(-9, 9)
            return Sample(terms.integer(constant), lambda v: constant)
        name = self.rng.choice(NAMES)
        return Sample(terms.variable(name), lambda v: v[name])

    def atom(self, depth: int) -> Sample:
        first, second = self.integer(depth), self.integer(depth)
        kind = self.rng.choice(["at_most", "less", "equal"])
        if kind == "at_most":
            return Sample(terms.at_most(first.term, second.term), lambda v: first.meaning(v) <= second.meaning(v))
        if kind == "less":
            return Sample(terms.less(first.term, second.term), lambda v: first.meaning(v) < second.meaning(v))
        return Sample(terms.equal(first.term, second.term), lambda v: first.meaning(v) == second.meaning(v))

    def formula(self, depth: int) -> Sample:
        rng = self.rng
        if depth == 0 or rng.random() < 0.2:
            return self.atom(1)
        first = self.formula(depth - 1)
        kind = rng.choice(["not", "and", "or", "implies", "iff", "conditional"])
        if kind == "not":
            return Sample(terms.negate(first.term), lambda v: not first.meaning(v))
        second = self.formula(depth - 1)
        if kind == "and":
            return Sample(
                terms.conjunction(first.term, second.term),
                lambda v: bool(first.meaning(v)) and bool(second.meaning(v)),
            )
        if kind == "or":
            return Sample(
                terms.disjunction(first.term, second.term),
                lambda v: bool(first.meaning(v)) or bool(second.meaning(v)),
            )
        if kind == "implies":
            return Sample(
                terms.implies(first.term, second.term),
                lambda v: not first.meaning(v) or bool(second.meaning(v)),
            )
        if kind == "iff":
            return Sample(
                terms.iff(first.term, second.term),
                lambda v: bool(first.meaning(v)) == bool(second.meaning(v)),
            )
        third = self.formula(depth - 1)
        return Sample(
            terms.conditional(first.term, second.term, third.term),
            lambda v: bool(second.meaning(v)) if first.meaning(v) else bool(third.meaning(v)),
        )
