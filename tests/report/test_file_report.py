"""What is known about a file: nothing stays open without a reason, and long histories are thinned."""

from __future__ import annotations

from itertools import pairwise

from pincer.checking.messages import Decided, MistakeMade
from pincer.checking.supervise import Ending, Tick
from pincer.errors import Mistake
from pincer.report.file_report import Context, FileReport, NumbersOverTime
from pincer.runtime.reasons import Cause, time_is_up
from pincer.runtime.run import Progress
from tests.checking.scripted_worker import SAFE, UNSAFE, program_read


def report() -> FileReport:
    return FileReport(Context("p.gcl"))


def test_findings_come_in_the_order_of_the_properties() -> None:
    found = report()
    for event in (program_read("mutex", "order"), Decided(UNSAFE), Decided(SAFE)):
        found.note(event)
    assert [finding.name for finding in found.ordered()] == ["mutex", "order"]
    assert [item["verdict"] for item in found.to_json()["properties"]] == ["safe", "unsafe"]


def test_a_property_without_an_answer_has_the_reason_and_the_last_numbers() -> None:
    found = report()
    found.note(program_read("mutex", "order"))
    found.note(Decided(SAFE))
    found.finish(Ending(stopped=time_is_up(2.0), progress=Progress("ase", "exploring", {"iteration": 3}), elapsed=2.1))
    finding = found.findings["order"]
    assert (finding.verdict, finding.cause, finding.engine) == ("unknown", Cause.TIME, "ase")
    assert finding.statistics == {"iterations": 3}


def test_a_stop_before_the_program_was_read_is_told() -> None:
    found = report()
    found.finish(Ending(stopped=time_is_up(2.0)))
    assert [mistake.message for mistake in found.mistakes] == ["time limit of 2 s reached before the program was read"]
    assert [mistake.kind for mistake in found.mistakes] == ["undecided"]


def test_mistakes_stand_in_the_json_and_leave_properties_open() -> None:
    found = report()
    found.note(program_read("mutex"))
    found.note(MistakeMade(Mistake("unsupported", "recursion", "p.gcl")))
    found.finish(Ending())
    assert found.to_json()["error"]["message"] == "recursion"
    assert found.findings["mutex"].reason == "recursion"
    assert found.svcomp() == "unknown"


def test_ticks_make_the_history() -> None:
    found = report()
    found.note(Tick(None, 1.0, 0.1))
    found.note(Tick(Progress("ase", "exploring", {"states": 3}), 1.0, 0.2))
    assert found.history.to_json() == [{"t": 0.2, "phase": "ase exploring", "numbers": {"states": 3}}]


def test_points_keep_time_phase_and_numbers() -> None:
    history = NumbersOverTime()
    history.add(0.12345, "ase", "exploring", {"states": 3})
    assert history.to_json() == [{"t": 0.123, "phase": "ase exploring", "numbers": {"states": 3}}]


def test_what_says_nothing_new_is_left_out() -> None:
    history = NumbersOverTime()
    for seconds in (0.1, 0.2, 0.3):
        history.add(seconds, "ase", "exploring", {"states": 3})
    history.add(0.4, "ase", "starting", {})
    history.add(0.5, "ase", "checking", {"states": 3})
    assert [point["t"] for point in history.to_json()] == [0.1, 0.5]


def test_many_points_are_thinned_and_the_last_one_stays() -> None:
    history = NumbersOverTime(most=10)
    for number in range(1001):
        history.add(float(number), "ase", "exploring", {"states": number})
    times = [point["t"] for point in history.to_json()]
    assert len(times) <= 11
    assert (times[0], times[-1]) == (0.0, 1000.0)
    gaps = {later - earlier for earlier, later in pairwise(times[:-1])}
    assert len(gaps) == 1


def test_no_progress_is_no_history() -> None:
    assert NumbersOverTime().to_json() == []
