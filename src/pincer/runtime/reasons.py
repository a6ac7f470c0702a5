"""Why there is no answer: a sentence for people, and its cause for code that has to tell reasons apart."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct


class Cause(StrEnum):
    """What ended an analysis, or kept it from deciding."""

    TIME = "time"
    MEMORY = "memory"
    INTERRUPT = "interrupt"
    UNSUPPORTED = "unsupported"
    """Something in the program is not modelled."""
    INTERNAL = "internal"
    """Our own mistake: evidence that does not hold, or is missing."""
    UNDEFINED = "undefined"
    """Undefined behaviour, which was not asked about, is in the way."""
    SEARCH = "search"
    """The search came to its end, or gave up."""


class Reason(Struct, frozen=True):
    """Why a question stays open."""

    text: str
    cause: Cause = Cause.SEARCH

    def __str__(self) -> str:
        return self.text


SHARE_IS_UP = Reason("its share of the time limit is used up", Cause.TIME)


def time_is_up(seconds: float) -> Reason:
    return Reason(f"time limit of {seconds:g} s reached", Cause.TIME)


def memory_is_full(megabytes: int) -> Reason:
    return Reason(f"memory limit of {megabytes} MB reached", Cause.MEMORY)


INTERRUPTED = Reason("interrupted", Cause.INTERRUPT)
