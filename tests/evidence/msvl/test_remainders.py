"""Remainders stay small."""

from __future__ import annotations

from pincer.evidence.msvl.remainders import ANYTHING, Conjoined, Counting, Sequel, conjoined, sequel
from pincer.frontends.msvl import syntax

ONE, TWO = Counting(1), Counting(2)


def test_no_demand_vanishes_from_conjunctions() -> None:
    assert conjoined([ANYTHING, ANYTHING]) is ANYTHING
    assert conjoined([ANYTHING, ONE]) is ONE
    assert conjoined([ONE, ANYTHING, TWO]) == Conjoined((ONE, TWO))


def test_what_has_ended_vanishes_from_sequences() -> None:
    assert sequel(ONE) is ONE
    assert sequel(syntax.Empty(), ONE, TWO) == Sequel(ONE, TWO)
    assert sequel(ONE, syntax.Empty()) == Sequel(ONE, syntax.Empty())
