"""From a loaded program to answers: choose the engine, have it decide, have its evidence confirmed.

The machinery for C programs, and that for threads, is loaded when there is need of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from pincer.checking.confirm import GuardedConfirmation, TemporalConfirmation
from pincer.checking.load import CSource, GuardedSource, LoadedSource, TemporalSource
from pincer.checking.result import Result, Unknown
from pincer.checking.task import Task
from pincer.engines.task import Claim, EngineTask, Proved
from pincer.errors import Mistake, PincerError, UnsupportedError
from pincer.program.thread_labels import ThreadOperation
from pincer.runtime.reasons import Cause, Reason
from pincer.runtime.run import Run

if TYPE_CHECKING:
    from pincer.checking.confirm_c import CConfirmation, Viewed
    from pincer.engines.sequential import SequentialSettings


class Decision(Struct, frozen=True):
    """The answer to one property, and what could not be written down; for readers the program as the engine saw it, and
    its claim with what it explored."""

    result: Result
    mistakes: tuple[Mistake, ...] = ()
    program: Any = None
    claim: Claim | None = None


def decide(source: LoadedSource, task: Task, run: Run) -> Iterator[Decision]:
    """Decide the properties of a program; each answer comes as soon as its evidence has been checked."""
    match source:
        case GuardedSource():
            return _guarded(source, task, run)
        case TemporalSource():
            return _temporal(source, task, run)
        case CSource():
            return _c(source, task, run)


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
    confirmation = TemporalConfirmation(source.program, task, run)
    for claim in check(EngineTask(source.program, source.properties, settings, options.explain), run):
        result = confirmation.result(claim)
        yield Decision(result, confirmation.saver.told(), source.program, claim)


def _c(source: CSource, task: Task, run: Run) -> Iterator[Decision]:
    """The properties one after the other: by DASH, or by a search over schedules where there are threads."""
    from pincer.checking.confirm_c import CConfirmation, Viewed

    confirmation = CConfirmation(source, task, run)
    for wanted in source.properties:
        viewed = Viewed(source.program(wanted), wanted)
        by = _scheduled if _wants_schedules(viewed, task.options.engine) else _sequential
        result, claim = by(confirmation, viewed)
        yield Decision(result, confirmation.saver.told(), viewed.program, claim)


def _wants_schedules(viewed: Viewed, engine: str) -> bool:
    """Whether a property is decided by a search over schedules."""
    wanted = viewed.wanted
    if wanted.kind in ("race", "deadlock"):
        if engine == "dash":
            raise PincerError(f"the engine dash does not look for {wanted.kind}s; leave --engine out or choose agse")
        return True
    threads = any(isinstance(edge.label, ThreadOperation) for edge in viewed.program.edges()) or bool(wanted.targets)
    return engine == "agse" or (engine == "auto" and threads)


def _scheduled(confirmation: CConfirmation, viewed: Viewed) -> tuple[Result, Claim]:
    from pincer.engines.threads.front import check
    from pincer.engines.threads.task import ThreadOptions

    options = confirmation.task.options
    settings = ThreadOptions(seed=options.seed, jobs=options.jobs, spurious=options.spurious_wakeups)
    asked = (viewed.wanted.kind,)
    [claim] = check(EngineTask(viewed.program, asked, settings, options.explain), confirmation.run)
    return confirmation.schedules_result(claim, viewed), claim


def _sequential(confirmation: CConfirmation, viewed: Viewed) -> tuple[Result, Claim]:
    """The answer of DASH; a proof by paths that is not accepted is tried otherwise."""
    from pincer.checking.confirm_c import holds_not
    from pincer.checking.saved_tests import SavedTests
    from pincer.engines.sequential import AS_IN_THE_PAPER, EVERYTHING, SequentialSettings
    from pincer.evidence.c_proof.paths import Paths

    options = confirmation.task.options
    saved = SavedTests(Path(options.tests), confirmation.source.source) if options.tests else None
    choice = AS_IN_THE_PAPER if options.paper else EVERYTHING
    claim = _claim(confirmation, viewed, SequentialSettings(tuple(saved.planned()) if saved else (), choice))
    if saved is not None:
        # That of a violation is the last one, and the first to try again.
        saved.add(tuple((value.width, value.value) for value in vector) for vector in reversed(claim.tests))
    result = confirmation.result(claim, viewed)
    refused = isinstance(result, Unknown) and holds_not(viewed) is None
    if refused and isinstance(claim, Proved) and isinstance(claim.proof, Paths):
        claim = _claim(confirmation, viewed, SequentialSettings(choice=replace(EVERYTHING, by_paths=False)))
        result = confirmation.result(claim, viewed)
    return result, claim


def _claim(confirmation: CConfirmation, viewed: Viewed, settings: SequentialSettings) -> Claim:
    from pincer.engines.sequential import check

    explain = confirmation.task.options.explain
    [claim] = check(EngineTask(viewed.program, (viewed.wanted.looked_for,), settings, explain), confirmation.run)
    return claim
