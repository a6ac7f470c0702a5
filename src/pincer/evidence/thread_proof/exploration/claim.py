"""What a proof by exploration claims."""

from __future__ import annotations

from msgspec import Struct

from pincer.runtime.codec import Natural


class Explored(Struct, frozen=True):
    """How many states and moves there are. Nothing in it is believed: it says how far the checker has to go."""

    states: Natural
    moves: Natural
