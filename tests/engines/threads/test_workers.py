"""Workers: what they say is kept, in order, until it is asked for."""

from __future__ import annotations

import os
from collections.abc import Iterator

from pincer.engines.portfolio import Allowance, Going
from pincer.engines.schedules.findings import Violation
from pincer.engines.threads.workers import Said, SearchOutcome, Workers, outcome
from pincer.execution.stepping import Stop
from pincer.execution.threads.schedules import Schedule, ThreadChoice
from pincer.logic import bitvectors
from pincer.runtime.run import Progress, Run


def heard(workers: Workers, name: str) -> Said:
    while (said := workers.said(name)) is None:
        workers.listen()
    return said


def test_what_workers_say_comes_in_order() -> None:
    workers = Workers(Run())
    workers.start("one", lambda run: [Going(Allowance(1, 2)), SearchOutcome(reasons=("open",))])
    workers.start("two", lambda run: [SearchOutcome(is_safe=True)])
    assert heard(workers, "two") == SearchOutcome(is_safe=True)
    assert [heard(workers, "one"), heard(workers, "one")] == [Going(Allowance(1, 2)), SearchOutcome(reasons=("open",))]
    assert len(workers) == 0


def test_a_worker_that_fails_or_dies_says_so() -> None:
    def failing(run: Run) -> Iterator[Said]:
        raise ValueError("no")

    def dying(run: Run) -> Iterator[Said]:
        os._exit(1)
        yield SearchOutcome()

    workers = Workers(Run())
    workers.start("failing", failing)
    workers.start("dying", dying)
    failed, dead = heard(workers, "failing"), heard(workers, "dying")
    assert isinstance(failed, SearchOutcome) and failed.reasons == ("a search failed: ValueError: no",)
    assert isinstance(dead, SearchOutcome) and "without an answer" in dead.reasons[0]


def test_numbers_of_workers_are_added_up_while_they_work() -> None:
    def telling(run: Run) -> Iterator[Said]:
        run.watch(lambda: Progress("agse", "", {"states": 7}))
        yield Going()
        while True:
            run.poll()

    workers = Workers(Run())
    for name in ("one", "two"):
        workers.start(name, telling)
        heard(workers, name)
    assert workers.total("states") == 14
    workers.stop()
    assert len(workers) == 0


def test_a_schedule_survives_the_way_between_processes() -> None:
    symbol = bitvectors.variable("input0", 8)
    schedule = Schedule((ThreadChoice(0), ThreadChoice(1, 2)), {symbol: 200})
    found = Violation("assertions", "", schedule, Stop("fail", ""))
    workers = Workers(Run())
    workers.start("one", lambda run: [outcome(found, (), {"states": 3}, run)])
    said = heard(workers, "one")
    assert isinstance(said, SearchOutcome) and said.schedule == schedule
    assert said.statistics["states"] == 3 and said.statistics["time_s"] >= 0
