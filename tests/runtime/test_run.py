"""A run tells what is done now: at once when something else begins, now and then while it goes on."""

from __future__ import annotations

from contextlib import suppress

import pytest

import pincer.runtime.run
from pincer.runtime.run import Progress, Run, Stopwatch


class Clock:
    """Time that passes only when it is told to."""

    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(pincer.runtime.run, "time", made)
    return made


def test_what_is_watched_is_looked_at_now_and_then(clock: Clock) -> None:
    told: list[int] = []
    run = Run(on_progress=lambda progress: told.append(progress.numbers["states"]), started=clock.now)
    states: list[int] = []
    run.watch(lambda: Progress("ase", "exploring", {"states": len(states)}))
    for number in range(1000):
        states.append(number)
        clock.now += 0.001
        run.poll()
    assert told[0] == 0
    assert 8 <= len(told) <= 11
    assert told == sorted(told)


def test_publishing_ends_what_was_watched(clock: Clock) -> None:
    run = Run(started=clock.now)
    run.watch(lambda: Progress("ase", "exploring", {"states": 1}))
    run.publish("checker", "checking the proof")
    clock.now += 10.0
    run.poll()
    assert run.latest == Progress("checker", "checking the proof", {})


def test_a_stopwatch_adds_up_also_what_fails(clock: Clock) -> None:
    watch = Stopwatch()
    for _ in range(2):
        with suppress(ValueError), watch.timing("a"):
            clock.now += 1.5
            raise ValueError
    assert watch.seconds == {"a": 3.0}
