"""The jobs of the worker process, each in this one."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.checking.messages import Draw, Drawn, Event, Execute, Executed, Judge, Judged, Request, Text
from pincer.checking.task import Source
from pincer.cli.jobs import job_of, worker_command
from pincer.errors import PincerError
from pincer.runtime.run import Run


def told(request: Request) -> list[Event]:
    """What a job tells."""
    events: list[Event] = []
    job_of(request)(request, Run(timeout=60), events.append)
    return events


def test_a_formula_is_judged_with_its_models() -> None:
    [judged] = told(Judge("p && ()q"))
    assert isinstance(judged, Judged)
    assert judged.answer["finite"] == "sat"
    assert judged.answer["finite_model"] == "{p} {q}"


def test_a_program_is_executed_with_its_inputs(tmp_path: Path) -> None:
    path = tmp_path / "p.m"
    path.write_text("frame(x) and (int x and input(x) and skip; x:=x+1)\n", encoding="utf-8")
    [executed] = told(Execute(str(path), {"x": 4}))
    assert isinstance(executed, Executed)
    assert executed.states[-1] == {"x": "5"}
    assert executed.warnings == ()


def test_the_control_flow_of_a_function_is_listed_or_drawn(tmp_path: Path) -> None:
    path = tmp_path / "p.c"
    path.write_text("int twice(int y) { return y + y; }\nint main(void) { return twice(3); }\n", encoding="utf-8")
    [listed] = told(Draw(Source(str(path)), "cfg", function="twice", text=True))
    assert isinstance(listed, Text) and "procedure twice" in listed.text
    [drawn] = told(Draw(Source(str(path)), "cfg", function="twice"))
    assert isinstance(drawn, Drawn) and "<svg" in drawn.svg
    with pytest.raises(PincerError, match="it has"):
        told(Draw(Source(str(path)), "cfg", function="gone"))


def test_drawings_that_a_language_does_not_have_are_refused(tmp_path: Path) -> None:
    for name, what in (("p.gcl", "cfg"), ("p.gcl", "lnfg"), ("p.m", "cfg")):
        with pytest.raises(PincerError, match="--what"):
            told(Draw(Source(str(tmp_path / name)), what))


def test_the_worker_runs_this_module() -> None:
    assert "pincer.cli.jobs" in worker_command()
