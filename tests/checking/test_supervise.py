"""Limits hold and nothing is lost, however the worker behaves."""

from __future__ import annotations

import os
import time

import pytest

from pincer.checking.messages import Event, Replay, Text, Working
from pincer.checking.supervise import Ending, Limits, supervise
from pincer.runtime.run import Progress
from tests.checking.scripted_worker import fake_worker

OBEDIENT = """
import threading
stop = json.loads(sys.stdin.readline())["reason"]["text"]
emit("Text", text=stop)
emit("Done")
"""
NO_LIMITS = Limits()
STUCK = "time.sleep(60)"
PROGRESS = Working(Progress("ase", "p", {"states": 5}), 1.0)
REQUEST = Replay("w.json")


def watch(command: list[str], limits: Limits = NO_LIMITS) -> tuple[list[str], Ending, float]:
    """The texts that a worker tells, how it ended, and the seconds it took."""
    told: list[str] = []

    def hear(event: Event) -> None:
        assert isinstance(event, Text)
        told.append(event.text)

    started = time.monotonic()
    ending = supervise(REQUEST, limits, hear, lambda *_: None, command)
    return told, ending, time.monotonic() - started


def stopped(ending: Ending) -> str:
    return str(ending.stopped)


def test_events_arrive_in_order_and_the_end_is_clean() -> None:
    told, ending, _ = watch(fake_worker([Text(str(n)) for n in range(50)]))
    assert told == list(map(str, range(50)))
    assert (ending.stopped, ending.died, ending.interrupted) == (None, None, False)


def test_time_limit_holds_within_ten_percent_when_the_worker_is_stuck() -> None:
    _, ending, elapsed = watch(fake_worker(behaviour=STUCK), Limits(timeout=1.0))
    assert stopped(ending) == "time limit of 1 s reached"
    assert 1.0 <= elapsed <= 1.1 + 0.1  # a tenth, and some air for a busy machine


def test_a_worker_that_is_asked_to_stop_can_still_hand_over_results() -> None:
    told, ending, elapsed = watch(fake_worker(behaviour=OBEDIENT), Limits(timeout=0.8))
    assert told == ["time limit of 0.8 s reached"]
    assert ending.died is None
    assert elapsed < 1.0


def test_latest_progress_survives_a_killed_worker() -> None:
    _, ending, _ = watch(fake_worker([PROGRESS], STUCK), Limits(timeout=0.8))
    assert ending.progress is not None
    assert ending.progress.numbers == {"states": 5}


def test_memory_limit_stops_a_worker_that_grows() -> None:
    grow = "keep = bytearray(b'x') * 300_000_000\ntime.sleep(60)"
    _, ending, elapsed = watch(fake_worker(behaviour=grow), Limits(memory_mb=150))
    assert stopped(ending) == "memory limit of 150 MB reached"
    assert elapsed < 5


@pytest.mark.parametrize(
    ("death", "words"),
    [
        ("os.kill(os.getpid(), signal.SIGSEGV)", "SIGSEGV"),
        ("os.kill(os.getpid(), signal.SIGKILL)", "memory"),
        ("sys.exit(7)", "status 7"),
    ],
)
def test_a_lost_worker_is_named(death: str, words: str) -> None:
    _, ending, _ = watch(fake_worker(behaviour=death))
    assert ending.died is not None
    assert words in ending.died


def test_a_worker_that_falls_over_while_stopping_is_no_internal_error() -> None:
    clumsy = "sys.stdin.readline()\nos._exit(1)"
    _, ending, _ = watch(fake_worker(behaviour=clumsy), Limits(timeout=0.8))
    assert (stopped(ending), ending.died) == ("time limit of 0.8 s reached", None)


def test_no_process_outlives_its_supervision() -> None:
    told, _, _ = watch(fake_worker(behaviour=f"emit('Text', text=str(os.getpid()))\n{STUCK}"), Limits(timeout=0.8))
    with pytest.raises(ProcessLookupError):
        os.kill(int(told[0]), 0)
