"""Guesses from the program's text."""

from __future__ import annotations

from pincer.engines.outlines.candidates import Candidates
from tests.engines.outlines.outlined_programs import form_of
from tests.evidence.thread_proof.threaded_programs import COUNTER


def test_guesses_cover_every_place() -> None:
    form = form_of(COUNTER)
    outline = Candidates(form, blocks=False).outline()
    assert outline.standing
    assert all(outline.at(1, place) for place in form.system.threads[1].places)
