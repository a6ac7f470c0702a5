"""How much is tried."""

from __future__ import annotations

from msgspec import Struct


class ProductLimits(Struct, frozen=True):
    """Heuristic numbers: what is found is checked, so none of them decides what a verdict means."""

    regions: int = 3_000
    """Regions of one schedule."""
    ahead: int = 3
    """Rounds of a loop that a thread may be ahead of others, as regions tell them apart."""


LIMITS = ProductLimits()
