"""What is known about the ways a program can take: a trie of constraint sequences.

Below every sequence of constraints the program meets one next condition. Its sides are the conditions that runs have
met there; two that negate each other are all there are. A condition with many sides, as the length of `len(n)`,
becomes complete when the solver finds that no further side exists.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from pincer.logic import terms
from pincer.logic.terms import Term


@dataclass(slots=True)
class Turning:
    """The known sides of the condition that follows one sequence of constraints.

    `closed` means that nothing is left to ask: all sides are known, or the solver could not say (`unknown`).
    """

    sides: dict[Term, Turning] = field(default_factory=dict)
    closed: bool = False

    @property
    def complete(self) -> bool:
        return self.closed or any(terms.negate(side) in self.sides for side in self.sides)

    def others(self) -> tuple[Term, ...]:
        """What holds for an input that takes none of the known sides."""
        return tuple(terms.negate(side) for side in self.sides)


def record(root: Turning, conditions: Sequence[Term]) -> None:
    """Note the sides that a run has taken."""
    node = root
    for condition in conditions:
        node = node.sides.setdefault(condition, Turning())


def decision_at(root: Turning, conditions: Sequence[Term]) -> Turning:
    """The decision that follows a known sequence of constraints."""
    node = root
    for condition in conditions:
        node = node.sides[condition]
    return node
