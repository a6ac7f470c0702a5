"""The loop around the engines: limits, stops, solvers that give up, and honest words about all of them."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterable, Sequence

import pytest

import pincer.engines.guarded.verify
from pincer.engines.guarded.analysis import GuardedSettings
from pincer.engines.guarded.verify import verify
from pincer.engines.task import EngineTask
from pincer.errors import PincerError
from pincer.frontends.gcl import load, parse_program
from pincer.logic.queries import Queries
from pincer.logic.solver import SolverUnknown, Status
from pincer.logic.terms import Term
from pincer.logic.z3_solver import Z3Solver
from pincer.runtime.reasons import Reason
from pincer.runtime.run import Progress, Run, Stopped
from tests.engines.claims import guarded_claims, reason_of
from tests.engines.guarded.judged import BENCHMARKS, Engine, judge, judge_text, verdicts

COUNTER = "var x : int = 0; trans t: x < 2 -> x := x + 1; safety a: x >= 0; safety b: x < 2;"


class WearySolver(Z3Solver):
    """Answers a number of times, then gives up."""

    patience = 0

    def check(self, assumptions: Sequence[Term] = ()) -> Status:
        if WearySolver.patience <= 0:
            return Status.UNKNOWN
        WearySolver.patience -= 1
        return super().check(assumptions)


def test_a_program_without_properties_is_a_mistake() -> None:
    program = parse_program("var x : int = 0; trans t: true -> x := 1;", "none.gcl")
    with pytest.raises(PincerError, match="states no property; add one"):
        guarded_claims(program)


def test_an_unknown_property_is_a_mistake_that_names_the_known_ones() -> None:
    with pytest.raises(PincerError, match=r"no property 'c'; the program has: a, b"):
        guarded_claims(parse_program(COUNTER, "counter.gcl"), properties=["a", "c"])


@pytest.mark.parametrize("engine", ["ase", "ur"])
@pytest.mark.parametrize("limit", [0, 1, 2])
def test_an_iteration_limit_gives_unknown_with_the_reason(engine: Engine, limit: int) -> None:
    program = load(BENCHMARKS / "ticket.gcl", {"N": 2})
    (result,) = guarded_claims(program, GuardedSettings(engine, paper=True, max_iterations=limit))
    assert result.verdict == "unknown"
    assert reason_of(result) == f"no answer after {limit} iterations"
    assert result.statistics["iterations"] == limit


def test_an_iteration_limit_applies_to_every_property_of_many() -> None:
    text = (BENCHMARKS / "ticket.gcl").read_text() + "\nsafety first: s >= 0;\nsafety never: t != 3;\n"
    program = parse_program(text, "ticket.gcl", {"N": 2})
    results = judge(program, paper=True, max_iterations=1)
    assert verdicts(results) == {"mutex": "unknown", "first": "unknown", "never": "unsafe"}
    assert reason_of(results["mutex"]) == "no answer after 1 iterations"


@pytest.mark.parametrize("engine", ["ase", "ur"])
def test_a_stopped_run_answers_unknown_with_the_reason_for_every_property(engine: Engine) -> None:
    run = Run()
    run.stop(Reason("the user pressed Ctrl-C"))
    results = judge(parse_program(COUNTER, "counter.gcl"), engine, run=run)
    assert [(r.verdict, reason_of(r)) for r in results.values()] == [("unknown", "the user pressed Ctrl-C")] * 2


def test_a_run_stopped_half_way_keeps_what_is_known() -> None:
    """`low` is violated at once; `mutex` needs four iterations and the run is stopped in the third."""
    program = parse_program((BENCHMARKS / "ticket.gcl").read_text() + "\nsafety low: t < 2;\n", "ticket.gcl", {"N": 2})
    run = Run()

    def stop_in_the_third(progress: Progress) -> None:
        if progress.numbers["iteration"] == 3:
            run.stop(Reason("enough"))

    run.on_progress = stop_in_the_third
    results = judge(program, paper=True, run=run)
    assert verdicts(results) == {"mutex": "unknown", "low": "unsafe"}
    assert reason_of(results["mutex"]) == "enough"
    assert results["mutex"].statistics["iterations"] == 3


def test_a_time_limit_is_kept_and_named() -> None:
    results = judge(load(BENCHMARKS / "rax.gcl"), "ur", run=Run(timeout=0.5))
    assert results["no_fresh_wait"].verdict == "unknown"
    assert reason_of(results["no_fresh_wait"]) == "time limit of 0.5 s reached"


STOPPED_FROM_OUTSIDE = """
import sys, threading
from pathlib import Path
from pincer.engines.guarded.analysis import GuardedSettings
from pincer.engines.guarded.verify import verify
from pincer.engines.task import EngineTask
from pincer.frontends.gcl import load
from pincer.runtime.reasons import Reason
from pincer.runtime.run import Run

program = load(Path(sys.argv[1]))
for trial in range(20):
    run = Run()
    timer = threading.Timer(0.05 + trial / 1000, run.stop, [Reason("stopped from outside")])
    timer.start()
    (result,) = verify(EngineTask(program, (), GuardedSettings("ur")), run)
    assert (result.verdict, str(result.reason)) == ("unknown", "stopped from outside"), result
    timer.join()
"""


def test_a_stop_from_another_thread_ends_the_run_and_not_the_process() -> None:
    command = [sys.executable, "-c", STOPPED_FROM_OUTSIDE, str(BENCHMARKS / "rax.gcl")]
    done = subprocess.run(command, capture_output=True)
    assert done.returncode == 0, done.stderr


def test_a_time_limit_is_kept_while_initial_states_are_sought() -> None:
    text = "var x : int = 0; control k : 0..200000 = 5; trans t: x = 0 -> x := 1; safety s: x <= 1;"
    started = time.process_time()
    guarded_claims(parse_program(text, "large.gcl"), run=Run(timeout=0.01))
    assert time.process_time() - started < 0.2


@pytest.mark.parametrize("patience", [0, 1, 3, 10, 40])
@pytest.mark.parametrize("model", ["ticket_any.gcl", "mesi_any.gcl", "ticket_e_any.gcl"])
def test_a_solver_that_gives_up_never_makes_a_verdict(
    monkeypatch: pytest.MonkeyPatch, model: str, patience: int
) -> None:
    monkeypatch.setattr(WearySolver, "patience", patience)
    monkeypatch.setattr(pincer.engines.guarded.verify, "Z3Solver", WearySolver)
    for result in judge(load(BENCHMARKS / model)).values():
        if result.verdict == "unknown":
            assert "gave no answer to a question about" in reason_of(result)
        else:
            assert result.verdict == ("unsafe" if "_e_" in model else "safe")
        if patience == 0:
            assert result.verdict == "unknown"


@pytest.mark.parametrize("give_up", [SolverUnknown("no answer"), Stopped("time limit of 1 s reached")])
def test_a_proof_is_not_lost_while_its_statistics_are_counted(
    monkeypatch: pytest.MonkeyPatch, give_up: Exception
) -> None:
    satisfiable = Queries.satisfiable

    def no_patience_for_statistics(queries: Queries, formulas: Iterable[Term], purpose: str) -> bool:
        if purpose == "exactness":
            raise give_up
        return satisfiable(queries, formulas, purpose)

    monkeypatch.setattr(Queries, "satisfiable", no_patience_for_statistics)
    assert verdicts(judge(load(BENCHMARKS / "bakery2_any.gcl"), paper=True)) == {"mutex": "safe"}


def test_an_unsatisfiable_init_is_warned_about() -> None:
    text = "var x : int = 0; init x = 1; trans t: true -> x := x + 1; safety a: x > 5; safety b: x > 6;"
    for paper in (False, True):
        results = judge_text(text, paper=paper)
        assert verdicts(results) == {"a": "safe", "b": "safe"}
        assert all("vacuously" in result.warnings[0] for result in results.values())
    assert judge_text(COUNTER)["a"].warnings == ()


def test_results_are_handed_over_as_they_come_with_all_they_say() -> None:
    text = "var x : int = 0; trans t: x < 2 -> x := x + 1; safety a: x < 9; safety b: x < 2; safety c: x > 0;"
    claims = verify(EngineTask(parse_program(text, "came.gcl"), (), GuardedSettings()), Run())
    first = next(claims)
    assert (first.name, first.verdict) == ("c", "unsafe")
    assert sorted(claim.name for claim in (first, *claims)) == ["a", "b", "c"]


def test_a_range_that_holds_is_not_handed_over() -> None:
    text = """
    var x : int = 0; control k : 0..3 = 0;
    trans t: x < 3 -> k := x, x := x + 1;
    safety s: x <= 3;
    """
    assert [claim.name for claim in guarded_claims(parse_program(text, "range.gcl"))] == ["s"]


def test_progress_is_published_with_growing_iterations() -> None:
    seen: list[Progress] = []
    judge(load(BENCHMARKS / "ticket.gcl", {"N": 2}), paper=True, run=Run(on_progress=seen.append))
    iterations = [progress.numbers["iteration"] for progress in seen]
    assert iterations == sorted(iterations) and iterations[-1] == 4
    assert {progress.phase for progress in seen} == {"exploring", "checking"}


def test_statistics_are_complete_and_consistent() -> None:
    (result,) = guarded_claims(load(BENCHMARKS / "ticket_any.gcl"))
    statistics = result.statistics
    assert {"iterations", "predicates", "states", "abstract_states", "queries", "solver_calls"} <= statistics.keys()
    by_purpose = statistics["queries_by_purpose"].values()
    assert sum(purpose["asked"] for purpose in by_purpose) == statistics["queries"]
    assert sum(purpose["solver_calls"] for purpose in by_purpose) == statistics["solver_calls"]
    assert 0 < statistics["solver_time_s"] <= result.time_s
