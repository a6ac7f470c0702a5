"""Unfolded programs as data."""

from __future__ import annotations

from pincer.evidence.thread_proof.certificate import place_of
from pincer.evidence.thread_proof.unfolding import unfolded
from pincer.program.threaded_system import Place
from tests.evidence.thread_proof.threaded_programs import HAND_OVER, lowered


def test_places_are_read_as_they_are_written() -> None:
    for place in (Place((), 3), Place((7, 12), 40), Place((1,), 2, "waiting")):
        assert place_of(str(place)) == place


def test_every_move_leaves_its_source_and_leads_to_a_place() -> None:
    for thread in unfolded(lowered(HAND_OVER), True).threads:
        assert thread.places[0] == thread.entry
        assert [move.number for move in thread.moves] == list(range(len(thread.moves)))
        assert sum(map(len, thread.outgoing.values())) == len(thread.moves)
        assert all(move.target is None or move.target in thread.outgoing for move in thread.moves)
