"""What an answer rests on."""

from __future__ import annotations

from pincer.program.property import EVERY_KIND, Assumption


def test_an_assumption_is_a_sentence_that_leaves_nothing_open_unless_it_says_so() -> None:
    plain = Assumption("numbers are small")
    assert str(plain) == "numbers are small"
    assert (plain.leaves_open, plain.concerns, plain.compiled, plain.waking) == (frozenset(), EVERY_KIND, False, False)
