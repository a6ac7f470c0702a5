"""Programs with threads, unfolded: which threads there are, where each of them can be, and how it gets from one place
to the next.

A *thread* is the main one, or all those that one creation site starts: a single one, or `several`. A *place* is a
location with the calls that are under way; a call that waits has a place of its own between its two halves. A *move*
leads from a place to another and is one step for all other threads: an edge, or a way through an atomic section.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Literal, TypeAlias

from msgspec import Struct

from pincer.errors import Position
from pincer.logic.terms import Term
from pincer.program.control_flow import Label, Procedure

Phase: TypeAlias = Literal["", "waiting"]


class Place(Struct, frozen=True):
    """Where a thread is: the edges of the calls under way (by number in the whole program), and a location."""

    calls: tuple[int, ...]
    location: int
    phase: Phase = ""

    def __str__(self) -> str:
        calls = "".join(f"{number}/" for number in self.calls)
        return f"{calls}{self.location}{'*' if self.phase else ''}"


class Perform(Struct, frozen=True):
    """A label is executed; of an operation that waits, one `half`: giving up and waiting, being woken for no reason, or
    going on."""

    label: Label
    half: Literal["", "release", "spurious", "resume"] = ""


class Enter(Struct, frozen=True):
    """A procedure begins with its arguments."""

    procedure: Procedure
    arguments: tuple[Term, ...]


class Leave(Struct, frozen=True):
    """A procedure is over, and the caller has its result."""

    procedure: Procedure
    result: Term | None


class EndThread(Struct, frozen=True):
    """The thread is over: its routine has returned."""


Action: TypeAlias = Perform | Enter | Leave | EndThread


class Move(Struct, frozen=True, eq=False):
    """One step of a thread. Without a target the thread, or the program, is over. `atomic` moves are ways through a
    section in which no other thread runs."""

    number: int
    source: Place
    actions: tuple[Action, ...]
    target: Place | None
    position: Position
    atomic: bool = False

    @property
    def label(self) -> Label | None:
        """What is executed, where that is one label."""
        first = self.actions[0]
        return first.label if len(self.actions) == 1 and isinstance(first, Perform) else None


class UnfoldedThread(Struct, frozen=True, eq=False, dict=True):
    """The main thread (without a creator), or those that one move of their creator starts."""

    number: int
    routine: Procedure
    creator: int | None
    site: Place | None
    several: bool
    entry: Place
    moves: tuple[Move, ...]

    @cached_property
    def places(self) -> tuple[Place, ...]:
        """All places, in the order in which they are met."""
        ends = (place for move in self.moves for place in (move.source, move.target) if place is not None)
        return tuple(dict.fromkeys((self.entry, *ends)))

    @cached_property
    def outgoing(self) -> Mapping[Place, tuple[Move, ...]]:
        found: dict[Place, list[Move]] = {place: [] for place in self.places}
        for move in self.moves:
            found[move.source].append(move)
        return {place: tuple(moves) for place, moves in found.items()}


class ThreadedSystem(Struct, frozen=True, eq=False):
    """All threads of a program, the main one first; `births` says which thread a move starts, by its number. Of an
    `opened` program (`pincer.evidence.thread_proof.opening`) loops have told threads apart."""

    threads: tuple[UnfoldedThread, ...]
    births: Mapping[tuple[int, int], int]
    opened: bool = False
