"""From a task to confirmed answers, language by language."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.checking.decide import decide
from pincer.checking.load import load
from pincer.checking.result import Result, Unknown
from pincer.checking.task import Asked, Options, Source, Task
from pincer.runtime.reasons import Cause
from pincer.runtime.run import Run

MODEL = "var x : int = 0; trans t: x < 2 -> x := x + 1; safety a: x >= 0; safety b: x < 2;"
CHOICE = "var x : int; trans t: true -> x := x + 1; safety a: x >= 0;"
MSVL = "</ define p: x<2; alw(p) />\nframe(x) and (int x and x<==0 and skip; x:=1; x:=2)\n"
C = "extern void reach_error(void);\nint main(void) { int x = 2; if (x > 2) reach_error(); return 0; }\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in (("p.gcl", MODEL), ("any.gcl", CHOICE), ("p.m", MSVL), ("p.c", C)):
        Path(name).write_text(text, encoding="utf-8")
    return tmp_path


def results(task: Task) -> dict[str, Result]:
    run = Run(timeout=60)
    return {decision.result.name: decision.result for decision in decide(load(task, run), task, run)}


@pytest.mark.parametrize(
    ("task", "verdicts"),
    [
        (Task(Source("p.gcl")), {"a": "safe", "b": "unsafe"}),
        (Task(Source("p.m")), {"property": "unsafe"}),
        (Task(Source("p.c"), Asked(("assertions", "memory"))), {"assertions": "safe", "memory": "safe"}),
    ],
)
def test_every_property_has_an_answer(task: Task, verdicts: dict[str, str]) -> None:
    assert {name: result.verdict for name, result in results(task).items()} == verdicts


def test_what_an_engine_does_not_support_is_undecided_for_that_reason() -> None:
    found = results(Task(Source("any.gcl"), options=Options(engine="ur")))["a"]
    assert isinstance(found, Unknown)
    assert found.reason.cause is Cause.UNSUPPORTED


@pytest.mark.parametrize("explain", [True, False])
def test_what_was_explored_is_kept_for_those_who_ask(explain: bool) -> None:
    task = Task(Source("p.gcl"), options=Options(explain=explain))
    run = Run(timeout=60)
    for decision in decide(load(task, run), task, run):
        assert decision.claim is not None
        assert (decision.claim.explored is not None) == explain
