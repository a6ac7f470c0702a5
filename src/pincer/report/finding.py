"""A verdict as it is shown: the engine's answer after its evidence was checked, in plain data.

Findings travel as JSON from the process that analyses to the process that prints: they hold text and numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

from pincer.program.property import Verdict

if TYPE_CHECKING:
    from pincer.engines.task import PropertyResult
    from pincer.evidence.gcl.trace import Trace
    from pincer.program.guarded import GuardedProgram


@dataclass(frozen=True, slots=True)
class TraceRow:
    """One line of a counterexample: the transition taken and what it changed. Row 0 is the initial state."""

    step: int
    process: str
    transition: str
    line: int | None
    changes: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class CodeRow:
    """One line of source that an execution passed, indented by `depth` calls, and what it changed.

    `note` says what else there is to say: the side a decision took, or what goes wrong. A row with `rounds` stands for
    that many repetitions of lines that are left out.
    """

    depth: int
    place: str
    text: str
    changes: tuple[tuple[str, str], ...] = ()
    note: str = ""
    rounds: int = 0


@dataclass(frozen=True, slots=True)
class Evidence:
    """Who confirmed the verdict, and at what cost.

    `replay`: the interpreter of guarded commands. `execution`: compiled code; `interpreter`: compiled code did not, and
    `remark` says why not. `proof`: the proof checker with its solver. `command` repeats an execution.
    """

    kind: Literal["replay", "execution", "interpreter", "proof", "unchecked proof"]
    solver: str | None = None
    obligations: int = 0
    time_s: float = 0.0
    remark: str = ""
    command: str = ""

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Finding:
    """What is known about one property.

    `rows` show the counterexample of a model; `failure`, `inputs` and `code` that of a C program, or `lanes`, ready to
    be printed, if it has threads. `assumptions` are
    what the verdict rests on beyond the program's text, `svcomp` is the verdict as SV-COMP writes it.
    """

    name: str
    verdict: Verdict
    engine: str
    reason: str = ""
    check: str | None = None
    time_s: float = 0.0
    statistics: Mapping[str, Any] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    evidence: Evidence | None = None
    rows: tuple[TraceRow, ...] = ()
    trace: Any = None
    certificate: Any = None
    saved: str | None = None
    assumptions: tuple[str, ...] = ()
    failure: str = ""
    inputs: tuple[str, ...] = ()
    code: tuple[CodeRow, ...] = ()
    lanes: tuple[str, ...] = ()
    witness: str | None = None
    svcomp: str = "unknown"

    def to_wire(self) -> dict[str, Any]:
        return asdict(self)

    @staticmethod
    def from_wire(data: Mapping[str, Any]) -> Finding:
        evidence = data["evidence"]
        return Finding(
            **{
                **data,
                "warnings": tuple(data["warnings"]),
                "assumptions": tuple(data["assumptions"]),
                "inputs": tuple(data["inputs"]),
                "lanes": tuple(data["lanes"]),
                "evidence": Evidence(**evidence) if evidence else None,
                "rows": tuple(TraceRow(**{**row, "changes": _changes(row)}) for row in data["rows"]),
                "code": tuple(CodeRow(**{**row, "changes": _changes(row)}) for row in data["code"]),
            }
        )

    def to_json(self) -> dict[str, Any]:
        """One member of `properties` in the JSON output."""
        return {
            "name": self.name,
            "verdict": self.verdict,
            "engine": self.engine,
            "reason": self.reason,
            "check": self.check,
            "time_s": round(self.time_s, 6),
            "statistics": dict(self.statistics),
            "warnings": list(self.warnings),
            "assumptions": list(self.assumptions),
            "evidence": self.evidence.to_json() if self.evidence else None,
            "trace": self.trace,
            "certificate": self.certificate,
        }


def _changes(row: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    return tuple((name, value) for name, value in row["changes"])


def finding_of(result: PropertyResult) -> Finding:
    """The engine's answer, its evidence not yet looked at."""
    return Finding(
        name=result.name,
        verdict=result.verdict,
        engine=result.engine,
        reason=result.reason,
        check=result.check,
        time_s=result.time_s,
        statistics=dict(result.statistics),
        warnings=tuple(result.warnings),
    )


def so_far(numbers: Mapping[str, int]) -> dict[str, int]:
    """Statistics of an unfinished analysis, from the progress it published."""
    return {"iterations" if name == "iteration" else name: value for name, value in numbers.items()}


def undecided(finding: Finding, reason: str) -> Finding:
    """The same finding without its verdict: evidence that does not check is no evidence."""
    return replace(finding, verdict="unknown", reason=reason, check=None, evidence=None)


def trace_rows(program: GuardedProgram, trace: Trace) -> tuple[TraceRow, ...]:
    """The counterexample in the user's terms: names, lines and values as they are written in the source."""
    return tuple(_rows(program, trace))


def _rows(program: GuardedProgram, trace: Trace) -> Iterator[TraceRow]:
    from pincer.program.guarded import value_text

    types = {variable.name: variable.type for variable in program.variables}
    transitions = {transition.name: transition for transition in program.transitions}
    texts = {name: value_text(type_, trace.initial[name]) for name, type_ in types.items()}
    yield TraceRow(0, "", "", None, tuple(texts.items()))
    before = trace.initial
    for number, step in enumerate(trace.steps, start=1):
        transition = transitions[step.transition]
        changes = tuple(
            (name, value_text(type_, step.state[name]))
            for name, type_ in types.items()
            if step.state[name] != before[name]
        )
        yield TraceRow(number, transition.process or "", transition.name, transition.position.line, changes)
        before = step.state
