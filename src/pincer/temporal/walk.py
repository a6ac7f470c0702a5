"""Following one interval state by state: monitoring, and the walk of a product with a program."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pincer.temporal.derivative import Cases, Letter, cases, derivative, ends, reads
from pincer.temporal.formula import FALSE, TRUE, Formula
from pincer.temporal.limits import DEFAULT_LIMITS, Limits, deep_recursion
from pincer.temporal.satisfiability import proved_valid


@dataclass(frozen=True, slots=True)
class Walk:
    """What is owed from the current state on. The walk is deterministic: each letter has one successor."""

    formula: Formula

    @property
    @deep_recursion()
    def reads(self) -> frozenset[str]:
        """The propositions whose value in the current state matters; letters need to cover no others."""
        return reads(self.formula)

    @property
    @deep_recursion()
    def cases(self) -> Cases:
        """Guards over the current state that partition the letters, each with the formula owed after them."""
        return cases(self.formula)

    @property
    def is_true(self) -> bool:
        """Every way to go on, or to end, satisfies the formula."""
        return self.formula is TRUE

    @property
    def is_false(self) -> bool:
        return self.formula is FALSE

    @deep_recursion()
    def step(self, letter: Letter) -> Walk:
        """The current state is the letter, and there is a next one."""
        return Walk(derivative(self.formula, letter))

    @deep_recursion()
    def ends(self, letter: Letter) -> bool:
        """Whether the formula is satisfied if the current state is the letter, and the last one."""
        return ends(self.formula, letter)

    def proved_valid(self, limits: Limits = DEFAULT_LIMITS) -> bool:
        """Whether every interval from here satisfies the formula, as far as that can be proved within the limits."""
        return proved_valid(self.formula, limits)


@dataclass(frozen=True, slots=True)
class Monitored:
    """The verdict on a finite interval, and the index of the state that settled it."""

    holds: bool
    settled_at: int


@deep_recursion()
def monitor(formula: Formula, word: Iterable[Letter]) -> Monitored:
    """Whether the finite, non-empty interval satisfies the formula."""
    walk = Walk(formula)
    last: Letter | None = None
    index = -1
    for letter in word:
        if last is not None:
            walk = walk.step(last)
            if walk.is_true or walk.is_false:
                return Monitored(walk.is_true, index)
        index, last = index + 1, letter
    if last is None:
        raise ValueError("an interval has at least one state")
    return Monitored(walk.ends(last), index)
