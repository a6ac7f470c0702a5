"""Turns of the strategies: counted, in the order of the table, whoever is faster."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import count, islice
from pathlib import Path
from typing import Any

import pytest

from pincer.engines.agse.guided_search import GuidedSearch
from pincer.engines.portfolio import Allowance, Ended, Going, Idle
from pincer.engines.schedules.exhaustive import Exhaustive
from pincer.engines.task import Claim
from pincer.engines.threads import strategies
from pincer.engines.threads.strategies import (
    TABLE,
    Baseline,
    DecidedSearch,
    GuidedTrials,
    drawn,
    searched,
    turns_of,
    visited,
)
from pincer.engines.threads.task import EngineName, ThreadOptions, ThreadTask
from pincer.engines.threads.workers import Said, SearchOutcome, Workers
from pincer.evidence.thread_proof.certificate import ThreadCertificate
from pincer.evidence.thread_proof.checker import check_thread_proof
from pincer.program.control_flow import ControlFlowProgram
from pincer.program.property import PropertyKind
from pincer.runtime.run import Run
from tests.engines.agse.agse_programs import FIGURE_2
from tests.engines.agse.guided_programs import COUNTER, CROSSED, ORDERED, RACING, lowered
from tests.engines.claims import reason_of, thread_claims

FOUND = ((0, 0),)


class Trials:
    """Trials with given outcomes, by number."""

    def __init__(self, *outcomes: SearchOutcome) -> None:
        self.outcomes = outcomes
        self.workers = Workers(Run())
        self.strategy = GuidedTrials(self.prepared, self.attempted, self.workers, 2, self.pump)

    def prepared(self) -> Iterator[Any]:
        return (type("Numbered", (), {"number": number})() for number in range(len(self.outcomes)))

    def attempted(self, trial: Any, run: Run) -> Iterator[Said]:
        time.sleep(0.01 * (len(self.outcomes) - trial.number))
        yield self.outcomes[trial.number]

    def pump(self) -> None:
        self.strategy.fill()
        self.workers.listen()


def states(number: int, found: bool = False) -> SearchOutcome:
    return SearchOutcome(FOUND if found else None, statistics={"states": number})


def test_the_first_trial_by_number_is_the_answer_not_the_first_by_time() -> None:
    trials = Trials(states(5), states(5, found=True), states(1, found=True))
    answer = trials.strategy.step(Allowance(100, 100))
    trials.workers.stop()
    assert isinstance(answer, DecidedSearch) and answer.trial is not None and answer.trial.number == 1
    assert len(trials.strategy.tried) == 2


def test_a_turn_of_trials_ends_when_its_states_are_spent() -> None:
    trials = Trials(states(30), states(80), states(10), states(10))
    strategy = trials.strategy
    assert strategy.step(Allowance(100, 100)) == Going(Allowance(110, 0))
    assert len(strategy.tried) == 2
    assert strategy.step(Allowance(15, 100)) == Going(Allowance(20, 0))
    assert len(strategy.tried) == 3
    assert isinstance(strategy.step(Allowance(100, 100)), Ended)
    assert strategy.reasons == ("the guided search found no execution that shows a violation",)


def test_trials_do_not_matter_once_nothing_can_be_found() -> None:
    trials = Trials(states(30))
    trials.workers.start("exhaustive", lambda run: [SearchOutcome(is_safe=True)])
    trials.workers.listen()
    assert isinstance(trials.strategy.step(Allowance(100, 100)), Idle)
    trials.workers.stop()
    assert not trials.strategy.tried


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ([Going(Allowance(3, 1)), SearchOutcome(is_safe=True)], [Going, DecidedSearch]),
        ([SearchOutcome(FOUND)], [DecidedSearch]),
        ([SearchOutcome(reasons=("left out", "cut"))], [Ended]),
    ],
)
def test_a_baseline_takes_the_turns_that_its_worker_has_taken(said: list[Said], expected: list[type]) -> None:
    workers = Workers(Run())
    workers.start("exhaustive", lambda run: said)
    baseline = Baseline("exhaustive", workers, workers.listen)
    assert [type(baseline.step(Allowance(1, 1))) for _ in said] == expected
    last = said[-1]
    assert isinstance(last, SearchOutcome) and baseline.reasons == last.reasons


def test_a_baseline_does_not_matter_once_another_has_proved_it() -> None:
    def endless(run: Run) -> Iterator[Said]:
        while True:
            run.poll()
        yield Going()

    workers = Workers(Run())
    workers.start("contexts", endless)
    workers.start("exhaustive", lambda run: [SearchOutcome(is_safe=True)])
    assert isinstance(Baseline("contexts", workers, workers.listen).step(Allowance(1, 1)), Idle)
    assert isinstance(Baseline("exhaustive", workers, workers.listen).step(Allowance(1, 1)), DecidedSearch)
    workers.stop()


def test_every_engine_has_a_row() -> None:
    assert sorted({share.strategy for share in TABLE}) == [
        "agse", "contexts", "drawn", "exhaustive", "outlines", "products", "random", "states",
    ]  # fmt: skip


@pytest.mark.parametrize("engine", ["exhaustive", "drawn", "states", "outlines", "products"])
def test_workers_know_the_turns_that_the_table_gives_them(engine: EngineName) -> None:
    """Rounds as the portfolio goes through them."""
    shares = [share for share in TABLE if share.strategy == engine]
    first = [share.first for share in shares]
    later = [share.later for share in shares if share.later is not None]
    turns = [*first, *later, *later]
    assert list(islice(turns_of(engine), len(turns))) == turns


def test_schedules_drawn_at_random_say_only_what_goes_wrong(tmp_path: Path) -> None:
    found, nothing = (list(drawn(ThreadTask(lowered(tmp_path, text), "deadlock", ThreadOptions()), Run()))[-1]
                      for text in (CROSSED, ORDERED))  # fmt: skip
    assert isinstance(found, SearchOutcome) and found.schedule is not None
    assert isinstance(nothing, SearchOutcome) and not nothing.is_safe and not nothing.reasons
    assert nothing.schedule is None


def test_finitely_many_states_are_claimed_with_their_numbers(tmp_path: Path) -> None:
    program = lowered(tmp_path, ORDERED)
    *_, last = visited(ThreadTask(program, "deadlock", ThreadOptions()), Run())
    assert isinstance(last, SearchOutcome) and last.is_safe and last.proof is not None
    claim = ThreadCertificate.from_json(last.proof)
    assert claim.explored is not None and claim.explored.states == last.statistics["states"] > 10
    assert check_thread_proof(program, claim).accepted


def test_nothing_is_claimed_of_programs_that_go_wrong_or_never_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(strategies, "MOST_MOVES", 20)
    endless = "static unsigned long n; int main(void) { while (n < 1000000) n = n + 1; }"
    for text in (CROSSED, endless):
        said = list(visited(ThreadTask(lowered(tmp_path, text), "deadlock", ThreadOptions()), Run()))
        assert said[-1] == SearchOutcome()


def comparable(result: Claim) -> dict[str, Any]:
    counted = {name: value for name, value in result.statistics.items() if name not in ("time_s", "memory_mb")}
    efforts = result.statistics["strategies"].items()
    counted["strategies"] = {
        name: {what: number for what, number in effort.items() if what != "time_s"} for name, effort in efforts
    }
    schedule = None if result.explored.violation is None else result.explored.violation.schedule
    return {**counted, "verdict": result.verdict, "engine": result.engine, "reason": reason_of(result), "by": schedule}


def decided(program: ControlFlowProgram, name: PropertyKind, jobs: int) -> dict[str, Any]:
    (result,) = thread_claims(program, [name], Run(), ThreadOptions(jobs=jobs, seed=5))
    return comparable(result)


def slowed(method: Callable[..., Any]) -> Callable[..., Any]:
    def slow(*given: Any) -> Any:
        time.sleep(0.002)
        return method(*given)

    return slow


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (FIGURE_2, "assertions"),
        (COUNTER.replace("LIMIT", "9"), "assertions"),
        (CROSSED, "deadlock"),
        (ORDERED, "deadlock"),
        (RACING, "race"),
    ],
)
def test_the_same_seed_is_the_same_run_at_any_speed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, name: PropertyKind
) -> None:
    program = lowered(tmp_path, text)
    first = decided(program, name, jobs=1)
    with monkeypatch.context() as jumping:
        ticks = count()
        jumping.setattr(time, "monotonic", lambda: 1e6 * next(ticks))
        assert decided(program, name, jobs=3) == first
    with monkeypatch.context() as slow:
        slow.setattr(Exhaustive, "advance", slowed(Exhaustive.advance))
        assert decided(program, name, jobs=2) == first
    with monkeypatch.context() as slow:
        slow.setattr(GuidedSearch, "_generated", slowed(GuidedSearch._generated))
        assert decided(program, name, jobs=1) == first


LONG = """
int x;
static void *count(void *unused) { int n = 0; while (n < 3000) n = n + 1; x = n; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, count, 0); pthread_join(t, 0);
  assert(x == BOUND);
}
"""


def test_long_loops_of_a_thread_wait_for_the_second_turn(tmp_path: Path) -> None:
    for bound, is_safe in (("3000", True), ("2999", False)):
        task = ThreadTask(lowered(tmp_path, LONG.replace("BOUND", bound)), "assertions", ThreadOptions())
        first, last = searched("exhaustive", task, Run())
        assert isinstance(first, Going) and isinstance(last, SearchOutcome)
        assert last.is_safe == is_safe and (last.schedule is None) == is_safe
