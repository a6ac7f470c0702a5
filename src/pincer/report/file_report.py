"""What is known about one file while it is being checked and after, in plain data: the common ground of all reports."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field
from msgspec.structs import asdict, replace

from pincer import __version__
from pincer.checking.messages import Decided, Event, Explored, MistakeMade, ProgramRead
from pincer.checking.result import Evidence, Result, Safe, Unknown, Unsafe, so_far
from pincer.checking.supervise import Ending, Tick
from pincer.checking.task import Language, language_of
from pincer.errors import Mistake, Position
from pincer.evidence.violating_run import ViolatingRun
from pincer.program.property import Verdict
from pincer.runtime.codec import plain
from pincer.runtime.reasons import Cause, Reason
from pincer.runtime.run import Progress

MOST_POINTS = 300


class Finding(Struct, frozen=True):
    """What is known about one property.

    `cause` tells apart why there is no verdict. `run` is the counterexample as people are shown it, `trace` the same as
    `pincer replay` reads it. `assumptions` are what the verdict rests on beyond the program's text, `svcomp` is the
    verdict as SV-COMP writes it. What was `recalled` comes from a store.
    """

    name: str
    verdict: Verdict
    engine: str
    reason: str = ""
    cause: Cause | None = None
    check: str | None = None
    time_s: float = 0.0
    statistics: Mapping[str, Any] = {}
    warnings: tuple[str, ...] = ()
    evidence: Evidence | None = None
    run: ViolatingRun | None = None
    trace: Any = None
    certificate: Any = None
    saved: str | None = None
    assumptions: tuple[str, ...] = ()
    witness: str | None = None
    svcomp: str = "unknown"
    clauses: tuple[str, ...] = ()
    undefined: Position | None = None
    together: tuple[str, ...] = ()
    recalled: str = ""

    def to_json(self) -> dict[str, Any]:
        """One member of `properties` in the JSON output."""
        return {
            "name": self.name,
            "verdict": self.verdict,
            "engine": self.engine,
            "reason": self.reason,
            "check": self.check,
            "up_to_undefined_behaviour": None if self.undefined is None else self.undefined._asdict(),
            "time_s": round(self.time_s, 6),
            "statistics": dict(self.statistics),
            "warnings": list(self.warnings),
            "assumptions": list(self.assumptions),
            "clauses": list(self.clauses),
            "evidence": asdict(self.evidence) if self.evidence else None,
            "run": None if self.run is None else plain(self.run),
            "trace": self.trace,
            "certificate": self.certificate,
            "from_store": self.recalled or None,
        }


def finding_of(result: Result) -> Finding:
    """A result as it is shown."""
    told = Finding(
        name=result.name,
        verdict=result.verdict,
        engine=result.engine,
        reason=result.summary,
        time_s=result.time_s,
        statistics=dict(result.statistics),
        warnings=result.warnings,
        assumptions=tuple(map(str, result.assumptions)),
        clauses=tuple(dict.fromkeys(item.clause for item in result.assumptions if item.clause)),
        svcomp=result.svcomp,
        recalled=result.recalled,
    )
    match result:
        case Safe():
            proof, witness = result.proof, result.witness
            kept = replace(told, check=result.check, evidence=result.evidence, certificate=proof)
            shown = replace(kept, undefined=result.undefined, together=result.together)
            return replace(shown, saved=result.saved, witness=witness)
        case Unsafe():
            kept = replace(told, evidence=result.evidence, run=result.run, trace=result.trace)
            return replace(kept, saved=result.saved, witness=result.witness)
        case Unknown():
            return replace(told, reason=result.reason.text, cause=result.reason.cause)


class Context(Struct, frozen=True):
    """What a block needs to know about the call: the file as the user named it, the words that name
    the program, and the options.

    `options` are further words of the call that belong to any command about the same program.
    """

    file: str
    options: tuple[str, ...] = ()
    engine: str = "auto"
    timeout: float | None = None
    memory_mb: int | None = None
    verbose: bool = False
    one_of_many: bool = False
    named: tuple[str, ...] = ()

    def command(self, *options: str) -> str:
        words = ["pincer", "check", *(self.named or (self.file,))]
        words += self.options
        if self.engine != "auto" and "--engine" not in options:
            words += ["--engine", self.engine]
        return shlex.join([*words, *options])


class NumbersOverTime:
    """Points in the order of time. When there are too many, every second one is dropped and the gaps double."""

    def __init__(self, most: int = MOST_POINTS) -> None:
        self._most = most
        self._points: list[dict[str, Any]] = []
        self._stride = 1
        self._seen = 0
        self._latest: dict[str, Any] | None = None

    def add(self, seconds: float, engine: str, phase: str, numbers: Mapping[str, int]) -> None:
        """Note the numbers of a moment; what says nothing new is left out."""
        words = f"{engine} {phase}".strip()
        before = self._latest
        if not numbers or (before is not None and before["numbers"] == dict(numbers) and before["phase"] == words):
            return
        self._latest = {"t": round(seconds, 3), "phase": words, "numbers": dict(numbers)}
        if self._seen % self._stride == 0:
            self._points.append(self._latest)
        self._seen += 1
        if len(self._points) >= self._most:
            self._points = self._points[::2]
            self._stride *= 2

    def to_json(self) -> list[dict[str, Any]]:
        """All points kept, and the latest one."""
        latest = self._latest
        return [*self._points, *([latest] if latest is not None and latest is not self._points[-1] else [])]


class FileReport(Struct):
    """Gathers what the analysis tells about a file; `context` says how it was asked for.

    `program` is how the analysis described what it read, None if it could not. `details` are by property, `history` has
    the numbers of the whole, for properties without details.
    """

    context: Context
    program: Mapping[str, Any] | None = None
    names: tuple[str, ...] = ()
    findings: dict[str, Finding] = {}
    mistakes: list[Mistake] = []
    details: dict[str, Mapping[str, Any]] = {}
    history: NumbersOverTime = field(default_factory=NumbersOverTime)
    ending: Ending = field(default_factory=Ending)

    @property
    def file(self) -> str:
        """What the user named."""
        return self.context.file

    @property
    def source(self) -> str:
        """The file of the program's text: the same, or what a task names."""
        return str((self.program or {}).get("file", self.file))

    @property
    def sources(self) -> tuple[str, ...]:
        """All files of the program."""
        return tuple((self.program or {}).get("files", (self.source,)))

    @property
    def sha256(self) -> str:
        """Of the program's text, empty when it could not be read."""
        return str((self.program or {}).get("sha256", ""))

    @property
    def language(self) -> Language:
        return language_of(self.source)

    def note(self, event: Event | Tick) -> None:
        """Take in what was told, and how the numbers grow."""
        match event:
            case Tick(Progress() as progress, _, elapsed):
                self.history.add(elapsed, progress.engine, progress.phase, progress.numbers)
            case ProgramRead(program, properties):
                self.program, self.names = program, properties
            case Decided(result):
                self.findings[result.name] = finding_of(result)
            case Explored(name, details):
                self.details[name] = details
            case MistakeMade(mistake):
                self.mistakes.append(mistake)

    def finish(self, ending: Ending) -> None:
        """Nothing stays open: what has no answer by now is undecided, and the reason is known."""
        self.ending = ending
        if ending.died:
            self.mistakes.append(Mistake("internal", ending.died, self.file))
        said = self.mistakes[-1].message if self.mistakes else ""
        reason = ending.stopped or Reason(said)
        if self.program is None and not self.mistakes:
            self.mistakes.append(Mistake("undecided", f"{reason} before the program was read", self.file))
        for name in self.names:
            if name not in self.findings:
                self.findings[name] = self._open(name, reason)

    def _open(self, name: str, reason: Reason) -> Finding:
        """A property nobody decided, with the last numbers the engine published."""
        progress = self.ending.progress or Progress("", "", {})
        result = Unknown(
            name=name,
            engine=progress.engine or self.context.engine,
            reason=reason if reason.text else Reason("the engine gave no answer"),
            time_s=self.ending.elapsed,
            statistics=so_far(progress.numbers),
        )
        return finding_of(result)

    def lighten(self) -> None:
        """Let go of evidence and numbers that nobody will ask for, so that a run over many files stays small."""
        for name, finding in self.findings.items():
            run = None if finding.run is None else replace(finding.run, steps=())
            light = replace(finding, run=run, trace=None, certificate=None, statistics={}, warnings=(), assumptions=())
            # Of what holds, only that it does is told again.
            self.findings[name] = Finding(name, "safe", finding.engine) if finding.verdict == "safe" else light
        self.details.clear()
        self.history = NumbersOverTime()

    def svcomp(self) -> str:
        """The verdict of the whole file as SV-COMP writes it."""
        verdicts = [finding.svcomp for finding in self.findings.values()]
        violated = [verdict for verdict in verdicts if verdict.startswith("false")]
        if violated:
            return violated[0]
        return "true" if verdicts and set(verdicts) == {"true"} else "unknown"

    def ordered(self) -> list[Finding]:
        """What has been found: the properties as the program states them, then those it does not state."""
        names = [*self.names, *(name for name in self.findings if name not in self.names)]
        return [self.findings[name] for name in names if name in self.findings]

    def to_json(self) -> dict[str, Any]:
        """The object of `--format json`."""
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
