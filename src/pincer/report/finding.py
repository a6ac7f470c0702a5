"""A verdict as it is shown: the engine's answer after its evidence was checked, in plain data.

Findings travel as JSON from the process that analyses to the process that prints: they hold text and numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

from pincer.evidence.violating_run import ViolatingRun
from pincer.program.property import Verdict
from pincer.runtime.codec import plain, typed

if TYPE_CHECKING:
    from pincer.engines.task import PropertyResult


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

    `run` is the counterexample as people are shown it, `trace` the same as `pincer replay` reads it. `assumptions` are
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
    run: ViolatingRun | None = None
    trace: Any = None
    certificate: Any = None
    saved: str | None = None
    assumptions: tuple[str, ...] = ()
    witness: str | None = None
    svcomp: str = "unknown"

    def to_wire(self) -> dict[str, Any]:
        data: dict[str, Any] = plain(self)
        return data

    @staticmethod
    def from_wire(data: Mapping[str, Any]) -> Finding:
        return typed(data, Finding, "finding")

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
