"""What can be asked about a program, how it is answered, and what an answer rests on."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

from msgspec import Struct

from pincer.errors import Position

Verdict: TypeAlias = Literal["safe", "unsafe", "unknown"]
DataModel: TypeAlias = Literal["ILP32", "LP64"]
PropertyKind: TypeAlias = Literal[
    "assertions", "memory", "overflow", "leaks", "uninitialised", "termination", "temporal", "race", "deadlock"
]  # fmt: skip
"""What there is to decide about a C program; races and deadlocks are questions about schedules."""
SequentialKind: TypeAlias = Literal["assertions", "memory"]
"""What engines of one thread look for: failures, or checks that do not hold. A pass turns violations into one
of the two."""
ProvedKind: TypeAlias = Literal[SequentialKind, "termination", "temporal"]
"""What proofs about one thread are about."""

Fairness: TypeAlias = Literal["none", "weak", "strong"]
"""Which runs without an end count: all; those in which no thread can go on from some point on and never does; those in
which none can go on again and again and never does."""

EVERY_KIND: frozenset[PropertyKind] = frozenset(get_args(PropertyKind))


class Assumption(Struct, frozen=True):
    """What a verdict rests on beyond the program's text, said in a sentence.

    Properties of the kinds in `leaves_open` are never said to hold under it: it is about the very thing that they ask
    for, or it bounds what is explored. Only verdicts about the kinds in `concerns` rest on it. What compiled code does,
    too (`compiled`), is no excuse for a difference between it and the model. How waiting ends (`waking`) is assumed
    only where not all its ends are explored; what refusals tell (`refusing`), where a lock is refused only while it is
    held. A verdict that rests on it says its `clause` at once, if it has one.
    """

    text: str
    leaves_open: frozenset[PropertyKind] = frozenset()
    concerns: frozenset[PropertyKind] = EVERY_KIND
    compiled: bool = False
    waking: bool = False
    refusing: bool = False
    clause: str = ""

    def __str__(self) -> str:
        return self.text


SEQUENTIALLY = Assumption("threads interleave under sequential consistency")
"""What all verdicts about threads rest on."""


FAIRLY: dict[Fairness, Assumption] = {
    "weak": Assumption("the scheduler is weakly fair: a thread that can go on all the time goes on some time"),
    "strong": Assumption("the scheduler is strongly fair: a thread that can go on again and again goes on some time"),
}
"""What verdicts about runs of threads without an end rest on."""


class Concern(Struct, frozen=True):
    """What a compiler would warn of, and what a reader of a verdict should know: said in a sentence, with its place
    if that is in the program."""

    text: str
    position: Position | None = None

    def __str__(self) -> str:
        return self.text if self.position is None else f"{self.text} at {self.position}"
