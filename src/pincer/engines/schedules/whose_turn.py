"""Who goes next in a schedule that is drawn at random.

Each way of drawing finds other mistakes. With priorities that change at few moments (after Burckhardt, Kothari,
Musuvathi and Nagarakatti, 2010) threads stand still for long at one place, which takes luck when every step is drawn by
itself; but threads that poll for what others have to do must be made to yield.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct, field

WAYS = 5
"""Three others, and priorities twice."""
LENGTHS = (40, 120, 400)
"""Within so many transitions the moments lie at which priorities change."""
MOST_CHANGES = 4
"""Such moments of one schedule: few mistakes need more."""
BURSTS = (4, 16, 64)
"""Transitions that a thread takes on end, in the mean, before it yields to all others."""
WEIGHTS = (1.0, 1.0, 0.2, 0.04)
"""How much more often one thread goes than another."""


class WhoseTurn(Protocol):
    """Chooses among the threads that can go."""

    def choose(self, able: Sequence[int]) -> int: ...


class Weighted(Struct):
    """Every step is drawn by itself; some threads are slow throughout."""

    dice: random.Random
    weights: dict[int, float] = field(default_factory=dict)

    def choose(self, able: Sequence[int]) -> int:
        for number in able:
            if number not in self.weights:
                self.weights[number] = self.dice.choice(WEIGHTS)
        return self.dice.choices(able, [self.weights[number] for number in able])[0]


class GoingOn(Struct):
    """Threads mostly go on; another one is drawn now and then."""

    dice: random.Random
    stays: float
    last: int = -1

    def choose(self, able: Sequence[int]) -> int:
        if self.last not in able or self.dice.random() > self.stays:
            self.last = self.dice.choice(able)
        return self.last


class Abreast(Struct):
    """The thread goes that has gone least, but for now and then: many threads come to the same place."""

    dice: random.Random
    strays: float
    taken: dict[int, int] = field(default_factory=dict)

    def choose(self, able: Sequence[int]) -> int:
        number = min(able, key=lambda number: self.taken.get(number, 0))
        if self.dice.random() < self.strays:
            number = self.dice.choice(able)
        self.taken[number] = self.taken.get(number, 0) + 1
        return number


class Priorities(Struct):
    """The thread with the highest priority goes. At a few moments, and where it has gone on for long, it gets the
    lowest."""

    dice: random.Random
    moments: frozenset[int]
    burst: int
    ranks: dict[int, float] = field(default_factory=dict)
    taken: int = 0
    lowest: float = 0.0

    def choose(self, able: Sequence[int]) -> int:
        for number in able:
            if number not in self.ranks:
                self.ranks[number] = self.dice.random()
        self.taken += 1
        first = self._first(able)
        if self.taken in self.moments or self.dice.random() * self.burst < 1:
            self.lowest -= 1
            self.ranks[first] = self.lowest
            first = self._first(able)
        return first

    def _first(self, able: Sequence[int]) -> int:
        return max(able, key=self.ranks.__getitem__)


def drawn_way(dice: random.Random, number: int) -> WhoseTurn:
    """How the turns of a schedule are drawn, by its number: all ways come up in turn."""
    match number % WAYS:
        case 0:
            return Weighted(dice)
        case 1:
            return GoingOn(dice, dice.choice((0.5, 0.8, 0.95)))
        case 2:
            return Abreast(dice, dice.choice((0.02, 0.1, 0.3)))
    length = dice.choice(LENGTHS)
    moments = frozenset(dice.randint(1, length) for _ in range(dice.randint(1, MOST_CHANGES)))
    return Priorities(dice, moments, dice.choice(BURSTS))
