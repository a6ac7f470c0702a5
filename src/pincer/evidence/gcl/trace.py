"""Counterexamples: concrete states and the transitions between them."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct


class Step(Struct, frozen=True):
    """`transition` leads to `state`, which gives every variable its value."""

    transition: str
    state: Mapping[str, int]


class Trace(Struct, frozen=True):
    """An execution from an initial state to a state that violates the property `violates`."""

    violates: str
    initial: Mapping[str, int]
    steps: tuple[Step, ...]

    @property
    def states(self) -> tuple[Mapping[str, int], ...]:
        return (self.initial, *(step.state for step in self.steps))
