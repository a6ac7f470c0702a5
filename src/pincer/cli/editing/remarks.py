"""What an editor shows about a program: diagnostics, verdicts, and values at the lines of a counterexample."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from lsprotocol.types import (
    CodeLens,
    Command,
    Diagnostic,
    DiagnosticRelatedInformation,
    DiagnosticSeverity,
    Location,
    Position,
    Range,
)
from msgspec import Struct

from pincer.api import Answer, Result
from pincer.cli.editing.proofs import Proofs
from pincer.errors import PincerError
from pincer.evidence.violating_run import RunStep, ViolatingRun
from pincer.report.terminal import escape
from pincer.report.verdicts import WORDS

CHECK = "pincer.check"
_SOURCE = "pincer"
_MOST_STEPS = 100
_END_OF_LINE = 10_000


class Remarks(Struct, frozen=True):
    """`values` are by line (from 0): what the steps of counterexamples do there. `proofs` is what proofs say."""

    diagnostics: tuple[Diagnostic, ...] = ()
    lenses: tuple[CodeLens, ...] = ()
    values: dict[int, list[str]] = {}
    proofs: Proofs = Proofs()


def remarks_on(result: Result, uri: str) -> Remarks:
    """Everything about a program that was checked."""
    path = Path(result.file)
    shown = [remark for answer in result.properties for remark in _diagnostics(answer, path)]
    if result.reason:
        shown.append(_diagnostic(0, f"undecided: {result.reason}", DiagnosticSeverity.Warning, "undecided"))
    lenses = tuple(_lens(f"{WORDS[answer.verdict]} {answer.name}", uri) for answer in result.properties)
    return Remarks(tuple(shown), lenses, _values(result, path))


def remarks_on_mistake(error: PincerError) -> Remarks:
    """The one about a program that cannot be read."""
    line = 0 if error.position is None else max(error.position.line - 1, 0)
    column = 0 if error.position is None else max(error.position.column - 1, 0)
    message = escape(error.message)
    return Remarks((_diagnostic(line, message, DiagnosticSeverity.Error, "input", column),))


def remarks_on_library(note: str) -> Remarks:
    """The one about a file that is no program by itself."""
    return Remarks((_diagnostic(0, escape(note), DiagnosticSeverity.Information, "library"),))


def _diagnostics(answer: Answer, path: Path) -> Iterator[Diagnostic]:
    if answer.verdict == "unknown":
        text = f"{answer.name} is undecided: {answer.reason}"
        yield _diagnostic(0, escape(text), DiagnosticSeverity.Information, answer.name)
    if answer.verdict == "unsafe":
        failure = None if answer.violation is None else answer.violation.failure
        line = failure.line - 1 if failure is not None and failure.line and _is(failure, path) else 0
        text = escape(f"{answer.name} is violated: {answer.why}")
        yield _diagnostic(line, text, DiagnosticSeverity.Error, answer.name, related=_related(answer))
    for warning in answer.warnings:
        yield _diagnostic(0, escape(f"{answer.name}: {warning}"), DiagnosticSeverity.Hint, answer.name)


def _related(answer: Answer) -> list[DiagnosticRelatedInformation]:
    """The steps that lead to the violation; of very many the last ones."""
    if answer.violation is None:
        return []
    placed = [step for step in answer.violation.steps if step.line is not None]
    return [
        DiagnosticRelatedInformation(
            Location(Path(step.file).absolute().as_uri(), _line(step.line - 1)), escape(_told(step, answer.violation))
        )
        for step in placed[-_MOST_STEPS:]
        if step.line is not None
    ]


def _values(result: Result, path: Path) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for answer in result.properties:
        if answer.violation is None:
            continue
        for step in answer.violation.steps:
            if step.line is not None and _is(step, path):
                text = f"{answer.name}, {_told(step, answer.violation)}"
                found.setdefault(step.line - 1, []).append(escape(text))
    return found


def _told(step: RunStep, run: ViolatingRun) -> str:
    return ": ".join(filter(None, (f"step {step.number}", run.lane_of(step), str(step))))


def _is(step: RunStep, path: Path) -> bool:
    return Path(step.file).absolute() == path.absolute()


def _lens(title: str, uri: str) -> CodeLens:
    return CodeLens(_line(0), Command(escape(title), CHECK, arguments=[uri]))


def _diagnostic(
    line: int,
    message: str,
    severity: DiagnosticSeverity,
    code: str,
    column: int = 0,
    related: list[DiagnosticRelatedInformation] | None = None,
) -> Diagnostic:
    place = _line(line, column)
    return Diagnostic(place, message, severity, code, source=_SOURCE, related_information=related or None)


def _line(line: int, column: int = 0) -> Range:
    return Range(Position(line, column), Position(line, _END_OF_LINE))
