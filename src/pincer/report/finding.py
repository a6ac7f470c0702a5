"""A verdict as it is shown: the engine's answer after its evidence was checked, in plain data.

Findings travel as JSON from the process that analyses to the process that prints: they hold text and numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

from pincer.program.guarded import GuardedProgram, value_text

if TYPE_CHECKING:
    from pincer.engines.task import PropertyResult
    from pincer.evidence.trace import Trace

Verdict = Literal["safe", "unsafe", "unknown"]


@dataclass(frozen=True, slots=True)
class TraceRow:
    """One line of a counterexample: the transition taken and what it changed. Row 0 is the initial state."""

    step: int
    process: str
    transition: str
    line: int | None
    changes: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Evidence:
    """Who confirmed the verdict, and at what cost: the interpreter, or the proof checker with its solver."""

    kind: Literal["replay", "proof", "unchecked proof"]
    solver: str | None = None
    obligations: int = 0
    time_s: float = 0.0
    remark: str = ""

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Finding:
    """What is known about one property."""

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

    def to_wire(self) -> dict[str, Any]:
        return asdict(self)

    @staticmethod
    def from_wire(data: Mapping[str, Any]) -> Finding:
        evidence = data["evidence"]
        rows = tuple(
            TraceRow(**{**row, "changes": tuple((name, value) for name, value in row["changes"])})
            for row in data["rows"]
        )
        return Finding(
            **{
                **data,
                "warnings": tuple(data["warnings"]),
                "evidence": Evidence(**evidence) if evidence else None,
                "rows": rows,
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
            "evidence": self.evidence.to_json() if self.evidence else None,
            "trace": self.trace,
            "certificate": self.certificate,
        }


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
