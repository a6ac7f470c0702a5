"""The outline of a proof: what holds always, and what holds where each thread is; conditions one by one."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from pincer.evidence.thread_proof.states import Ghost
from pincer.logic.terms import Term
from pincer.program.threaded_system import Place

Updates = Mapping[tuple[int, int], Mapping[str, Term]]
"""By thread and move, the new values of ghosts over the state before the move."""


class Order(Struct, frozen=True):
    """Ranks of locks, by address, and of the ends of threads, by number: who waits holds only what ranks lower."""

    locks: Mapping[int, int] = {}
    threads: Mapping[int, int] = {}


class Outline(Struct, frozen=True):
    """`standing` holds in every state; `assertions[thread][place]` whenever a thread is at a place."""

    standing: tuple[Term, ...] = ()
    assertions: Mapping[int, Mapping[Place, tuple[Term, ...]]] = {}
    ghosts: Mapping[str, Ghost] = {}
    updates: Updates = {}
    order: Order | None = None

    def at(self, thread: int, place: Place) -> tuple[Term, ...]:
        return self.assertions.get(thread, {}).get(place, ())
