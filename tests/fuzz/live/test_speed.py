"""What is measured: the first safety property, as it is written."""

from __future__ import annotations

from tests.fuzz.live.speed import stated


def test_the_first_property_is_read_with_its_formula() -> None:
    text = "program p;\nvar x : int = 0;\nsafety ok: forall i in 1..2 :\n   x >= 0;\nsafety other: x < 9;\n"
    assert stated(text) == ("ok", "forall i in 1..2 : x >= 0")
