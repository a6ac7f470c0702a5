"""Findings of every kind for the tests of machine-readable reports."""

from __future__ import annotations

from collections.abc import Sequence

from pincer.errors import Mistake, Position
from pincer.evidence.c.trace import CStep, CTest, Failure
from pincer.evidence.msvl.counterexample import Counterexample, Interpretation, State
from pincer.evidence.run_conversions import run_of_schedule, run_of_states, run_of_test
from pincer.evidence.threads.trace import Point, ThreadedFailure, ThreadedTest, ThreadStep
from pincer.evidence.violating_run import RunForm, RunStep, ValueChange, ViolatingRun
from pincer.report.file_report import Context, FileReport, Finding

HOLDS = Finding("mutex", "safe", "ase", check="safe-fragment")
OPEN = Finding("live", "unknown", "ase", reason="no new predicate was found")
GUARDED = Finding(
    "order",
    "unsafe",
    "ase",
    run=ViolatingRun(
        RunForm.TRANSITIONS,
        (
            RunStep(0, "p.gcl", text="initial state", lane=None, changes=(ValueChange("x", "0"),)),
            RunStep(1, "p.gcl", 12, text="take[1]", changes=(ValueChange("x", "1", "0"),)),
        ),
        RunStep(1, "p.gcl", 12, text="take[1]"),
        "it is false after 1 step",
    ),
    trace=[],
)


def place(line: int) -> Position:
    return Position("lock.c", line, 5)


def line_of(position: Position) -> str:
    return f"line_{position.line}();"


def c_finding(steps: int = 2, line: int = 30, message: str = "assertion i < 2 fails") -> Finding:
    """A failing assertion of a C program after some steps."""
    taken = tuple(CStep(place(10 + n), "main", "", (("i", str(n)),)) for n in range(steps))
    branch = CStep(place(9), "main", "", branch=True)
    failure = Failure(place(line), message)
    test = CTest("lock.c", "assertions", "assertions", (), (branch, *taken), failure, "LP64", "main")
    return Finding("assertions", "unsafe", "dash", run=run_of_test(test, line_of))


def race_finding(steps: Sequence[ThreadStep] | None = None) -> Finding:
    """Two threads of which one writes while the other reads."""
    if steps is None:
        steps = (
            ThreadStep(0, place(20), "main", "pthread_create", creates=1),
            ThreadStep(0, place(21), "main", "pthread_create", creates=2),
            ThreadStep(1, place(4), "worker", "", (("n", "1"),), reads=(("n", "0"),)),
        )
    stops = (Point(1, "write", "n", place(5)), Point(2, "read", "n", place(6)))
    failure = ThreadedFailure(place(5), "a race on n", stops)
    test = ThreadedTest("lock.c", "race", "race", "LP64", "main", (), tuple(steps), (), failure)
    return Finding("race", "unsafe", "agse", run=run_of_schedule(test, line_of))


def lasso_finding() -> Finding:
    """An MSVL program that stays in a bad loop."""
    states = (State({"x": "0", "y": "0"}, ()), State({"x": "1", "y": "0"}, ("p",)))
    how = Interpretation("overwrite", "implicit", False, 100)
    found = Counterexample("m.m", "som(p)", {"p": "x=1"}, how, {}, "lasso", states, None, 0)
    return Finding("property", "unsafe", "dse", run=run_of_states(found))


def checked(file: str, *findings: Finding, mistakes: Sequence[Mistake] = ()) -> FileReport:
    """A program with findings; one without could not be read."""
    described = {"file": file, "sha256": "0" * 64} if findings else None
    by_name = {finding.name: finding for finding in findings}
    return FileReport(Context(file), described, tuple(by_name), by_name, list(mistakes))
