"""Schedules replay exactly, or are refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.errors import PincerError
from pincer.execution.threads.interleaving import Interleaver
from pincer.execution.threads.schedules import Schedule, ThreadChoice, replay
from tests.execution.threads.threaded_c import CROSSED, TWO, lowered


def test_a_schedule_replays_the_same_steps(tmp_path: Path) -> None:
    text = "int x; void *one(void *u) { x = 3; return 0; }\nvoid *two(void *u) { x = 4; return 0; }" + TWO
    interleaver = Interleaver(lowered(tmp_path, text))
    schedule = Schedule(tuple(map(ThreadChoice, (0, 0, 0, 1, 2, 2, 1))))
    first, second = replay(interleaver, schedule), replay(Interleaver(interleaver.program), schedule)
    done = [(transition.thread, transition.edges) for transition in first.transitions]
    assert done == [(transition.thread, transition.edges) for transition in second.transitions]
    assert [thread for thread, _ in done] == [choice.thread for choice in schedule.choices]
    (x,) = interleaver.shared.registers
    assert [state.state.registers[x] for state in first.states][-3:] == [0, 4, 3]


def test_a_schedule_that_does_not_fit_is_a_mistake_of_its_own(tmp_path: Path) -> None:
    interleaver = Interleaver(lowered(tmp_path, CROSSED + TWO))
    with pytest.raises(PincerError, match="choice 2 of the schedule names thread 5"):
        replay(interleaver, Schedule((ThreadChoice(0), ThreadChoice(5))))
