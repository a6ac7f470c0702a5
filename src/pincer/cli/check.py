"""`pincer check`: decide properties, confirm the evidence, print the verdicts."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pincer import __version__
from pincer.cli.arguments import add_defines, add_limits, add_loudness, define_words, defines_of
from pincer.cli.supervise import Ending, Event, Limits, supervise
from pincer.errors import PincerError
from pincer.report.finding import Finding, so_far
from pincer.report.mistakes import Mistake, mistake_lines
from pincer.report.progress import ProgressLine
from pincer.report.terminal import look_of, write_lines
from pincer.report.verdicts import Context, quiet_line, summary_line, verdict_lines

_EPILOG = """\
Every violation is executed again by an interpreter, and every proof is accepted
by an independent checker, before it is printed.

--format json prints one object per file, each on a line of its own:
  {"tool", "version", "file", "program": {"file", "sha256", "constants"},
   "properties": [{"name", "verdict": "safe"|"unsafe"|"unknown", "engine",
     "reason", "check", "time_s", "statistics", "warnings", "evidence",
     "trace", "certificate"}]}
A file that cannot be used has "error": {"kind", "message", "line", "column"}.

exit status: 0 every property holds, 1 some property is violated, 2 some input
or the call is wrong, 3 undecided or interrupted
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = _EPILOG
    parser.add_argument("path", metavar="FILE_OR_DIR", nargs="+", help="a .gcl program, or a folder of them")
    parser.add_argument(
        "--property",
        metavar="NAME",
        action="append",
        default=[],
        help="check this property only (repeatable)",
    )
    parser.add_argument("--engine", choices=["auto", "ase", "ur"], default="auto", help="default: auto")
    parser.add_argument("--paper", action="store_true", help="explore and refine by the published rules")
    add_limits(parser)
    add_defines(parser)
    parser.add_argument("--format", choices=["text", "json"], default="text", help="default: text")
    parser.add_argument("--certificate", metavar="OUT.json", help="write the proof here (one FILE only)")
    parser.add_argument("--witness", metavar="OUT.json", help="write the counterexample here (one FILE only)")
    parser.add_argument("--no-certify", action="store_true", help="do not check proofs")
    parser.add_argument("--solver", choices=["cvc5", "z3"], default="cvc5", help="of the checker; default: cvc5")
    add_loudness(parser)


def run(args: argparse.Namespace) -> int:
    started = time.monotonic()
    files = input_files(args.path)
    if len(files) > 1 and (args.certificate or args.witness):
        raise PincerError("--certificate and --witness need exactly one FILE: each names one output file")
    reports: list[_FileReport] = []
    for index, file in enumerate(files):
        if index and args.format == "text" and not args.quiet:
            write_lines(sys.stdout, [""])
        reports.append(_check_file(file, args))
        if reports[-1].ending.interrupted:
            break
    if args.format == "text":
        _conclude(files, reports, time.monotonic() - started)
    return _exit_status(reports)


def input_files(paths: Sequence[str]) -> list[str]:
    """The programs named in the call; a folder stands for all .gcl files below it, in alphabetical order."""
    files: list[str] = []
    for text in paths:
        path = Path(text)
        if path.is_dir():
            below = sorted(str(item) for item in path.rglob("*.gcl") if item.is_file())
            if not below:
                raise PincerError(f"there is no .gcl file below {text}")
            files += below
        else:
            files.append(text)
    return list(dict.fromkeys(files))


@dataclass
class _FileReport:
    """What is known about one file; text appears as soon as the order of the properties allows."""

    file: str
    args: argparse.Namespace
    line: ProgressLine
    program: dict[str, Any] | None = None
    names: list[str] = field(default_factory=list)
    findings: dict[str, Finding] = field(default_factory=dict)
    mistakes: list[Mistake] = field(default_factory=list)
    ending: Ending = field(default_factory=Ending)
    _printed: list[str] = field(default_factory=list)

    def on_event(self, event: Event) -> None:
        match event["event"]:
            case "program":
                self.program, self.names = event["program"], event["properties"]
            case "finding":
                finding = Finding.from_wire({key: event[key] for key in event if key != "event"})
                self.findings[finding.name] = finding
                self._print_ready()
            case "mistake":
                self.add_mistake(Mistake(**{key: event[key] for key in event if key != "event"}))

    def add_mistake(self, mistake: Mistake) -> None:
        self.mistakes.append(mistake)
        self.line.clear()
        write_lines(sys.stderr, mistake_lines(mistake, look_of(sys.stderr), self.args.verbose))

    def finish(self, ending: Ending) -> None:
        """Nothing stays open: what has no answer by now is undecided, and the reason is known."""
        self.ending = ending
        if ending.died:
            self.add_mistake(Mistake("internal", ending.died, self.file))
        reason = ending.stopped or (self.mistakes[-1].message if self.mistakes else "")
        if self.program is None and not self.mistakes:
            self.add_mistake(Mistake("unsupported", f"{reason} before the program was read", self.file))
        for name in self.names:
            if name not in self.findings:
                self.findings[name] = _open_finding(name, reason, ending, self.args.engine)
        if self.args.format == "json":
            write_lines(sys.stdout, [json.dumps(self._to_json())])
        else:
            self._print_ready(everything=True)

    def _print_ready(self, everything: bool = False) -> None:
        if self.args.format == "json":
            return
        order = [*self.names, *(name for name in self.findings if name not in self.names)]
        for name in order:
            if name in self._printed:
                continue
            if name not in self.findings:
                if not everything:
                    break
                continue
            self._print(self.findings[name])

    def _print(self, finding: Finding) -> None:
        self.line.clear()
        look = look_of(sys.stdout)
        if self.args.quiet:
            write_lines(sys.stdout, [quiet_line(finding, self.file, look)])
        else:
            gap = [""] if self._printed else []
            write_lines(sys.stdout, gap + verdict_lines(finding, _context(self.file, self.args), look))
        self._printed.append(finding.name)

    def _to_json(self) -> dict[str, Any]:
        order = [*self.names, *(name for name in self.findings if name not in self.names)]
        result: dict[str, Any] = {
            "tool": "pincer",
            "version": __version__,
            "file": self.file,
            "program": self.program,
            "properties": [self.findings[name].to_json() for name in order],
        }
        if self.mistakes:
            result["error"] = self.mistakes[-1].to_json()
        return result


def _check_file(file: str, args: argparse.Namespace) -> _FileReport:
    request = {
        "job": "check",
        "file": file,
        "define": defines_of(args.define),
        "property": args.property,
        "engine": args.engine,
        "paper": args.paper,
        "certify": not args.no_certify,
        "solver": args.solver,
        "certificate": args.certificate,
        "witness": args.witness,
    }
    line = ProgressLine(sys.stderr, Path(file).name, enabled=not args.quiet)
    report = _FileReport(file, args, line)
    ending = supervise(request, Limits(args.timeout, args.memory), report.on_event, line.draw, args.verbose)
    line.clear()
    report.finish(ending)
    return report


def _open_finding(name: str, reason: str, ending: Ending, engine: str) -> Finding:
    """A property nobody decided, with the last numbers the engine published."""
    progress = ending.progress or {}
    return Finding(
        name=name,
        verdict="unknown",
        engine=progress.get("engine") or engine,
        reason=reason or "the engine gave no answer",
        time_s=ending.elapsed,
        statistics=so_far(progress.get("numbers", {})),
    )


def _context(file: str, args: argparse.Namespace) -> Context:
    several = len(args.path) > 1 or Path(args.path[0]).is_dir()
    return Context(
        file=file,
        defines=define_words(args.define),
        engine=args.engine,
        timeout=args.timeout,
        memory_mb=args.memory,
        verbose=args.verbose,
        one_of_many=several,
    )


def _conclude(files: Sequence[str], reports: Sequence[_FileReport], elapsed: float) -> None:
    findings = [finding for report in reports for finding in report.findings.values()]
    if len(findings) > 1:
        gap = [] if reports[-1].args.quiet else [""]
        write_lines(sys.stdout, [*gap, summary_line(findings, len(reports), elapsed)])
    skipped = len(files) - len(reports)
    if skipped:
        were = "file was" if skipped == 1 else "files were"
        write_lines(sys.stdout, [f"interrupted: {skipped} further {were} not looked at"])


def _exit_status(reports: Sequence[_FileReport]) -> int:
    """Wrong input outweighs a violation, and a violation an open question; an interrupt leaves all open."""
    if any(report.ending.interrupted for report in reports):
        return 3
    kinds = {mistake.kind for report in reports for mistake in report.mistakes}
    verdicts = {finding.verdict for report in reports for finding in report.findings.values()}
    if "error" in kinds:
        return 2
    if "unsafe" in verdicts:
        return 1
    return 3 if kinds or "unknown" in verdicts else 0
