"""The thread side's front: decide properties of a program with threads.

The guided search tries target sets in the order of confidence, and the exhaustive search runs beside it, each in its
own processes. What either finds is executed again before it is reported. Only the exhaustive search can say that a
property holds, and only if it left nothing out; otherwise the property is undecided, and warnings that no execution
has confirmed are listed as such.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal

from pincer.analysis.thread_facts import ThreadFacts
from pincer.engines.agse.followed_traces import Following
from pincer.engines.agse.system_flow import SystemFlow
from pincer.engines.agse.targets import TargetSet
from pincer.engines.agse.trials import Outcome, Trial, Workers, attempt, memory_mb, outcome, targets_of, trials
from pincer.engines.schedules.baselines import context_bounding, random_schedules
from pincer.engines.schedules.exhaustive import explore
from pincer.engines.schedules.findings import Answer, Bounds, Violation, counts, shown, violation
from pincer.errors import PincerError
from pincer.execution.threads.interleaving import Interleaver
from pincer.execution.threads.limits import ExecutionLimits
from pincer.execution.threads.schedules import Schedule, replay
from pincer.program.control_flow import ControlFlowProgram
from pincer.program.property import Assumption, PropertyKind, Verdict
from pincer.runtime.run import Run, Stopped

EngineName = Literal["agse", "exhaustive", "contexts", "random"]
BASELINES: tuple[EngineName, ...] = ("exhaustive", "contexts", "random")
EARLY = 0.5
"""Seconds that the other searches have before the analyses of the guided one begin."""

SEQUENTIALLY = Assumption("threads interleave under sequential consistency")


@dataclass(frozen=True, slots=True)
class ThreadOptions:
    """`engines` are those that may answer, beside each other; `seed` decides all that is left to chance; `jobs` is
    how many processes may search at once, by default as many as there are processors. With `spurious`, waiting for a
    condition may end without a signal."""

    engines: tuple[EngineName, ...] = ("agse", "exhaustive")
    seed: int = 0
    jobs: int | None = None
    spurious: bool = False

    @property
    def limits(self) -> ExecutionLimits:
        return ExecutionLimits(max_threads=63, spurious=self.spurious)

    @property
    def bounds(self) -> Bounds:
        return Bounds(limits=self.limits)


@dataclass(frozen=True, slots=True)
class ThreadResult:
    """The answer for one property. `warnings` are what analysis suspects and no execution has shown.

    `statistics` are those of the search that decided, with `trials` and `all_states` for all guided searches."""

    name: PropertyKind
    verdict: Verdict
    engine: EngineName | None
    reason: str
    violation: Violation | None = None
    statistics: dict[str, Any] = field(default_factory=dict)
    time_s: float = 0.0
    warnings: tuple[str, ...] = ()
    assumptions: tuple[Assumption, ...] = ()


def check(
    program: ControlFlowProgram, kinds: Sequence[PropertyKind], run: Run, options: ThreadOptions | None = None
) -> list[ThreadResult]:
    """Decide properties, one after the other, each with its share of the time that is left."""
    flow = SystemFlow(ThreadFacts(program, run.poll))
    following = Following(flow)
    results = []
    for done, name in enumerate(kinds):
        left = run.remaining()
        share = Run(timeout=None if left is None else max(0.0, left) / (len(kinds) - done))
        results.append(_Decision(program, flow, following, name, run, share, options or ThreadOptions()).decided())
    return results


def confirmed(program: ControlFlowProgram, name: PropertyKind, schedule: Schedule, bounds: Bounds) -> Violation | None:
    """The violation that a schedule shows when it is executed again, None if it shows none."""
    interleaver = Interleaver(program, bounds.limits)
    try:
        again = replay(interleaver, schedule)
    except PincerError:
        return None
    stop = again.stop
    if stop is not None:
        return violation(name, stop, schedule.choices, schedule.inputs) if counts(name, stop) else None
    what = shown(interleaver, name, again.last)
    return None if what is None else violation(name, what, schedule.choices, schedule.inputs)


@dataclass
class _Decision:
    """The search for the answer to one property: `share` is its time out of that of the whole `run`."""

    program: ControlFlowProgram
    flow: SystemFlow
    following: Following
    name: PropertyKind
    run: Run
    share: Run
    options: ThreadOptions

    def __post_init__(self) -> None:
        self._started = time.monotonic()
        self._reasons: dict[str, None] = {}
        self._started_trials: dict[int, Trial] = {}
        self._tried: dict[int, Outcome] = {}
        self._success: int | None = None
        self._targets: tuple[TargetSet, ...] = ()

    def decided(self) -> ThreadResult:
        beside = len(set(self.options.engines) - {"agse"})
        workers = Workers(self.share, max(beside + 1, self.options.jobs or os.cpu_count() or 1))
        try:
            return self._searched(workers)
        except Stopped:
            reason = self.run.stop_reason or f"no answer within {self.share.timeout:.1f} s"
            return self._result("unknown", None, "; ".join((*self._reasons, reason)))
        finally:
            workers.stop()

    def _searched(self, workers: Workers) -> ThreadResult:
        self._poll(workers)
        for engine in self.options.engines:
            if engine != "agse":
                workers.start(engine, partial(self._baseline, engine))
        if (result := self._early(workers)) is not None:
            return result
        waiting = self._trials()
        while True:
            while self._success is None and workers.has_room() and (trial := next(waiting, None)) is not None:
                workers.start(str(trial.number), partial(self._attempt, trial))
            if not workers.names():
                return self._result("unknown", None, "; ".join(self._reasons) or "nothing was found")
            self._poll(workers)
            for name, answer in workers.finished():
                if name.isdigit():
                    self._tried_out(int(name), answer)
                elif (result := self._answered(name, answer)) is not None:
                    return result
            if self._success is not None:
                workers.stop([name for name in workers.names() if not name.isdigit() or int(name) > self._success])
                if not workers.names():
                    return self._confirmed("agse", self._tried[self._success], self._started_trials[self._success])

    def _early(self, workers: Workers) -> ThreadResult | None:
        """The answer of a baseline that needs hardly any time: then the analyses are not needed."""
        until = time.monotonic() + EARLY
        while "agse" in self.options.engines and workers.names() and time.monotonic() < until:
            self._poll(workers)
            for name, answer in workers.finished():
                if (result := self._answered(name, answer)) is not None:
                    return result
        return None

    def _tried_out(self, number: int, answer: Outcome) -> None:
        """Note what a trial has given; the first success by number counts."""
        self._tried[number] = answer
        self._reasons.update(dict.fromkeys(answer.reasons))
        if answer.schedule is not None:
            self._success = number if self._success is None else min(number, self._success)

    def _poll(self, workers: Workers) -> None:
        ended = {name: sum(t.statistics.get(name, 0) for t in self._tried.values()) for name in ("states", "queries")}
        self.run.publish(
            "agse",
            f"searching ({self.name})",
            trials=len(self._tried),
            frontier=workers.total("frontier"),
            executions=workers.total("executions"),
            states=ended["states"] + workers.total("states"),
            queries=ended["queries"] + workers.total("queries"),
        )
        self.run.poll()
        self.share.poll()

    def _trials(self) -> Iterator[Trial]:
        if "agse" not in self.options.engines:
            return
        self._targets = targets_of(self.name, self.flow)
        for trial in trials(self.flow, self._targets):
            self._started_trials[trial.number] = trial
            yield trial
        self._reasons["the guided search found no execution that shows a violation"] = None

    def _attempt(self, trial: Trial, run: Run) -> Outcome:
        return attempt(trial, self.name, self.following, self.options.seed, self.options.bounds, run)

    def _baseline(self, engine: EngineName, run: Run) -> Outcome:
        """Another search than the guided one, in this process."""
        started = time.monotonic()
        program, name, bounds = self.program, self.name, self.options.bounds
        try:
            match engine:
                case "contexts":
                    answer = context_bounding(program, name, run, bounds=bounds)
                case "random":
                    answer = random_schedules(program, name, run, seed=self.options.seed, bounds=bounds)
                case _:
                    answer = explore(program, name, run, bounds)
        except Stopped as stopped:
            answer = Answer(name)
            answer.truncated[stopped.reason] += 1
        statistics = {
            "states": answer.transitions, "executions": answer.executions, "longest": answer.longest,
            "queries": answer.queries, "time_s": time.monotonic() - started, "memory_mb": memory_mb(),
        }  # fmt: skip
        return outcome(answer.violation, sorted(answer.truncated), statistics)

    def _answered(self, name: str, answer: Outcome) -> ThreadResult | None:
        """What a baseline's outcome decides."""
        engine = next(known for known in BASELINES if known == name)
        if answer.schedule is not None:
            return self._confirmed(engine, answer)
        if not answer.reasons:
            return self._result("safe", engine, "all schedules and all inputs have been explored", answer)
        self._reasons.update(dict.fromkeys(answer.reasons))
        return None

    def _confirmed(self, engine: EngineName, answer: Outcome, trial: Trial | None = None) -> ThreadResult:
        assert answer.schedule is not None
        found = confirmed(self.program, self.name, answer.schedule, self.options.bounds)
        if found is None:
            return self._result("unknown", engine, "a violation was found that cannot be executed again", answer)
        return self._result("unsafe", engine, found.message, answer, found, trial)

    def _result(
        self,
        verdict: Verdict,
        engine: EngineName | None,
        reason: str,
        answer: Outcome | None = None,
        found: Violation | None = None,
        trial: Trial | None = None,
    ) -> ThreadResult:
        statistics = dict(answer.statistics) if answer is not None else {}
        statistics["trials"] = len(self._tried)
        statistics["all_states"] = sum(other.statistics.get("states", 0) for other in self._tried.values())
        open_ = [t for i, t in enumerate(self._targets) if trial is None or i != trial.target]
        suspected = [t.description for t in open_ if verdict != "safe" and t.kind in ("deadlock", "race")]
        warnings = tuple(dict.fromkeys(suspected))
        return ThreadResult(
            self.name, verdict, engine, reason, found, statistics, time.monotonic() - self._started, warnings,
            (*self.program.assumptions, SEQUENTIALLY),
        )  # fmt: skip
