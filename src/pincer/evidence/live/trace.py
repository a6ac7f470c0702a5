"""Runs that violate a temporal property."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from pincer.evidence.gcl.trace import Trace
from pincer.evidence.live.certificate import LiveRegion
from pincer.program.automaton import Automaton

RunKind: TypeAlias = Literal["lasso", "end", "prefix"]


class LiveTrace(Struct, frozen=True):
    """A run that ends in deadlock (`end`), one that repeats its steps from state `loop_from` on for ever (`lasso`: the
    last state is that one again), or a beginning after which the formula is false whatever follows (`prefix`)."""

    kind: RunKind
    trace: Trace
    loop_from: int | None = None


ROUNDS = 100
"""Steps that the interpreter takes after the beginning of a recurrence."""


class Recurrence(Struct, frozen=True):
    """`regions` with the number of the `transition` that is taken in each, and the regions it may lead to; the stem
    ends in the first. The states of a region may be in several: those with the same formula but another duty."""

    stem: Trace
    automaton: Automaton
    regions: tuple[LiveRegion, ...]
    transitions: tuple[int, ...]
    targets: tuple[tuple[int, ...], ...]
