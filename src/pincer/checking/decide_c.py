"""Deciding properties of C programs: by DASH, or by a search over schedules where there are threads."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from pincer.checking.c_source import CSource
from pincer.checking.confirm_c import CConfirmation, Viewed
from pincer.checking.decision import Decision
from pincer.checking.properties import undecided_part
from pincer.checking.result import Result, Unknown
from pincer.checking.saved_tests import SavedTests
from pincer.checking.task import Task
from pincer.engines.sequential import AS_IN_THE_PAPER, EVERYTHING, SequentialSettings, check
from pincer.engines.task import Claim, EngineTask, Proved
from pincer.errors import PincerError
from pincer.evidence.c_proof.paths import Paths
from pincer.program.property import SequentialKind
from pincer.program.thread_labels import ThreadOperation
from pincer.runtime.run import Run


def decide_c(source: CSource, task: Task, run: Run) -> Iterator[Decision]:
    """The properties of a C program one after the other."""
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
    # Programs without threads do without the machinery for them.
    from pincer.engines.threads.front import check
    from pincer.engines.threads.task import ThreadOptions

    options = confirmation.task.options
    settings = ThreadOptions(seed=options.seed, jobs=options.jobs, spurious=options.spurious_wakeups)
    asked = (viewed.wanted.kind,)
    [claim] = check(EngineTask(viewed.program, asked, settings, options.explain), confirmation.run)
    return confirmation.schedules_result(claim, viewed.wanted), claim


def _sequential(confirmation: CConfirmation, viewed: Viewed) -> tuple[Result, Claim]:
    """The answer of DASH; a proof by paths that is not accepted is tried otherwise."""
    options = confirmation.task.options
    saved = SavedTests(Path(options.tests), confirmation.source.source) if options.tests else None
    choice = AS_IN_THE_PAPER if options.paper else EVERYTHING
    claim = _claim(confirmation, viewed, SequentialSettings(tuple(saved.planned()) if saved else (), choice))
    if saved is not None:
        # That of a violation is the last one, and the first to try again.
        saved.add(tuple((value.width, value.value) for value in vector) for vector in reversed(claim.tests))
    result = confirmation.result(claim, viewed)
    refused = isinstance(result, Unknown) and not undecided_part(viewed.program, viewed.wanted)
    if refused and isinstance(claim, Proved) and isinstance(claim.proof, Paths):
        claim = _claim(confirmation, viewed, SequentialSettings(choice=replace(EVERYTHING, by_paths=False)))
        result = confirmation.result(claim, viewed)
    return result, claim


def _claim(confirmation: CConfirmation, viewed: Viewed, settings: SequentialSettings) -> Claim:
    kind: SequentialKind = "memory" if viewed.wanted.kind == "memory" else "assertions"
    explain = confirmation.task.options.explain
    [claim] = check(EngineTask(viewed.program, (kind,), settings, explain), confirmation.run)
    return claim
