"""From a loaded program to answers: choose the engine, have it decide, have its evidence confirmed."""

from __future__ import annotations

from collections.abc import Iterator

from pincer.checking.confirm import GuardedConfirmation, temporal_result
from pincer.checking.decision import Decision
from pincer.checking.load import GuardedSource, LoadedSource, TemporalSource
from pincer.checking.result import Unknown
from pincer.checking.task import Task
from pincer.engines.task import EngineTask
from pincer.errors import UnsupportedError
from pincer.runtime.reasons import Cause, Reason
from pincer.runtime.run import Run


def decide(source: LoadedSource, task: Task, run: Run) -> Iterator[Decision]:
    """Decide the properties of a program; each answer comes as soon as its evidence has been checked."""
    match source:
        case GuardedSource():
            return _guarded(source, task, run)
        case TemporalSource():
            return _temporal(source, task, run)
    from pincer.checking.decide_c import decide_c

    return decide_c(source, task, run)


def _guarded(source: GuardedSource, task: Task, run: Run) -> Iterator[Decision]:
    from pincer.engines.guarded.analysis import GuardedSettings
    from pincer.engines.guarded.verify import verify

    options = task.options
    settings = GuardedSettings("ur" if options.engine == "ur" else "ase", options.paper)
    confirmation = GuardedConfirmation(source.program, task, run)
    try:
        for claim in verify(EngineTask(source.program, source.names, settings, options.explain), run):
            result = confirmation.result(claim)
            yield Decision(result, confirmation.saver.told(), source.program, claim)
    except UnsupportedError as error:
        reason = Reason(str(error), Cause.UNSUPPORTED)
        for name in source.names:
            yield Decision(Unknown(name=name, engine=options.engine, reason=reason))


def _temporal(source: TemporalSource, task: Task, run: Run) -> Iterator[Decision]:
    from pincer.engines.dse.options import CheckOptions
    from pincer.engines.dse.verify import check
    from pincer.execution.msvl import Options

    options = task.options
    execution = Options(seed=options.seed, int32=source.int32)
    settings = CheckOptions(execution, jobs=options.jobs or 1, paper_verdicts=options.paper)
    for claim in check(EngineTask(source.program, source.properties, settings, options.explain), run):
        yield Decision(temporal_result(source.program, claim, run), (), source.program, claim)
