"""While they work, all engines tell the numbers that the live line and the plots show."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.engines.dse.options import CheckOptions
from pincer.engines.dse.verify import check as check_msvl
from pincer.engines.guarded.analysis import GuardedSettings
from pincer.engines.sequential import SequentialSettings
from pincer.engines.sequential import check as check_c
from pincer.engines.task import EngineTask
from pincer.engines.threads.task import ThreadOptions
from pincer.frontends.c.load import load
from pincer.frontends.gcl import parse_program as parse_gcl
from pincer.frontends.msvl import parse_program as parse_msvl
from pincer.runtime.reasons import Reason
from pincer.runtime.run import Progress, Run
from pincer.temporal.property import parse_properties
from tests.engines.claims import guarded_claims, reason_of, thread_claims
from tests.engines.guarded.judged import Engine

COUNTER = "var x : int = 0; trans t: x < 2 -> x := x + 1; safety a: x >= 0;"


class Heard(Run):
    """A run that remembers which numbers an engine told."""

    def __init__(self) -> None:
        self.told: dict[str, set[str]] = {}
        super().__init__(timeout=30, on_progress=self._note)

    def _note(self, progress: Progress) -> None:
        self.told.setdefault(progress.engine, set()).update(progress.numbers)


@pytest.mark.parametrize("engine", ["ase", "ur"])
def test_engines_of_guarded_commands(engine: Engine) -> None:
    run = Heard()
    guarded_claims(parse_gcl(COUNTER, "p.gcl"), GuardedSettings(engine), run=run)
    assert run.told[engine] == {"iteration", "frontier", "predicates", "states", "abstract_states", "queries"}


def test_dash(tmp_path: Path) -> None:
    file = tmp_path / "p.c"
    file.write_text("int main(void) { return 0; }", encoding="utf-8")
    run = Heard()
    list(check_c(EngineTask(load(file), ("assertions",), SequentialSettings()), run))
    assert {"iterations", "frontier", "predicates", "tests", "regions", "questions"} <= run.told["dash"]


def test_searches_over_schedules(tmp_path: Path) -> None:
    file = tmp_path / "p.c"
    file.write_text("#include <pthread.h>\nint main(void) { return 0; }", encoding="utf-8")
    run = Heard()
    thread_claims(load(file), ["deadlock"], run, ThreadOptions(jobs=1))
    assert {"trials", "frontier", "executions", "states", "queries"} <= run.told["agse"]


def test_dse() -> None:
    run = Heard()
    program = parse_msvl("frame(x) and (int x and input(x) and skip)", "p.m")
    asked = parse_properties("</ define p: x=1; som(p) />", "p.m")
    list(check_msvl(EngineTask(program, asked, CheckOptions()), run))
    assert {"runs", "frontier", "paths", "nodes", "queries"} <= run.told["dse"]


def test_a_stopped_run_still_knows_what_it_asked() -> None:
    run = Run()
    run.on_progress = lambda progress: run.stop(Reason("enough")) if progress.phase == "checking" else None
    text = "var x : int; var y : int; init x > 0 && y > x; trans t: x < y -> x := x + 1; safety a: x <= y;"
    [result] = [r for r in guarded_claims(parse_gcl(text, "p.gcl"), run=run) if r.name == "a"]
    assert (result.verdict, reason_of(result)) == ("unknown", "enough")
    assert result.statistics["queries_by_purpose"]
