"""What a check of several programs prints while it runs: each program's answers together, in the order of the programs.

Programs are decided side by side. The first one that is not finished is printed as it goes, what is known about later
ones waits for its turn.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from pincer.checking.messages import Decided, MistakeMade
from pincer.checking.supervise import Ending, News, Tick
from pincer.report.file_report import FileReport, Finding
from pincer.report.mistakes import mistake_lines
from pincer.report.terminal import Look, ProgressLine, look_of, write_lines
from pincer.report.verdicts import (
    closing_lines,
    is_alike,
    joined,
    quiet_line,
    repeated_lines,
    summary_line,
    verdict_lines,
)


class PrintedForm(Struct, frozen=True):
    """How programs are printed: the format, whether in a line each, with SV-COMP's verdicts; `keep` says that all of
    their evidence is needed at the end."""

    format: str
    quiet: bool = False
    svcomp: bool = False
    keep: bool = True

    @property
    def has_blocks(self) -> bool:
        return self.format == "text" and not self.quiet


class PrintedRun(Struct):
    """All programs of a call; `reports` are those that were begun, in their order."""

    form: PrintedForm
    total: int
    reports: list[FileReport] = []
    _turn: int = 0
    _finished: set[int] = set()
    _programs: dict[int, PrintedProgram] = {}

    def begin(self, report: FileReport) -> None:
        """One more program, which comes behind those that were begun before."""
        number = len(self.reports)
        self.reports.append(report)
        label = Path(report.file).name
        if self.total > 1:
            label = f"{number + 1} of {self.total}  {label}"
        self._programs[number] = PrintedProgram(report, self.form, label)

    def note(self, number: int, news: News) -> None:
        """Take in what was told about a program."""
        program = self._programs[number]
        if isinstance(news, Ending):
            program.report.finish(news)
            self._finished.add(number)
            self._take_turns()
        else:
            program.report.note(news)
            if number == self._turn:
                program.print_news(news)

    def _take_turns(self) -> None:
        """Print the programs that are finished, up to the first that is not, and what is known about that one."""
        while self._turn in self._finished:
            program = self._programs.pop(self._turn)
            program.print_rest()
            if not self.form.keep:
                program.report.lighten()
            self._finished.remove(self._turn)
            self._turn += 1
            if self._turn < self.total and self.form.has_blocks and not program.report.ending.interrupted:
                write_lines(sys.stdout, [""])
        if self._turn in self._programs:
            self._programs[self._turn].print_ready()

    def sum_up(self, elapsed: float) -> None:
        """What is said at the end about all programs together."""
        if len(self.reports) > 1 and not self.form.quiet:
            write_lines(sys.stdout, closing_lines(self.reports, look_of(sys.stdout)))
        findings = [finding for report in self.reports for finding in report.findings.values()]
        if len(findings) > 1:
            gap = [] if self.form.quiet else [""]
            write_lines(sys.stdout, [*gap, summary_line(findings, len(self.reports), elapsed)])
        unusable = sum(not report.findings for report in self.reports)
        if unusable and len(self.reports) > 1:
            write_lines(sys.stdout, [f"{unusable} of {len(self.reports)} files could not be checked"])
        skipped = self.total - len(self.reports)
        if skipped:
            were = "file was" if skipped == 1 else "files were"
            write_lines(sys.stdout, [f"interrupted: {skipped} further {were} not looked at"])


class PrintedProgram(Struct):
    """Prints what becomes known about one program: text as soon as the order of the properties allows, JSON at the
    end."""

    report: FileReport
    form: PrintedForm
    label: str
    _line: ProgressLine | None = None
    _printed: list[Finding] = []
    _complaints: int = 0

    @property
    def line(self) -> ProgressLine:
        if self._line is None:
            self._line = ProgressLine(sys.stderr, self.label, enabled=not self.form.quiet)
        return self._line

    def print_news(self, news: News) -> None:
        match news:
            case Tick(progress, memory_mb, elapsed):
                self.line.draw(progress, memory_mb, elapsed)
            case Decided():
                self.print_ready()
            case MistakeMade():
                self._complain()

    def print_rest(self) -> None:
        self.line.clear()
        self._complain()
        if self.form.format == "json":
            write_lines(sys.stdout, [json.dumps(self.report.to_json())])
        self.print_ready(everything=True)
        if self.form.svcomp:
            write_lines(sys.stdout, [f"SV-COMP result: {self.report.svcomp()}"])

    def print_ready(self, everything: bool = False) -> None:
        """Print findings in their order, up to the first property that has none."""
        self._complain()
        if self.form.format != "text":
            return
        found = self.report.ordered()
        if not everything:
            known = [finding.name for finding in found]
            missing = next((i for i, name in enumerate(self.report.names) if name not in known), len(found))
            found = found[:missing]
        names = {finding.name for finding in found}
        complete = [finding for finding in found if names.issuperset(finding.together)]
        for finding in complete if self.form.quiet else joined(complete):
            if all(finding.name != told.name for told in self._printed):
                self._print(finding)

    def _complain(self) -> None:
        """Print the mistakes since the last time."""
        for mistake in self.report.mistakes[self._complaints :]:
            self.line.clear()
            write_lines(sys.stderr, mistake_lines(mistake, look_of(sys.stderr), self.report.context.verbose))
        self._complaints = len(self.report.mistakes)

    def _print(self, finding: Finding) -> None:
        self.line.clear()
        look = look_of(sys.stdout)
        if self.form.quiet:
            write_lines(sys.stdout, [quiet_line(finding, self.report.file, look)])
        else:
            gap = [""] if self._printed else []
            write_lines(sys.stdout, gap + self._block(finding, look))
        self._printed.append(replace(finding, run=None, trace=None, certificate=finding.certificate and True))

    def _block(self, finding: Finding, look: Look) -> list[str]:
        context = self.report.context
        known = None if context.verbose else next((told for told in self._printed if is_alike(told, finding)), None)
        return verdict_lines(finding, context, look) if known is None else repeated_lines(finding, known, context, look)
