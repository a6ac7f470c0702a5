"""How far tests with random inputs go."""

from __future__ import annotations

from msgspec import Struct


class SamplingLimits(Struct, frozen=True):
    """Heuristic numbers; none of them decides what a verdict means."""

    tests: int = 60
    """Random tests from the start of a program: shallow violations are found by the first dozens or not at all."""
    tests_kept: int = 12
    """Tests that go new ways and are handed on: each costs those who keep all its states."""
    steps_per_test: int = 3_000
    """A violation that takes longer is hardly reached by chance."""
    steps_per_walk: int = 3_000
    """Enough for some events of a driver."""
    turns_per_walk: int = 3
    """Events in a row before another start is chosen: what is new is met soon or not at all."""
    starts: int = 5_000
    """States that are kept as starts of walks, for the sake of memory."""
    telling: int = 32
    """Values of an input that led to something new and are drawn again."""
    again: float = 0.4
    """How often an input is drawn from these."""
    any_bits: float = 0.2
    """How often it is drawn from all values: programs also test for what they do not mention."""


LIMITS = SamplingLimits()
