"""Reasons say in a sentence what code tells apart by their cause."""

from __future__ import annotations

from pincer.runtime.reasons import INTERRUPTED, Cause, Reason, memory_is_full, time_is_up


def test_limits_are_named_as_they_were_given() -> None:
    assert str(time_is_up(60.0)) == "time limit of 60 s reached"
    assert str(time_is_up(0.5)) == "time limit of 0.5 s reached"
    assert str(memory_is_full(200)) == "memory limit of 200 MB reached"


def test_causes_tell_reasons_apart() -> None:
    causes = [reason.cause for reason in (time_is_up(1), memory_is_full(1), INTERRUPTED, Reason("no idea"))]
    assert causes == [Cause.TIME, Cause.MEMORY, Cause.INTERRUPT, Cause.SEARCH]
