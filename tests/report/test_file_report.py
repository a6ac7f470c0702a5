"""What is known about a file: nothing stays open without a reason."""

from __future__ import annotations

from pincer.checking.messages import Decided, MistakeMade
from pincer.checking.supervise import Ending
from pincer.errors import Mistake
from pincer.report.file_report import FileReport
from pincer.report.verdicts import Context
from pincer.runtime.reasons import Cause, time_is_up
from pincer.runtime.run import Progress
from tests.checking.scripted_worker import SAFE, UNSAFE, program_read


def report() -> FileReport:
    return FileReport(Context("p.gcl"))


def test_findings_come_in_the_order_of_the_properties() -> None:
    found = report()
    for event in (program_read("mutex", "order"), Decided(UNSAFE), Decided(SAFE)):
        found.on_event(event)
    assert [finding.name for finding in found.ordered()] == ["mutex", "order"]
    assert [item["verdict"] for item in found.to_json()["properties"]] == ["safe", "unsafe"]


def test_a_property_without_an_answer_has_the_reason_and_the_last_numbers() -> None:
    found = report()
    found.on_event(program_read("mutex", "order"))
    found.on_event(Decided(SAFE))
    found.finish(Ending(stopped=time_is_up(2.0), progress=Progress("ase", "exploring", {"iteration": 3}), elapsed=2.1))
    finding = found.findings["order"]
    assert (finding.verdict, finding.cause, finding.engine) == ("unknown", Cause.TIME, "ase")
    assert finding.statistics == {"iterations": 3}


def test_a_stop_before_the_program_was_read_is_told() -> None:
    found = report()
    found.finish(Ending(stopped=time_is_up(2.0)))
    assert [mistake.message for mistake in found.mistakes] == ["time limit of 2 s reached before the program was read"]


def test_mistakes_stand_in_the_json_and_leave_properties_open() -> None:
    found = report()
    found.on_event(program_read("mutex"))
    found.on_event(MistakeMade(Mistake("unsupported", "recursion", "p.gcl")))
    found.finish(Ending())
    assert found.to_json()["error"]["message"] == "recursion"
    assert found.findings["mutex"].reason == "recursion"
    assert found.svcomp() == "unknown"
