"""What a proof by exploration claims."""

from __future__ import annotations

from msgspec import Struct

from pincer.program.property import Fairness
from pincer.runtime.codec import Natural


class ExplorationClaim(Struct, frozen=True, omit_defaults=True):
    """How many states and moves there are. Nothing in it is believed: it says how far the checker has to go. Where it
    is about runs without an end, only those that are fair in this sense count."""

    states: Natural
    moves: Natural
    fairness: Fairness = "none"
