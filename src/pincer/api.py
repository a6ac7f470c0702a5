"""Checking programs from Python: `check` for a file, `check_text` for a text, and what they answer.

As on the command line the analysis runs in a process of its own, within its limits, and no verdict is given before its
evidence was checked.
"""

from __future__ import annotations

import argparse
import io
import json
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, TypedDict, Unpack

from pincer.checking.supervise import Event, Limits, supervise
from pincer.cli import check as command
from pincer.cli.file_report import FileReport, call_of
from pincer.cli.html_report import write_report
from pincer.cli.settings import DATA_MODELS, ENGINES
from pincer.errors import PincerError, Position
from pincer.evidence.violating_run import ViolatingRun
from pincer.program.property import Verdict
from pincer.report.finding import Evidence, Finding
from pincer.report.mistakes import Mistake
from pincer.report.progress import ProgressLine
from pincer.report.terminal import Look
from pincer.report.verdicts import verdict_lines, why_text

Name = str | PathLike[str]
Language = Literal["gcl", "c", "msvl"]

_SUFFIXES: Mapping[Language, str] = {"gcl": ".gcl", "c": ".c", "msvl": ".m"}


@dataclass(frozen=True, slots=True)
class Progress:
    """What the analysis is doing; `numbers` are the engine's own, such as iterations and predicates."""

    engine: str
    phase: str
    numbers: Mapping[str, int]
    memory_mb: float
    elapsed_s: float


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
    violation: ViolatingRun | None
    trace: Any
    certificate: Any
    svcomp: str
    text: str

    def __str__(self) -> str:
        return self.text


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

    def __str__(self) -> str:
        blocks = [answer.text for answer in self.properties]
        return "\n\n".join([*blocks, *([f"UNDECIDED  {self.file}: {self.reason}"] if self.reason else [])])


class Options(TypedDict, total=False):
    """What may be said about a check; the names and meanings are those of the command line.

    `property`, `rule` and `target` take one or several; `timeout` is in seconds, `memory` in megabytes; `define` gives
    constants of a .gcl program other values. `certificate`, `witness`, `test_out` and `report` name what to write.
    `on_progress` hears several times a second what is going on, `on_result` gets every answer as soon as it is known.
    """

    property: Name | Sequence[Name]
    rule: Name | Sequence[Name]
    target: str | Sequence[str]
    engine: Literal["auto", "ase", "ur", "dash", "agse", "dse"]
    timeout: float | None
    memory: int | None
    define: Mapping[str, int]
    data_model: Literal["ILP32", "LP64"] | None
    entry: str | None
    include: Sequence[Name]
    seed: int
    jobs: int | None
    paper: bool
    spurious_wakeups: bool
    int32: bool
    certificate: Name | None
    witness: Name | None
    test_out: Name | None
    report: Name | None
    on_progress: Callable[[Progress], None] | None
    on_result: Callable[[Answer], None] | None


def check(file: Name, **options: Unpack[Options]) -> Result:
    """Decide the properties of a program, or of a task about one.

    A mistake in the input or the call raises `PincerError`. What Pincer does not support, or cannot decide within its
    limits, is an answer: `unknown`, with the reason.
    """
    name = fspath(file)
    return _checked(name, name, _arguments(name, options), options)


def check_text(source: str, language: Language, **options: Unpack[Options]) -> Result:
    """The same for the text of a program; places in it are called `program.c`, `program.gcl` or `program.m`."""
    if language not in _SUFFIXES:
        raise PincerError(f"there is no language {language!r}; choose {', '.join(_SUFFIXES)}")
    name = f"program{_SUFFIXES[language]}"
    with tempfile.TemporaryDirectory(prefix="pincer-") as folder:
        path = Path(folder) / name
        path.write_text(source, encoding="utf-8", errors="surrogateescape")
        return _checked(str(path), name, _arguments(name, options), options)


def _checked(path: str, name: str, args: argparse.Namespace, options: Options) -> Result:
    """Run the check of `path`, and call it `name` in everything that is said about it.

    The HTML report shows the program's text, so it is about `path`.
    """
    line = ProgressLine(io.StringIO(), name, enabled=False)
    report = _Report(name, args, line)
    page = report if path == name else _Report(path, args, line)
    on_progress, on_result = options.get("on_progress"), options.get("on_result")

    def on_event(event: Event) -> None:
        said: Event = event if path == name else json.loads(json.dumps(event).replace(path, name))
        report.on_event(said)
        if page is not report:
            page.on_event(event)
        if said["event"] == "finding" and on_result is not None:
            on_result(_answer(report, report.findings[said["name"]]))

    def on_tick(progress: Event | None, memory_mb: float, elapsed: float) -> None:
        page.on_tick(progress, memory_mb, elapsed)
        if progress is not None and on_progress is not None:
            numbers = MappingProxyType(dict(progress["numbers"]))
            on_progress(Progress(progress["engine"], progress["phase"], numbers, memory_mb, elapsed))

    request = command.request_about(path, args)
    ending = supervise(request, Limits(args.timeout, args.memory), on_event, on_tick)
    if ending.interrupted:
        raise KeyboardInterrupt
    report.finish(ending)
    if args.report is not None:
        page.finish(ending)
        write_report(args.report, call_of(args), [page], ending.elapsed)
    return _result(report)


class _Report(FileReport):
    """Keeps what is known and prints nothing."""

    def add_mistake(self, mistake: Mistake) -> None:
        self.mistakes.append(mistake)


def _result(report: FileReport) -> Result:
    for mistake in report.mistakes:
        if mistake.kind == "error":
            place = None if mistake.line is None else Position(mistake.file, mistake.line, mistake.column or 1)
            raise PincerError(mistake.message, place, mistake.excerpt)
    internal = "internal error: " if any(mistake.kind == "internal" for mistake in report.mistakes) else ""
    return Result(
        file=report.file,
        program=None if report.program is None else MappingProxyType(dict(report.program)),
        properties=tuple(_answer(report, finding) for finding in report.ordered()),
        reason=internal + report.mistakes[-1].message if report.mistakes else "",
        elapsed_s=report.ending.elapsed,
    )


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
        violation=finding.run,
        trace=finding.trace,
        certificate=finding.certificate,
        svcomp=finding.svcomp,
        text="\n".join(verdict_lines(finding, report.context(), Look())),
    )


def _arguments(name: str, options: Options) -> argparse.Namespace:
    """The options as the command knows them."""
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    args = parser.parse_args([])
    for option, value in _plain(options).items():
        setattr(args, option, value)
    args.path, args.engine, args.format = [name], args.engine or "auto", None
    return args


def _plain(options: Options) -> dict[str, Any]:
    """Options in the form the command line leaves them in; those with a wrong value are a mistake."""
    given: dict[str, Any] = {key: value for key, value in options.items() if key not in ("on_progress", "on_result")}
    unknown = sorted(given.keys() - Options.__annotations__.keys())
    if unknown:
        raise TypeError(f"there is no option {unknown[0]!r}; there are {', '.join(Options.__annotations__)}")
    for key in ("property", "rule", "target", "include"):
        if key in given:
            given[key] = _names(given[key])
    for key in ("certificate", "witness", "test_out", "report"):
        if given.get(key) is not None:
            given[key] = fspath(given[key])
    if "define" in given:
        given["define"] = list(given["define"].items())
        whole = all(isinstance(value, int) for _, value in given["define"])
        _demand(whole, "the option define must give every name a whole number")
    _demand(given.get("engine", "auto") in ENGINES, f"the engine must be one of {', '.join(ENGINES)}")
    _demand(given.get("data_model") in (None, *DATA_MODELS), f"the data model must be {' or '.join(DATA_MODELS)}")
    for key, kind in (("timeout", int | float), ("memory", int), ("jobs", int)):
        value = given.get(key)
        right = value is None or (isinstance(value, kind) and 0 < value < float("inf"))
        _demand(right, f"the option {key} must be a positive number")
    return given


def _names(value: Name | Sequence[Name]) -> list[str]:
    return [fspath(value)] if isinstance(value, str | PathLike) else [fspath(one) for one in value]


def _demand(right: bool, message: str) -> None:
    if not right:
        raise PincerError(message)
