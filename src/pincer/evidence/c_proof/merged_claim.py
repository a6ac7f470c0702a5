"""What a proof by merged execution says: how often each loop is entered again at most, and how deep calls go.

Such a proof is an execution of the program from its start with all paths at once, in which every loop was closed: no
input makes it go round once more. Whoever checks it executes the program again. The numbers here only say how far that
has to go; nothing is believed of them.
"""

from __future__ import annotations

from msgspec import Struct

from pincer.runtime.codec import Natural


class LoopRounds(Struct, frozen=True):
    """How often at most the head of a loop is entered again within one activation of its procedure."""

    procedure: str
    location: int
    rounds: Natural


class MergedProof(Struct, frozen=True):
    """The loops that are entered again at all, and how many calls are under way at once at most; whether words of
    inputs are better not looked into, which is advice to who executes the program again."""

    rounds: tuple[LoopRounds, ...] = ()
    depth: Natural = 0
    by_words: bool = False
