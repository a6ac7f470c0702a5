"""Counterexamples: concrete states and the transitions between them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Step:
    """`transition` leads to `state`, which gives every variable its value."""

    transition: str
    state: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Trace:
    """An execution from an initial state to a state that violates the property `violates`."""

    violates: str
    initial: Mapping[str, int]
    steps: tuple[Step, ...]

    @property
    def states(self) -> tuple[Mapping[str, int], ...]:
        return (self.initial, *(step.state for step in self.steps))
