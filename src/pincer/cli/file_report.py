"""What is known about one file while `pincer check` looks at it, printed as soon as the order allows."""

from __future__ import annotations

import argparse
import json
import shlex
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pincer import __version__
from pincer.checking.supervise import Ending, Event
from pincer.cli.arguments import c_words, define_words
from pincer.report.details import History
from pincer.report.finding import Finding, so_far
from pincer.report.mistakes import Mistake, mistake_lines
from pincer.report.progress import ProgressLine
from pincer.report.terminal import look_of, write_lines
from pincer.report.verdicts import Context, quiet_line, verdict_lines


@dataclass
class FileReport:
    """What is known about one file; text appears as soon as the order of the properties allows."""

    file: str
    args: argparse.Namespace
    line: ProgressLine
    program: Mapping[str, Any] | None = None
    names: list[str] = field(default_factory=list)
    findings: dict[str, Finding] = field(default_factory=dict)
    mistakes: list[Mistake] = field(default_factory=list)
    details: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    history: History = field(default_factory=History)
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
            case "details":
                self.details[event["name"]] = {key: event[key] for key in event if key not in ("event", "name")}
            case "mistake":
                self.add_mistake(Mistake(**{key: event[key] for key in event if key != "event"}))

    def on_tick(self, progress: Event | None, memory_mb: float, elapsed: float) -> None:
        """Draw the live line, and note how the numbers grow."""
        self.line.draw(progress, memory_mb, elapsed)
        if progress is not None:
            self.history.add(elapsed, progress["engine"], progress["phase"], progress["numbers"])

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

    def svcomp(self) -> str:
        """The verdict of the whole file as SV-COMP writes it."""
        verdicts = [finding.svcomp for finding in self.findings.values()]
        violated = [verdict for verdict in verdicts if verdict.startswith("false")]
        if violated:
            return violated[0]
        return "true" if verdicts and set(verdicts) == {"true"} else "unknown"

    def _print_ready(self, everything: bool = False) -> None:
        if self.args.format != "text":
            return
        for name in self._order():
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
            write_lines(sys.stdout, gap + verdict_lines(finding, self.context(), look))
        self._printed.append(finding.name)

    def _order(self) -> list[str]:
        """The properties as the program states them, then those it does not state."""
        return [*self.names, *(name for name in self.findings if name not in self.names)]

    def ordered(self) -> list[Finding]:
        """What has been found, in the order of the properties."""
        return [self.findings[name] for name in self._order() if name in self.findings]

    def context(self) -> Context:
        """What a verdict needs to know about the call."""
        several = len(self.args.path) > 1 or Path(self.args.path[0]).is_dir()
        return Context(
            file=self.file,
            defines=define_words(self.args.define),
            options=c_words(self.args),
            engine=self.args.engine,
            timeout=self.args.timeout,
            memory_mb=self.args.memory,
            verbose=self.args.verbose,
            one_of_many=several,
        )

    def _to_json(self) -> dict[str, Any]:
        result: dict[str, Any] = {
            "tool": "pincer",
            "version": __version__,
            "file": self.file,
            "program": self.program,
            "properties": [finding.to_json() for finding in self.ordered()],
        }
        if self.mistakes:
            result["error"] = self.mistakes[-1].to_json()
        return result


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


def call_text(file: str, args: argparse.Namespace) -> str:
    """The call about one file, for the record in witnesses."""
    return shlex.join(["pincer", "check", file, *c_words(args)])


def call_of(args: argparse.Namespace) -> str:
    """The whole call, without options that only say where output goes."""
    engine = [] if args.engine == "auto" else ["--engine", args.engine]
    defines = [word for define in define_words(args.define) for word in ("-D", define)]
    return shlex.join(["pincer", "check", *args.path, *engine, *defines, *c_words(args)])
