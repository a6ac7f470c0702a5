"""What readers are told of an analysis: what it explored where there is room for that, and its history in any case."""

from __future__ import annotations

import pytest

from pincer.checking.decide import Decision
from pincer.checking.load import GuardedSource
from pincer.checking.messages import Explored
from pincer.engines.guarded.analysis import GuardedSettings
from pincer.engines.guarded.verify import verify
from pincer.engines.task import Claim, EngineTask
from pincer.frontends.gcl import parse_program
from pincer.report import details_gcl
from pincer.report.details import Details
from pincer.report.explanations import Explanations
from pincer.runtime.run import Progress, Run
from tests.checking.scripted_worker import SAFE

PROGRAM = parse_program("program p;\nvar x : int = 0;\ntrans up: x < 3 -> x := x + 1;\nsafety ok: x <= 3;\n", "p.gcl")


def claim(explain: bool) -> Claim:
    task = EngineTask(PROGRAM, ("ok",), GuardedSettings("ase"), explain=explain)
    return next(verify(task, Run(timeout=20)))


def told(found: Claim | None) -> list[Explored]:
    """What is emitted about a property after one step of progress."""
    emitted: list[Explored] = []
    run = Run(timeout=20)
    explanations = Explanations(GuardedSource(PROGRAM, ("ok",)), run, emitted.append)
    assert run.on_progress is not None
    run.on_progress(Progress("ase", "refining", {"states": 7}))
    explanations.tell(Decision(SAFE, program=PROGRAM, claim=found))
    return emitted


def test_what_was_explored_is_told_with_the_history() -> None:
    (found,) = told(claim(explain=True))
    assert found.name == SAFE.name
    assert [graph["kind"] for graph in found.details["graphs"]].count("abstract") == 1
    (point,) = found.details["history"]
    assert (point["phase"], point["numbers"]) == ("ase refining", {"states": 7})


def test_nothing_is_told_where_nothing_was_kept() -> None:
    assert told(None) == []
    assert told(claim(explain=False)) == []


def test_details_without_room_leave_the_history(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_much(found: Claim, hurry: bool) -> Details:
        raise MemoryError

    monkeypatch.setattr(details_gcl, "guarded_details", too_much)
    (found,) = told(claim(explain=True))
    assert set(found.details) == {"history"}
