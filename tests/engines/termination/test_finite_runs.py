"""Executions that end in a violation are found, and become runs of the program as it is written."""

from __future__ import annotations

from pathlib import Path

from pincer.engines.termination.finite_runs import WordJudge, finite_run
from pincer.engines.termination.verify import violations
from pincer.execution.machine import World
from pincer.execution.testing import Tester
from pincer.program.control_flow import ControlFlowProgram
from tests.engines.termination.formula_programs import observed


def judged(program: ControlFlowProgram) -> WordJudge:
    judge = WordJudge(program, violations(program.formula))
    tester = Tester(World(program, concrete=True))
    last, _ = tester.run(tester.root(), 100)
    judge(last.path())
    return judge


def test_a_run_that_ends_is_judged_where_it_ends(tmp_path: Path) -> None:
    program = observed(tmp_path, "int x; int main(void) { x = 1; x = 2; return 0; }", "[]{x < 2}")
    found = judged(program).found
    assert found is not None and found.ended
    run = finite_run(program, found, {"$1": "x < 2"})
    assert run is not None and run.ended
    assert [(place.place, place.condition) for place in run.rounds.loops] == [("end", "!(x < 2)")]


def test_a_beginning_is_enough_where_all_runs_go_on(tmp_path: Path) -> None:
    program = observed(tmp_path, "int x; int main(void) { x = 2; for (;;) x = 1; }", "[]{x < 2}")
    found = judged(program).found
    assert found is not None and not found.ended
    run = finite_run(program, found, {"$1": "x < 2"})
    assert run is not None and run.rounds.loops[0].place == "after"
    held = observed(tmp_path, "int x; int main(void) { x = 2; for (;;) __VERIFIER_assume(x < 2); }", "[]{x < 2}")
    assert judged(held).found is None


def test_visits_are_counted_through_all_calls_of_a_function(tmp_path: Path) -> None:
    text = """
    int deep;
    void down(int k) { deep++; if (k) down(k - 1); }
    int main(void) { down(5); for (;;) { } }
    """
    program = observed(tmp_path, text, "[]{deep < 4}")
    found = judged(program).found
    assert found is not None and not found.ended
    run = finite_run(program, found, {"$1": "deep < 4"})
    assert run is not None and [place.skipped for place in run.rounds.loops] == [3]
