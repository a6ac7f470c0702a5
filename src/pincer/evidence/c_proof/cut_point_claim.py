"""What a proof by cut points says: facts at places of the program, each with the calls that are open there."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from pincer.logic.terms import Term
from pincer.runtime.codec import Natural

OpenCall: TypeAlias = tuple[str, Natural]
"""A procedure and the index of the edge on which it calls."""


class CutPoint(Struct, frozen=True):
    """What holds at a location, whenever the open calls are these.

    In a proof of termination, the words in `ranks` get smaller from each point that a run passes to the next: the first
    of them that changes, as an unsigned number."""

    calls: tuple[OpenCall, ...]
    location: Natural
    facts: tuple[Term, ...]
    ranks: tuple[Term, ...] = ()


class CutPointProof(Struct, frozen=True):
    """The facts hold whenever a run comes to one of the points, and exclude all errors up to the next ones."""

    points: tuple[CutPoint, ...]
