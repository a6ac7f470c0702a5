"""Checking programs from Python: `check` for a file, `check_text` for a text, and what they answer.

As on the command line the analysis runs in a process of its own, within its limits, and no verdict is given before its
evidence was checked.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, TypedDict, Unpack

from msgspec import structs
from msgspec.structs import replace

from pincer.checking.messages import Check, Decided, Draw, Drawn, Event, MistakeMade, encoded, event_of
from pincer.checking.result import Evidence
from pincer.checking.store import StoreSettings
from pincer.checking.supervise import Limits, Tick
from pincer.checking.task import DATA_MODELS, ENGINES, FAIRNESS, Asked, EngineName, Language, Outputs, Source, Task
from pincer.checking.task import Options as TaskOptions
from pincer.cli.arguments import call_about, context_of, whole_call
from pincer.cli.jobs import ordered
from pincer.errors import Mistake, PincerError, Position
from pincer.evidence.violating_run import ViolatingRun
from pincer.program.c_file import CFile, CFlags
from pincer.program.property import DataModel, Fairness, Verdict
from pincer.report.documents import write_report
from pincer.report.file_report import FileReport, Finding
from pincer.report.notebook import drawing_html, joined_html, run_html, verdict_html
from pincer.report.terminal import Look
from pincer.report.verdicts import WORDS, verdict_lines, why_text

Name = str | PathLike[str]

_SUFFIXES: Mapping[Language, str] = {"gcl": ".gcl", "c": ".c", "msvl": ".m"}


@dataclass(frozen=True, slots=True)
class Progress:
    """What the analysis is doing; `numbers` are the engine's own, such as iterations and predicates."""

    engine: str
    phase: str
    numbers: Mapping[str, int]
    memory_mb: float
    elapsed_s: float


class Run(ViolatingRun, frozen=True):
    """The steps of a counterexample; notebooks show them as a table."""

    def __repr__(self) -> str:
        return f"<Run of {self.length}: {self.why}>"

    def _repr_html_(self) -> str:
        return run_html(self)


@dataclass(frozen=True, slots=True)
class Drawing:
    """A graph that was drawn: of `what`, with how many states, and what was left out; notebooks show it."""

    what: str
    svg: str
    states: int
    note: str

    def save(self, file: Name) -> None:
        Path(file).write_text(self.svg, encoding="utf-8")

    def __repr__(self) -> str:
        left_out = f"; {self.note}" if self.note else ""
        return f"<Drawing of {self.what}: {self.states} states{left_out}>"

    def _repr_html_(self) -> str:
        return drawing_html(self.svg, self.note)


@dataclass(frozen=True, slots=True)
class Answer:
    """What is known about one property.

    `why` is the verdict's argument in a sentence, `reason` why there is none. `violation` holds the steps of a
    counterexample; `trace` and `certificate` are the evidence as plain data, as `pincer replay` and `pincer certify`
    read it. `text` is what the command line prints.
    """

    name: str
    verdict: Verdict
    engine: str
    why: str
    reason: str
    check: str | None
    time_s: float
    statistics: Mapping[str, Any]
    warnings: tuple[str, ...]
    assumptions: tuple[str, ...]
    evidence: Evidence | None
    inputs: tuple[str, ...]
    violation: Run | None
    trace: Any
    certificate: Any
    svcomp: str
    text: str

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Answer {WORDS[self.verdict]} {self.name}: {self.why}>"

    def _repr_html_(self) -> str:
        """What notebooks show: the verdict, and the run that violates the property."""
        return verdict_html(self.verdict, self.name, self.why, self.violation)


@dataclass(frozen=True, slots=True)
class Result:
    """What is known about a program: an answer for each property, in the program's order.

    `reason` says why the program as a whole could not be looked at, and is empty otherwise. `program` describes what
    was read: its file, hash and constants.
    """

    file: str
    program: Mapping[str, Any] | None
    properties: tuple[Answer, ...]
    reason: str
    elapsed_s: float

    @property
    def verdict(self) -> Verdict:
        """Unsafe if some property is violated, safe if there are properties and all hold."""
        verdicts = {answer.verdict for answer in self.properties}
        if "unsafe" in verdicts:
            return "unsafe"
        return "safe" if verdicts == {"safe"} and not self.reason else "unknown"

    def __getitem__(self, name: str) -> Answer:
        for answer in self.properties:
            if answer.name == name:
                return answer
        raise KeyError(name)

    def __repr__(self) -> str:
        told = ", ".join(f"{WORDS[answer.verdict]} {answer.name}" for answer in self.properties)
        return f"<Result of {self.file}: {'; '.join(part for part in (told, self.reason) if part)}>"

    def _repr_html_(self) -> str:
        """What notebooks show: each verdict, and the runs that violate properties."""
        parts = [answer._repr_html_() for answer in self.properties]
        parts += [verdict_html("unknown", self.file, self.reason)] if self.reason else []
        return joined_html(parts)

    def __str__(self) -> str:
        blocks = [answer.text for answer in self.properties]
        return "\n\n".join([*blocks, *([f"UNDECIDED  {self.file}: {self.reason}"] if self.reason else [])])


class Options(TypedDict, total=False):
    """What may be said about a check; the names and meanings are those of the command line.

    `property`, `rule` and `target` take one or several; `timeout` is in seconds, `memory` in megabytes; `define` gives
    constants of a .gcl program other values. `certificate`, `witness`, `test_out` and `report` name what to write,
    `store` a folder that keeps answers from run to run (none unless it is given); with `trust_store` they are not
    checked again.
    `on_progress` hears several times a second what is going on, `on_result` gets every answer as soon as it is known.
    """

    property: Name | Sequence[Name]
    rule: Name | Sequence[Name]
    target: str | Sequence[str]
    engine: EngineName
    timeout: float | None
    memory: int | None
    define: Mapping[str, int | str | None]
    data_model: DataModel | None
    entry: str | None
    include: Sequence[Name]
    seed: int
    jobs: int | None
    paper: bool
    spurious_wakeups: bool
    fairness: Fairness
    stutter_end: bool
    malloc_may_fail: bool
    externals: Literal["keep", "havoc"]
    int32: bool
    certificate: Name | None
    witness: Name | None
    test_out: Name | None
    report: Name | None
    store: Name | None
    trust_store: bool
    on_progress: Callable[[Progress], None] | None
    on_result: Callable[[Answer], None] | None


def check(file: Name, *others: Name, **options: Unpack[Options]) -> Result:
    """Decide the properties of a program, or of a task about one; `others` are the further files of a C program.

    A mistake in the input or the call raises `PincerError`. What Pincer does not support, or cannot decide within its
    limits, is an answer: `unknown`, with the reason.

    Options, as on the command line:

    what to decide   property, rule, target (one or several of each), engine
    limits           timeout (seconds), memory (megabytes), jobs (processes)
    how to read it   define, data_model, entry, include, malloc_may_fail, externals, int32
    how to search    seed, paper, spurious_wakeups, fairness, stutter_end
    what to write    certificate, witness, test_out, report
    what to reuse    store (a folder of answers), trust_store
    what to call     on_progress(progress), on_result(answer)
    """
    name = fspath(file)
    return _checked(name, name, options, tuple(fspath(other) for other in others))


def check_text(source: str, language: Language, **options: Unpack[Options]) -> Result:
    """The same for the text of a program; places in it are called `program.c`, `program.gcl` or `program.m`."""
    if language not in _SUFFIXES:
        raise PincerError(f"there is no language {language!r}; choose {', '.join(_SUFFIXES)}")
    name = f"program{_SUFFIXES[language]}"
    with tempfile.TemporaryDirectory(prefix="pincer-") as folder:
        path = Path(folder) / name
        path.write_text(source, encoding="utf-8", errors="surrogateescape")
        return _checked(str(path), name, options)


def show(
    file: Name,
    what: Literal["abstract", "tree", "lnfg", "cfg"] | None = None,
    *,
    function: str | None = None,
    iteration: int | None = None,
    limit: int = 200,
    timeout: float | None = None,
    memory: int | None = None,
) -> Drawing:
    """Draw what the analysis of a program explored, or the control flow of a C program, as `pincer show` does.

    `what` is "abstract" (states and transitions), "tree" (of symbolic execution), "lnfg" (of a negated property) or
    "cfg" (one `function` of a C program, or all); at most `limit` states are drawn, those before an `iteration`.
    """
    source = Source(fspath(file))
    shown = what or _DRAWN[source.language]
    request, found = Draw(source, shown, iteration, limit, function), list[Drawn]()
    with ordered(request, Limits(timeout, memory)) as watch:
        for event in watch.events():
            if isinstance(event, MistakeMade):
                raise _error(event.mistake)
            found += [event] if isinstance(event, Drawn) else []
    ending = watch.ending
    if ending.interrupted:
        raise KeyboardInterrupt
    if not found:
        raise PincerError(f"{source.file} was not drawn: {ending.died or ending.stopped}")
    return Drawing(shown, found[0].svg, found[0].states, found[0].note)


_DRAWN: Mapping[Language, str] = {"c": "cfg", "msvl": "tree", "gcl": "abstract"}


def _checked(path: str, name: str, options: Options, others: tuple[str, ...] = ()) -> Result:
    """Run the check of `path`, and call it `name` in everything that is said about it.

    The HTML report shows the program's text, so it is about `path`.
    """
    _validate(options)
    task, limits = _task(path, options, others), Limits(options.get("timeout"), options.get("memory"))
    shown = replace(task, source=replace(task.source, file=name))
    report = FileReport(context_of(shown, limits))
    page = report if path == name else FileReport(context_of(task, limits))
    on_progress, on_result = options.get("on_progress"), options.get("on_result")

    def on_event(event: Event) -> None:
        said = event if path == name else event_of(encoded(event).replace(_quoted(path), _quoted(name)))
        report.note(said)
        if page is not report:
            page.note(event)
        if isinstance(said, Decided) and on_result is not None:
            on_result(_answer(report, report.findings[said.result.name]))

    def on_tick(tick: Tick) -> None:
        page.note(tick)
        if tick.progress is not None and on_progress is not None:
            numbers = MappingProxyType(dict(tick.progress.numbers))
            on_progress(Progress(tick.progress.engine, tick.progress.phase, numbers, tick.memory_mb, tick.elapsed))

    with ordered(Check(task), limits) as watch:
        for event in watch.events():
            on_tick(event) if isinstance(event, Tick) else on_event(event)
    ending = watch.ending
    if ending.interrupted:
        raise KeyboardInterrupt
    report.finish(ending)
    output = options.get("report")
    if output is not None:
        page.finish(ending)
        write_report(fspath(output), whole_call([name], task), [page], ending.elapsed)
    return _result(report)


def _quoted(text: str) -> bytes:
    """A text as it stands inside the strings of a message."""
    return json.dumps(text)[1:-1].encode("ascii")


def _result(report: FileReport) -> Result:
    for mistake in report.mistakes:
        if mistake.kind == "error":
            raise _error(mistake)
    internal = "internal error: " if any(mistake.kind == "internal" for mistake in report.mistakes) else ""
    return Result(
        file=report.file,
        program=None if report.program is None else MappingProxyType(dict(report.program)),
        properties=tuple(_answer(report, finding) for finding in report.ordered()),
        reason=internal + report.mistakes[-1].message if report.mistakes else "",
        elapsed_s=report.ending.elapsed,
    )


def _error(mistake: Mistake) -> PincerError:
    place = None if mistake.line is None else Position(mistake.file, mistake.line, mistake.column or 1)
    return PincerError(mistake.message, place, mistake.excerpt)


def _answer(report: FileReport, finding: Finding) -> Answer:
    return Answer(
        name=finding.name,
        verdict=finding.verdict,
        engine=finding.engine,
        why=why_text(finding),
        reason=finding.reason,
        check=finding.check,
        time_s=finding.time_s,
        statistics=MappingProxyType(dict(finding.statistics)),
        warnings=finding.warnings,
        assumptions=finding.assumptions,
        evidence=finding.evidence,
        inputs=tuple(map(str, finding.run.inputs)) if finding.run is not None else (),
        violation=None if finding.run is None else Run(*structs.astuple(finding.run)),
        trace=finding.trace,
        certificate=finding.certificate,
        svcomp=finding.svcomp,
        text="\n".join(verdict_lines(finding, report.context, Look())),
    )


def _task(file: str, options: Options, others: tuple[str, ...] = ()) -> Task:
    """The options as a task."""
    flags = CFlags(
        _names(options.get("include", ())),
        _macros(options.get("define", {})),
        malloc_may_fail=options.get("malloc_may_fail", False),
        externals=options.get("externals", "keep"),
    )
    further = tuple(CFile(other, flags) for other in others)
    source = Source(file, options.get("data_model"), options.get("entry"), flags, further)
    asked = Asked(
        _names(options.get("property", ())),
        _names(options.get("rule", ())),
        _names(options.get("target", ())),
        options.get("stutter_end", False),
    )
    given = {key: options[key] for key in _PASSED_ON if key in options}  # type: ignore[literal-required]
    how = TaskOptions(explain=options.get("report") is not None, **given)
    folder = _place(options.get("store"))
    store = None if folder is None else StoreSettings(folder, options.get("trust_store", False))
    task = Task(source, asked, how, store=store)
    certificate, witness, test_out = options.get("certificate"), options.get("witness"), options.get("test_out")
    return replace(task, outputs=Outputs(_place(certificate), _place(witness), _place(test_out), call_about(task)))


def _macros(given: Mapping[str, int | str | None]) -> tuple[tuple[str, str | None], ...]:
    return tuple((name, None if value is None else str(value)) for name, value in given.items())


def _place(name: Name | None) -> str | None:
    return None if name is None else fspath(name)


_PASSED_ON = ("engine", "paper", "spurious_wakeups", "fairness", "seed", "jobs", "int32")


def _validate(options: Options) -> None:
    """An option that does not exist, or has a wrong value, is a mistake."""
    unknown = sorted(options.keys() - Options.__annotations__.keys())
    if unknown:
        raise TypeError(f"there is no option {unknown[0]!r}; there are {', '.join(Options.__annotations__)}")
    right = all(value is None or isinstance(value, int | str) for value in options.get("define", {}).values())
    _demand(right, "the option define must give every name a whole number, a text, or None")
    _demand(options.get("engine", "auto") in ENGINES, f"the engine must be one of {', '.join(ENGINES)}")
    _demand(options.get("data_model") in (None, *DATA_MODELS), f"the data model must be {' or '.join(DATA_MODELS)}")
    _demand(options.get("fairness", "weak") in FAIRNESS, f"the fairness must be one of {', '.join(FAIRNESS)}")
    for key, kind in (("timeout", int | float), ("memory", int), ("jobs", int)):
        value: Any = options.get(key)
        right = value is None or (isinstance(value, kind) and 0 < value < float("inf"))
        _demand(right, f"the option {key} must be a positive number")


def _names(value: Name | Sequence[Name]) -> tuple[str, ...]:
    return (fspath(value),) if isinstance(value, str | PathLike) else tuple(fspath(one) for one in value)


def _demand(right: bool, message: str) -> None:
    if not right:
        raise PincerError(message)
