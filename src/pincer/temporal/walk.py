"""Following one interval state by state: the walk of a product with a program."""

from __future__ import annotations

from msgspec import Struct

from pincer.temporal.derivative import Cases, Letter, cases, derivative, ends
from pincer.temporal.formula import FALSE, TRUE, Formula
from pincer.temporal.limits import DEFAULT_LIMITS, TemporalLimits, deep_recursion
from pincer.temporal.satisfiability import proved_valid


class Walk(Struct, frozen=True):
    """What is owed from the current state on. The walk is deterministic: each letter has one successor."""

    formula: Formula

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

    def proved_valid(self, limits: TemporalLimits = DEFAULT_LIMITS) -> bool:
        """Whether every interval from here satisfies the formula, as far as that can be proved within the limits."""
        return proved_valid(self.formula, limits)
