"""What is known about a file: gathered as it comes, in the order of the properties, nothing left open at the end."""

from __future__ import annotations

from pincer.checking.messages import Decided, Explored, MistakeMade, ProgramRead
from pincer.checking.result import Safe, Unknown
from pincer.checking.supervise import Ending
from pincer.errors import Mistake
from pincer.report.file_report import FileReport
from pincer.report.verdicts import Context
from pincer.runtime.reasons import Reason
from pincer.runtime.run import Progress

READ = ProgramRead({"file": "dir/p.c", "sha256": "ab"}, ("first", "second"))
SECOND = Decided(Safe(name="second", engine="dash", check="regions", svcomp="true"))


def report(*events: ProgramRead | Decided | Explored | MistakeMade, file: str = "task.yml") -> FileReport:
    made = FileReport(Context(file))
    for event in events:
        made.on_event(event)
    return made


def test_a_program_that_was_read_is_described() -> None:
    made = report(READ)
    assert (made.file, made.source, made.sha256, made.language) == ("task.yml", "dir/p.c", "ab", "c")
    unread = report(file="m.gcl")
    assert (unread.source, unread.sha256, unread.language) == ("m.gcl", "", "gcl")


def test_findings_come_in_the_order_of_the_properties() -> None:
    other = Decided(Unknown(name="range", engine="ase", reason=Reason("too hard")))
    first = Decided(Unknown(name="first", engine="dash", reason=Reason("too hard")))
    made = report(READ, other, SECOND, first)
    assert [finding.name for finding in made.ordered()] == ["first", "second", "range"]


def test_what_is_open_at_the_end_is_undecided_with_the_reason_and_the_last_numbers() -> None:
    made = report(READ, SECOND)
    progress = Progress("dash", "testing", {"iteration": 3})
    made.finish(Ending(Reason("time limit of 1 s reached"), progress=progress, elapsed=1.0))
    open_, second = made.ordered()
    assert (open_.verdict, open_.reason, open_.engine) == ("unknown", "time limit of 1 s reached", "dash")
    assert open_.statistics == {"iterations": 3}
    assert second.verdict == "safe"


def test_a_process_that_dies_or_ends_before_the_program_was_read_is_a_mistake() -> None:
    made = report()
    made.finish(Ending(died="it was killed"))
    assert [(mistake.kind, mistake.message) for mistake in made.mistakes] == [("internal", "it was killed")]
    late = report()
    late.finish(Ending(Reason("time limit of 1 s reached")))
    assert late.mistakes[0].message == "time limit of 1 s reached before the program was read"


def test_the_verdict_of_the_file_is_that_of_all_its_properties() -> None:
    assert report(READ).svcomp() == "unknown"
    assert report(READ, SECOND).svcomp() == "true"
    violated = Decided(Unknown(name="first", engine="dash", reason=Reason(""), svcomp="false(unreach-call)"))
    assert report(READ, SECOND, violated).svcomp() == "false(unreach-call)"


def test_details_mistakes_and_history_are_kept() -> None:
    mistake = Mistake("error", "no such name", "p.c", 1, 5)
    made = report(READ, Explored("first", {"graphs": []}), MistakeMade(mistake))
    made.on_tick(Progress("dash", "testing", {"tests": 1}), 10.0, 0.5)
    made.on_tick(None, 10.0, 0.6)
    assert made.details == {"first": {"graphs": []}}
    assert [point["numbers"] for point in made.history.to_json()] == [{"tests": 1}]
    assert made.to_json()["error"] == mistake.to_json()
    assert made.to_json()["program"] == READ.program
