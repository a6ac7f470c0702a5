"""What counts as a violation, what leaves a property open, and the words for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.engines.questions import Questions
from pincer.engines.schedules.findings import Race, ScheduleAnswer, counts, leaves_open, shown, taken, violation
from pincer.errors import Position
from pincer.execution.stepping import Stop
from pincer.execution.threads.accesses import Access
from pincer.execution.threads.interleaving import Interleaver
from pincer.execution.threads.schedules import ThreadChoice
from pincer.program.control_flow import Edge, Skip
from pincer.program.property import PropertyKind
from pincer.runtime.run import Run
from tests.execution.threads.threaded_c import TWO, both_started, lowered


@pytest.mark.parametrize(
    ("name", "stop", "violates", "open_"),
    [
        ("assertions", Stop("fail", "so"), True, False),
        ("assertions", Stop("check", "so"), False, True),
        ("memory", Stop("check", "so"), True, False),
        ("memory", Stop("fail", "so"), False, False),
        ("race", Stop("unsupported", "so"), False, True),
        ("deadlock", Stop("steps", "so"), False, True),
        ("deadlock", Stop("halt", "so"), False, False),
    ],
)
def test_ends_of_executions(name: PropertyKind, stop: Stop, violates: bool, open_: bool) -> None:
    assert counts(name, stop) == violates
    assert (leaves_open(name, stop) is not None) == open_


def test_a_place_in_the_library_is_no_place_for_readers() -> None:
    edge = Edge(0, 1, Skip(), Position("<library>", 3, 4))
    assert leaves_open("race", Stop("check", "bad", edge)) == "undefined behaviour: bad, in a library function"


def test_only_an_answer_that_leaves_nothing_out_is_safe() -> None:
    answer = ScheduleAnswer("assertions")
    assert (answer.verdict, answer.reason) == ("safe", "all schedules and all inputs have been explored")
    answer.truncated["cut"] += 2
    answer.truncated["bounded"] += 1
    assert (answer.verdict, answer.reason) == ("unknown", "bounded; cut")
    answer.violation = violation("assertions", Stop("fail", "it fails"), [ThreadChoice(0)], {})
    assert (answer.verdict, answer.reason) == ("unsafe", "it fails")


def test_a_race_says_who_does_what() -> None:
    race = Race((0, 2), (Access("register", 0, write=True, name="x"), Access("register", 0, name="x")))
    assert violation("race", race, (), {}).message == "data race: thread 0 writes x while thread 2 reads it"


def test_states_show_races_and_transitions_are_counted(tmp_path: Path) -> None:
    text = "int x; void *one(void *u) { x = 1; return 0; }\nvoid *two(void *u) { x = 2; return 0; }" + TWO
    interleaver = Interleaver(lowered(tmp_path, text))
    threads = both_started(interleaver)
    found = shown(interleaver, "race", threads)
    assert isinstance(found, Race) and found.threads == (1, 2)
    assert shown(interleaver, "deadlock", threads) is shown(interleaver, "assertions", threads) is None
    answer = ScheduleAnswer("race")
    transition = taken(interleaver, Questions(Run()), answer, (threads, 1), 0)
    assert transition is not None and transition.thread == 1 and answer.transitions == 1
