"""The numbers by which the search for schedules without an end is steered; none of them decides a verdict."""

from __future__ import annotations

from msgspec import Struct


class EndlessLimits(Struct, frozen=True):
    """Each says what it trades."""

    transitions: int = 20_000
    """Transitions with one plan for inputs: some seconds of work."""
    first_look: int = 64
    """States after which it is looked for a round first; then after twice as many, and so on."""
    walks: int = 12
    """Runs that are followed where there are more: what all schedules come to in the end is found so."""
    steps_per_walk: int = 2_000
    """Steps of such a run."""
    going_on: float = 0.9
    """How often the thread that has just stepped steps again in it, if it can."""
    values: tuple[int, ...] = (0, 1, 2, 5)
    """Values that all inputs have in one plan, beside the usual ones: what a program waits for is mostly small."""
    mentioned: int = 12
    """Numbers in the formula and in conditions that are tried as values of all inputs after those."""
    rounds: int = 100
    """Rounds that compiled code has to go at most."""
    points: int = 3_000
    """Points of a schedule: with long rounds there are fewer of them."""
    moves: int = 50_000
    """Moves after which states are taken for infinitely many: some seconds of work."""


ENDLESS_LIMITS = EndlessLimits()
