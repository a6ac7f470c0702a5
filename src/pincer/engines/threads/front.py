"""The thread side's front: decide properties of a program with threads.

The searches that may answer have turns as the table says, each in its own processes. What one finds is executed again
before it is reported. Only a search over all schedules can say that a property holds, and only if it left nothing out;
otherwise the property is undecided, and warnings that no execution has confirmed are listed as such.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from pincer.analysis.thread_facts import ThreadFacts
from pincer.engines.agse.followed_traces import Following
from pincer.engines.agse.guided_search import Trial
from pincer.engines.agse.system_flow import SystemFlow
from pincer.engines.agse.targets import TargetSet, target_sets
from pincer.engines.agse.trials import trials
from pincer.engines.portfolio import Portfolio, Strategy
from pincer.engines.schedules.again import confirmed
from pincer.engines.schedules.findings import Violation
from pincer.engines.task import Claim, Exhaustion, Open, Proved, Refuted
from pincer.engines.threads.strategies import (
    TABLE,
    Baseline,
    DecidedSearch,
    GuidedTrials,
    attempted,
    searched,
)
from pincer.engines.threads.task import ScheduleSearch, SchedulesTask, ThreadTask
from pincer.engines.threads.threaded_test import threaded_test
from pincer.engines.threads.workers import Workers
from pincer.evidence.run_conversions import schedule_failure_text
from pincer.evidence.thread_proof.certificate import ThreadCertificate
from pincer.execution.threads.interleaving import Interleaver
from pincer.program.property import SEQUENTIALLY
from pincer.runtime.reasons import Cause, Reason
from pincer.runtime.run import Run, Stopped

_ALL_EXPLORED = "all schedules and all inputs have been explored"
_IN_LOCKSTEP = "a schedule was found that stands for all others, and nothing fails under it"
_OUTLINED = "an outline was found that no step of any thread makes wrong"


def check(task: SchedulesTask, run: Run) -> Iterator[Claim]:
    """Decide properties, one after the other, each with its share of the time that is left.

    The warnings of a claim are what analysis suspects and no execution has shown. Its statistics are those of the
    search that decided, with `trials` and `all_states` for the guided searches that had their turn before.
    """
    following = Following(SystemFlow(ThreadFacts(task.program, run.poll)))
    for done, name in enumerate(task.asked):
        left = run.remaining()
        share = Run(timeout=None if left is None else max(0.0, left) / (len(task.asked) - done))
        yield _Decision(ThreadTask(task.program, name, task.settings), following, run, share).decided()


@dataclass
class _Decision:
    """The search for the answer to one property: `share` is its time out of that of the whole `run`."""

    task: ThreadTask
    following: Following
    run: Run
    share: Run

    def __post_init__(self) -> None:
        self._workers = Workers(self.share)
        self._targets: tuple[TargetSet, ...] = ()
        options = self.task.options
        beside = [engine for engine in options.engines if engine != "agse"]
        self._baselines = {engine: Baseline(engine, self._workers, self._pump) for engine in beside}
        most = max(len(beside) + 1, options.jobs or os.cpu_count() or 1)
        attempt = partial(attempted, self.task, self.following)
        self._guided = GuidedTrials(self._trials, attempt, self._workers, most, self._pump)
        self._portfolio = Portfolio[DecidedSearch](TABLE, self._strategies(), self.run)

    def _strategies(self) -> dict[str, Strategy[DecidedSearch]]:
        found: dict[str, Strategy[DecidedSearch]] = dict(self._baselines.items())
        return found | {"agse": self._guided} if "agse" in self.task.options.engines else found

    def decided(self) -> Claim:
        try:
            self._poll()
            for engine in self._baselines:
                self._workers.start(engine, partial(searched, engine, self.task))
            answer = self._portfolio.decide()
        except Stopped:
            reason, others = self.run.stop_reason, self._reasons()
            reason = reason or Reason(f"no answer within {self.share.timeout:.1f} s")
            return self._open(Reason("; ".join((*others, reason.text)), Cause.SEARCH if others else reason.cause))
        finally:
            self._workers.stop()
        if answer is None:
            return self._open(Reason("; ".join(self._reasons()) or "nothing was found"))
        return self._answered(answer)

    def _reasons(self) -> dict[str, None]:
        """Why the searches that had their turn are unsure."""
        given = [reason for baseline in self._baselines.values() for reason in baseline.reasons]
        return dict.fromkeys((*given, *self._guided.reasons))

    def _trials(self) -> Iterator[Trial]:
        flow = self.following.flow
        self._targets = target_sets(flow.facts, self.task.property)
        return trials(flow, self._targets, self.task.options.agse_limits)

    def _pump(self) -> None:
        """Keep the searches at work while one of them is waited for."""
        self._guided.fill()
        self._workers.listen()
        self._poll()

    def _poll(self) -> None:
        tried = self._guided.tried
        ended = {name: sum(t.statistics.get(name, 0) for t in tried) for name in ("states", "queries")}
        self.run.publish(
            "agse",
            f"searching ({self.task.property})",
            trials=len(tried),
            frontier=self._workers.total("frontier"),
            executions=self._workers.total("executions"),
            states=ended["states"] + self._workers.total("states"),
            queries=ended["queries"] + self._workers.total("queries"),
        )
        self.run.poll()
        self.share.poll()

    def _answered(self, answer: DecidedSearch) -> Claim:
        schedule = answer.outcome.schedule
        if schedule is None:
            told = {**self._account(answer), "warnings": ()}
            if answer.outcome.proof is not None:
                proof = ThreadCertificate.from_json(answer.outcome.proof)
                if proof.explored is not None:
                    return Proved(proof=proof, check="schedules", summary=_ALL_EXPLORED, **told)
                if proof.regions is not None:
                    return Proved(proof=proof, check="product", summary=_IN_LOCKSTEP, **told)
                return Proved(proof=proof, check="outline", summary=_OUTLINED, **told)
            return Proved(proof=Exhaustion(), check="schedules", summary=_ALL_EXPLORED, **told)
        task = self.task
        limits = task.options.execution_limits
        found = confirmed(task.program, task.property, schedule, limits)
        if found is None:
            return self._open(Reason("a violation was found that cannot be executed again"), answer)
        test = threaded_test(Interleaver(task.program, limits), found, task.property)
        return Refuted(run=test, summary=schedule_failure_text(test), **self._account(answer, found))

    def _open(self, reason: Reason, answer: DecidedSearch | None = None) -> Claim:
        return Open(reason=reason, **self._account(answer))

    def _account(self, answer: DecidedSearch | None, found: Violation | None = None) -> dict[str, Any]:
        """What every claim tells besides."""
        tried = self._guided.tried
        statistics = {} if answer is None else dict(answer.outcome.statistics)
        statistics["trials"] = len(tried)
        statistics["strategies"] = self._portfolio.account()
        statistics["all_states"] = sum(other.statistics.get("states", 0) for other in tried)
        shown_by = None if answer is None or answer.trial is None or found is None else answer.trial.target
        open_ = [target for i, target in enumerate(self._targets) if i != shown_by]
        suspected = [target.description for target in open_ if target.kind in ("deadlock", "race")]
        return {
            "name": self.task.property,
            "engine": "agse" if answer is None else answer.engine,
            "statistics": statistics,
            "time_s": self.share.elapsed(),
            "warnings": tuple(dict.fromkeys(suspected)),
            "assumptions": (*self.task.program.assumptions, SEQUENTIALLY),
            "explored": ScheduleSearch(self.task.property, self.task.options.execution_limits, found),
        }
