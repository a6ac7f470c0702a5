"""From a loaded program to answers: choose the engine, have it decide, have its evidence confirmed.

The machinery for C programs, and that for threads, is loaded when there is need of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from pincer.checking.confirm import GuardedConfirmation
from pincer.checking.load import CSource, GuardedSource, LoadedSource, TemporalSource
from pincer.checking.properties import CProperty, asked_together, is_about_undefined_behaviour, property_of_failure
from pincer.checking.result import Result, Safe, Unknown, Unsafe
from pincer.checking.saved_tests import SavedTests, planned_inputs
from pincer.checking.task import Task
from pincer.engines.task import Claim, EngineTask, Open, Proof, Proved, Refuted
from pincer.errors import Mistake, PincerError, Position, UnsupportedError
from pincer.evidence.c.failures import STATED, FailureKind
from pincer.evidence.c.trace import CTest, Failure, InputVector
from pincer.evidence.c_proof.cut_point_claim import CutPointProof
from pincer.evidence.c_proof.merged_claim import MergedProof
from pincer.evidence.c_proof.paths import Paths
from pincer.evidence.thread_proof.certificate import ThreadCertificate
from pincer.program.control_flow import Check, ControlFlowProgram, Fail
from pincer.program.effects import has_threads
from pincer.program.passes.overflow import ARITHMETIC
from pincer.program.property import PropertyKind
from pincer.program.thread_labels import ThreadOperation
from pincer.runtime.reasons import Cause, Reason
from pincer.runtime.run import Run

if TYPE_CHECKING:
    from pincer.checking.confirm_c import CConfirmation, Viewed
    from pincer.checking.confirm_msvl import TemporalConfirmation
    from pincer.checking.memory import RunMemory
    from pincer.checking.recall import Recalled
    from pincer.engines.board import Inputs
    from pincer.engines.dse.options import CheckOptions
    from pincer.engines.sequential import Choice, SequentialSettings


_PARTS_TOGETHER = 5 / 3
"""Of the time, three fifths are for all properties together, of which most proofs are: nothing is done twice then."""


class Decision(Struct, frozen=True):
    """The answer to one property, and what could not be written down; for readers the program as the engine saw it, and
    its claim with what it explored."""

    result: Result
    mistakes: tuple[Mistake, ...] = ()
    program: Any = None
    claim: Claim | None = None


class _Clock:
    """How long each answer took, from the one before it on: reading, deciding and checking the evidence."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._last = 0.0

    def timed(self, result: Result) -> Result:
        last, self._last = self._last, self._run.elapsed()
        return replace(result, time_s=self._last - last)

    def each(self, decisions: Iterator[Decision]) -> Iterator[Decision]:
        return (replace(decision, result=self.timed(decision.result)) for decision in decisions)


def decide(source: LoadedSource, task: Task, run: Run) -> Iterator[Decision]:
    """Decide the properties of a program; each answer comes as soon as its evidence has been checked. What a store
    knows is not decided again."""
    if task.store is None:
        yield from _decided(source, task, run, None)
        return
    from pincer.checking.memory import RunMemory

    memory = RunMemory(source, task)
    for decision in _decided(source, task, run, memory):
        yield replace(decision, result=memory.keep(decision.result, decision.claim))


def _decided(source: LoadedSource, task: Task, run: Run, memory: RunMemory | None) -> Iterator[Decision]:
    match source:
        case GuardedSource():
            return _Clock(run).each(_guarded(source, task, run, memory))
        case TemporalSource():
            return _Clock(run).each(_temporal(source, task, run, memory))
        case CSource():
            return _c(source, task, run, memory)


def _guarded(source: GuardedSource, task: Task, run: Run, memory: RunMemory | None) -> Iterator[Decision]:
    confirmation = GuardedConfirmation(source.program, task, run)
    told: set[str] = set()
    try:
        if memory is not None:
            from pincer.checking.recall import recalled_models

            for found in recalled_models(source, confirmation, memory):
                told.add(found.result.name)
                yield Decision(found.result, confirmation.saver.told(), source.program, found.claim)
        yield from _safety(source, confirmation, told)
        yield from _live(source, confirmation, told)
    except UnsupportedError as error:
        reason = Reason(str(error), Cause.UNSUPPORTED)
        for name in source.names:
            if name not in told:
                yield Decision(Unknown(name=name, engine=task.options.engine, reason=reason))


def _safety(source: GuardedSource, confirmation: GuardedConfirmation, told: set[str]) -> Iterator[Decision]:
    """The safety properties of guarded commands that nothing was told about."""
    asked = tuple(name for name in source.safety if name not in told)
    if not asked:
        return
    from pincer.engines.guarded.analysis import GuardedSettings
    from pincer.engines.guarded.verify import verify

    options, run = confirmation.task.options, confirmation.run
    settings = GuardedSettings("ur" if options.engine == "ur" else "ase", options.paper)
    with run.share(1 + len(source.temporal)):
        for claim in verify(EngineTask(source.program, asked, settings, options.explain), run):
            told.add(claim.name)
            result = confirmation.result(claim)
            yield Decision(result, confirmation.saver.told(), source.program, claim)


def _live(source: GuardedSource, confirmation: GuardedConfirmation, told: set[str]) -> Iterator[Decision]:
    """The temporal properties of guarded commands."""
    properties = {wanted.name: wanted for wanted in source.temporal if wanted.name not in told}
    if not properties:
        return
    from pincer.engines.live.verify import LiveSettings, verify

    for claim in verify(EngineTask(source.program, tuple(properties.values()), LiveSettings()), confirmation.run):
        told.add(claim.name)
        result = confirmation.temporal_result(claim, properties[claim.name])
        yield Decision(result, confirmation.saver.told(), source.program)


def _temporal(source: TemporalSource, task: Task, run: Run, memory: RunMemory | None) -> Iterator[Decision]:
    from pincer.checking.confirm_msvl import TemporalConfirmation
    from pincer.engines.dse.options import CheckOptions
    from pincer.engines.dse.verify import check
    from pincer.execution.msvl import Options

    options = task.options
    execution = Options(seed=options.seed, int32=source.int32)
    settings = CheckOptions(execution, jobs=options.jobs or 1, paper_verdicts=options.paper)
    confirmation = TemporalConfirmation(source.program, task, run, sha256=source.sha256)
    recalled: tuple[Recalled, ...] = ()
    if memory is not None:
        from pincer.checking.recall import recalled_runs

        recalled = tuple(recalled_runs(source, confirmation, memory))
    for found in recalled:
        yield Decision(found.result, confirmation.saver.told(), source.program, found.claim)
    if len(recalled) == len(source.properties):
        return
    told = {found.result.name for found in recalled}
    if options.engine == "auto" and not (options.paper or source.int32):
        for decision in _translated(source, confirmation, settings, frozenset(told)):
            told.add(decision.result.name)
            yield decision
    if len(told) == len(source.properties):
        return
    for claim in check(EngineTask(source.program, source.properties, settings, options.explain), run):
        if claim.name not in told:
            yield Decision(confirmation.result(claim), confirmation.saver.told(), source.program, claim)


def _translated(
    source: TemporalSource, confirmation: TemporalConfirmation, settings: CheckOptions, told: frozenset[str]
) -> Iterator[Decision]:
    """What a short exploration decides, or else a translation to guarded commands; nothing about the rest."""
    from pincer.engines.dse.options import SHORTLY
    from pincer.engines.dse.verify import check
    from pincer.engines.msvl.verify import TranslationSettings
    from pincer.engines.msvl.verify import check as check_translated

    run, short = confirmation.run, SHORTLY.of(settings)
    with run.share(4):
        explain = confirmation.task.options.explain
        claims = list(check(EngineTask(source.program, source.properties, short, explain), run))
    for claim, wanted in zip(claims, source.properties, strict=True):
        if claim.name in told:
            continue
        result = confirmation.result(claim)
        if isinstance(result, Unknown):
            with run.share(2):
                asked = TranslationSettings(source.sha256, (claim.name,))
                [found] = check_translated(EngineTask(source.program, (wanted,), asked), run)
                seen = dict.fromkeys((*found.warnings, *claim.warnings))
                result = confirmation.result(replace(found, warnings=tuple(seen)), wanted)
        if not isinstance(result, Unknown):
            yield Decision(result, confirmation.saver.told(), source.program, claim)


def _c(source: CSource, task: Task, run: Run, memory: RunMemory | None) -> Iterator[Decision]:
    """The properties, by DASH or by a search over schedules where there are threads.

    Those that one proof can show are tried together first; what that leaves open is decided one after the other, each
    with its share of the time. What holds is told last: it may hold only up to undefined behaviour that another
    property has found."""
    from pincer.checking.confirm_c import CConfirmation, Viewed

    confirmation = CConfirmation(source, task, run)
    clock = _Clock(run)
    decided = _Together() if memory is None else _recalled(confirmation, memory)
    known = {decision.result.name for decision in decided.answers}
    rest = [wanted for wanted in source.properties if wanted.name not in known]
    if rest and not task.options.paper:
        decided = _together(confirmation, rest, decided, clock)
    for decision in decided.answers:
        if not isinstance(decision.result, Safe):
            yield replace(decision, mistakes=confirmation.saver.told())
    known = {decision.result.name for decision in decided.answers}
    waiting = [Viewed(source.program(wanted), wanted) for wanted in source.properties if wanted.name not in known]
    if all(viewed.wanted.kind in _ABOUT_STEPS for viewed in waiting):
        # What is decided soon leaves its time to the others.
        waiting.sort(key=_places_of_errors)
    answers = [*decided.answers]
    for number, viewed in enumerate(waiting):
        wanted = viewed.wanted
        with run.share(len(waiting) - number):
            if wanted.kind in ("termination", "temporal"):
                result, claim = _ending(confirmation, viewed)
            elif _wants_schedules(viewed, task.options.engine):
                result, claim = _scheduled(confirmation, viewed)
            else:
                result, claim = _sequential(confirmation, viewed, decided)
        answer = Decision(clock.timed(result), (), viewed.program, claim)
        answers.append(answer)
        if not isinstance(result, Safe):
            yield replace(answer, mistakes=confirmation.saver.told())
    met = next(filter(None, map(_undefined_at, answers)), None)
    order = [wanted.name for wanted in source.properties]
    for answer in sorted(answers, key=lambda answer: order.index(answer.result.name)):
        if isinstance(answer.result, Safe):
            yield replace(answer, result=_up_to(answer.result, met), mistakes=confirmation.saver.told())


_ABOUT_STEPS = ("assertions", "memory", "overflow")
"""The properties that single steps violate: the more of these there are, the more there is to do."""


def _places_of_errors(viewed: Viewed) -> int:
    labels = [edge.label for edge in viewed.program.edges()]
    if viewed.wanted.kind == "assertions":
        return sum(1 for label in labels if isinstance(label, Fail))
    is_overflow = viewed.wanted.kind == "overflow"
    return sum(1 for label in labels if isinstance(label, Check) and (label.kind in ARITHMETIC) == is_overflow)


def _recalled(confirmation: CConfirmation, memory: RunMemory) -> _Together:
    """What is known about the program from earlier runs, confirmed, and tests to begin with."""
    from pincer.checking.recall import RecalledC

    engine = confirmation.task.options.engine
    recalled = RecalledC(confirmation, memory, lambda viewed: _wants_schedules(viewed, engine)).answers()
    answers = tuple(
        Decision(found.result, (), None if found.viewed is None else found.viewed.program, found.claim)
        for found in recalled
    )
    everything = len(answers) == len(confirmation.source.properties)
    return _Together(answers, () if everything else memory.tests())


def _undefined_at(decision: Decision) -> Position | None:
    """Where a property was found to be violated by undefined behaviour."""
    match decision.claim:
        case Refuted(run=CTest(failure=failure) as test) if isinstance(decision.result, Unsafe):
            defined = failure.kind in (*STATED, FailureKind.LEAK, FailureKind.UNFREED, None)
            return None if defined else test.failing_line()
    return None


def _up_to(result: Safe, met: Position | None) -> Safe:
    known = result.undefined is not None and not result.undefined.is_added
    return result if met is None or known else replace(result, undefined=met)


class _Together(Struct, frozen=True):
    """What came of asking for several properties at once: answers to some, tests that went new ways, and why proofs
    that were found are none."""

    answers: tuple[Decision, ...] = ()
    tests: tuple[InputVector, ...] = ()
    refused: tuple[str, ...] = ()


def _together(
    confirmation: CConfirmation, properties: Sequence[CProperty], known: _Together, clock: _Clock
) -> _Together:
    """Decide several properties at once, with a small budget: all of them hold, or one is violated. Then the others are
    asked again, unless there is undefined behaviour that they would only hold up to.

    What ends at undefined behaviour without a word must not hold: all of it is asked about, or some was found."""
    from pincer.checking.confirm_c import Viewed
    from pincer.engines.sequential import AT_FIRST, SequentialSettings

    asked = asked_together(properties)
    if asked is None or not (is_about_undefined_behaviour(asked) or any(map(_undefined_at, known.answers))):
        return known
    viewed = Viewed(confirmation.source.program(asked), asked)
    if _wants_schedules(viewed, confirmation.task.options.engine):
        return known
    planned = (*_saved_tests(confirmation), *map(planned_inputs, known.tests))
    with confirmation.run.share(_PARTS_TOGETHER):
        claim = _claim(confirmation, viewed, SequentialSettings(planned, AT_FIRST))
    match claim:
        case Proved():
            names = tuple(wanted.name for wanted in properties if wanted.kind in asked.together)
            result = confirmation.result(claim, viewed)
            if isinstance(result, Safe):
                timed = clock.timed(result)
                results = [replace(timed, name=name, together=names) for name in names]
                answers = (Decision(one, (), viewed.program, claim) for one in results)
                return _Together((*known.answers, *answers), claim.tests)
            return _Together(known.answers, claim.tests, (*known.refused, *_refusal(result)))
        case Refuted(run=CTest(failure=Failure(kind=FailureKind() as kind))):
            [wanted] = [wanted for wanted in properties if wanted.kind == property_of_failure(kind)]
            result = clock.timed(confirmation.result(claim, Viewed(viewed.program, wanted)))
            found = _Together((*known.answers, Decision(result, (), viewed.program, claim)), claim.tests)
            rest = [other for other in properties if other is not wanted]
            return found if wanted.kind == "memory" else _together(confirmation, rest, found, clock)
    return _Together(known.answers, claim.tests)


def _saved_tests(confirmation: CConfirmation) -> tuple[Inputs, ...]:
    """The tests that earlier runs have kept, if the user wants that."""
    folder = confirmation.task.options.tests
    return tuple(SavedTests(Path(folder), confirmation.source.source).planned()) if folder else ()


def _wants_schedules(viewed: Viewed, engine: str) -> bool:
    """Whether a property is decided by a search over schedules."""
    wanted = viewed.wanted
    if wanted.kind in ("termination", "temporal"):
        return has_threads(viewed.program)
    if wanted.kind in ("race", "deadlock"):
        if engine == "dash":
            raise PincerError(f"the engine dash does not look for {wanted.kind}s; leave --engine out or choose agse")
        return True
    threads = any(isinstance(edge.label, ThreadOperation) for edge in viewed.program.edges()) or bool(wanted.targets)
    return engine == "agse" or (engine == "auto" and threads)


def _scheduled(confirmation: CConfirmation, viewed: Viewed) -> tuple[Result, Claim]:
    """The answer of the searches over schedules. What has a proof that is not accepted is searched without it; where
    compiled code does not show what a schedule that was drawn at random has come to, the others may find another."""
    from pincer.checking.confirm_c import holds_not
    from pincer.engines.threads.front import check
    from pincer.engines.threads.task import EngineName, ThreadOptions

    options = confirmation.task.options
    settings = ThreadOptions(seed=options.seed, jobs=options.jobs, spurious=options.spurious_wakeups)
    wanted = viewed.wanted
    asked: tuple[PropertyKind] = (wanted.kind if wanted.kind in ("race", "deadlock") else wanted.looked_for,)

    def searched(engines: tuple[EngineName, ...]) -> tuple[Result, Claim]:
        within = replace(settings, engines=engines)
        [claim] = check(EngineTask(viewed.program, asked, within, options.explain), confirmation.run)
        return confirmation.schedules_result(claim, viewed), claim

    result, claim = searched(settings.engines)
    if not isinstance(result, Unknown):
        return result, claim
    if isinstance(claim, Proved) and isinstance(claim.proof, ThreadCertificate) and holds_not(viewed) is None:
        return searched(("agse", "exhaustive"))
    if isinstance(claim, Refuted) and claim.engine == "drawn":
        again, other = searched(tuple(engine for engine in settings.engines if engine != "drawn"))
        return (result, claim) if isinstance(other, Open) else (again, other)
    return result, claim


def _ending(confirmation: CConfirmation, viewed: Viewed) -> tuple[Result, Claim]:
    """Whether a program ends, or what a formula says of its runs."""
    from pincer.engines.termination.verify import TerminationSettings, check
    from pincer.frontends.c.observers import is_visible

    explain, formula = confirmation.task.options.explain, viewed.wanted.formula
    if has_threads(viewed.program):
        return _ending_threads(confirmation, viewed)
    predicates = () if formula is None else formula.predicates
    visible = {name: text for name, text in predicates if is_visible(text, viewed.program)}
    name: Literal["termination", "temporal"] = "termination" if formula is None else "temporal"
    result: Result | None = None
    for regions in (True, False):
        settings = TerminationSettings(visible, regions)
        [claim] = check(EngineTask(viewed.program, (name,), settings, explain), confirmation.run)
        if formula is not None:
            claim = replace(claim, warnings=(*claim.warnings, *formula.warnings))
        result = confirmation.result(claim, viewed)
        if not (isinstance(result, Unknown) and isinstance(claim, Refuted)):
            break
    assert result is not None
    return result, claim


def _ending_threads(confirmation: CConfirmation, viewed: Viewed) -> tuple[Result, Claim]:
    """Whether a program with threads ends, or what a formula says of its runs."""
    from pincer.engines.threads.endings import check
    from pincer.engines.threads.task import ThreadOptions

    options = confirmation.task.options
    settings = ThreadOptions(seed=options.seed, jobs=options.jobs, spurious=options.spurious_wakeups)
    [claim] = check(EngineTask(viewed.program, (options.scheduler,), settings, options.explain), confirmation.run)
    if viewed.wanted.formula is not None:
        claim = replace(claim, warnings=(*claim.warnings, *viewed.wanted.formula.warnings))
    return confirmation.schedules_result(claim, viewed), claim


def _sequential(confirmation: CConfirmation, viewed: Viewed, known: _Together) -> tuple[Result, Claim]:
    """The answer of DASH. Where a proof by execution is not accepted, others are looked for; if there is none, the
    reason tells of it."""
    from pincer.checking.confirm_c import holds_not
    from pincer.engines.sequential import AS_IN_THE_PAPER, EVERYTHING, SequentialSettings

    options = confirmation.task.options
    saved = SavedTests(Path(options.tests), confirmation.source.source) if options.tests else None
    choice = AS_IN_THE_PAPER if options.paper else EVERYTHING
    # Where nothing can fail, tests of other properties only take the time that is left.
    tests = known.tests if viewed.wanted.kind != "assertions" or _may_fail(viewed.program) else ()
    planned = (*(saved.planned() if saved else ()), *map(planned_inputs, tests))
    claim = _claim(confirmation, viewed, SequentialSettings(planned, choice))
    if saved is not None:
        # That of a violation is the last one, and the first to try again.
        saved.add(tuple((value.width, value.value) for value in vector) for vector in reversed(claim.tests))
    result = confirmation.result(claim, viewed)
    refused = known.refused
    while isinstance(result, Unknown) and isinstance(claim, Proved) and holds_not(viewed) is None:
        narrower = _without(choice, claim.proof)
        if narrower == choice:
            break
        choice, refused = narrower, (*refused, *_refusal(result))
        claim = _claim(confirmation, viewed, SequentialSettings(choice=choice))
        result = confirmation.result(claim, viewed)
    return _telling(result, refused), claim


def _may_fail(program: ControlFlowProgram) -> bool:
    return any(isinstance(edge.label, Fail) for edge in program.edges())


def _without(choice: Choice, proof: Proof) -> Choice:
    """The strategies without the one that has given a proof by execution."""
    match proof:
        case Paths():
            return replace(choice, by_paths=False)
        case MergedProof():
            others = tuple(share for share in choice.table if not share.strategy.startswith("merged"))
            return replace(choice, table=others)
        case CutPointProof():
            return replace(choice, table=tuple(share for share in choice.table if share.strategy != "cut points"))
    return choice


def _refusal(result: Result) -> tuple[str, ...]:
    """Why a proof that was found is none."""
    return (result.reason.text,) if isinstance(result, Unknown) else ()


def _telling(result: Result, refused: tuple[str, ...]) -> Result:
    """A property that stays open, with what became of the proofs that were found on the way."""
    if not isinstance(result, Unknown) or not refused:
        return result
    others = [text for text in dict.fromkeys(refused) if text not in result.reason.text]
    told = "".join(f"; a proof was found before, but {text}" for text in others)
    return replace(result, reason=replace(result.reason, text=result.reason.text + told))


def _claim(confirmation: CConfirmation, viewed: Viewed, settings: SequentialSettings) -> Claim:
    from pincer.engines.sequential import check

    explain = confirmation.task.options.explain
    [claim] = check(EngineTask(viewed.program, (viewed.wanted.looked_for,), settings, explain), confirmation.run)
    return claim
