"""A verdict as it is shown: the engine's answer after its evidence was checked, in plain data.

Findings hold text and numbers: they are what results say to people.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from pincer.checking.result import Evidence, Result, Safe, Unknown, Unsafe
from pincer.evidence.violating_run import ViolatingRun
from pincer.program.property import Verdict
from pincer.runtime.codec import plain
from pincer.runtime.reasons import Cause


@dataclass(frozen=True, slots=True)
class Finding:
    """What is known about one property.

    `cause` tells apart why there is no verdict. `run` is the counterexample as people are shown it, `trace` the same as
    `pincer replay` reads it. `assumptions` are what the verdict rests on beyond the program's text, `svcomp` is the
    verdict as SV-COMP writes it.
    """

    name: str
    verdict: Verdict
    engine: str
    reason: str = ""
    cause: Cause | None = None
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
            "evidence": asdict(self.evidence) if self.evidence else None,
            "run": None if self.run is None else plain(self.run),
            "trace": self.trace,
            "certificate": self.certificate,
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
        svcomp=result.svcomp,
    )
    match result:
        case Safe():
            proof, witness = result.proof, result.witness
            kept = replace(told, check=result.check, evidence=result.evidence, certificate=proof)
            return replace(kept, saved=result.saved, witness=witness)
        case Unsafe():
            kept = replace(told, evidence=result.evidence, run=result.run, trace=result.trace)
            return replace(kept, saved=result.saved, witness=result.witness)
        case Unknown():
            return replace(told, reason=result.reason.text, cause=result.reason.cause)
