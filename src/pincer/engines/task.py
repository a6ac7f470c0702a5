"""What an engine answers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from pincer.evidence.c.trace import CTest, InputVector
from pincer.evidence.c_proof.certificate import ProcedureProof
from pincer.evidence.c_proof.paths import Paths
from pincer.evidence.gcl.certificate import Certificate
from pincer.evidence.gcl.trace import Trace
from pincer.evidence.msvl.counterexample import Counterexample
from pincer.program.property import Verdict


@dataclass
class PropertyResult:
    """The answer for one property, with its evidence.

    `statistics` holds at least `iterations`, `predicates`, `states`, `abstract_states`, `queries`; `check` names
    the argument a proof rests on: "exhaustion", "safe-fragment", "inductive-invariant", "over-approximation",
    "strengthening" (ASE) or "bisimulation" (UR).
    """

    name: str
    verdict: Verdict
    engine: str
    reason: str = ""
    check: str | None = None
    time_s: float = 0.0
    statistics: dict[str, Any] = field(default_factory=dict)
    trace: Trace | None = None
    certificate: Certificate | None = None
    test: CTest | None = None
    proofs: tuple[ProcedureProof, ...] = ()
    paths: Paths | None = None
    tests: tuple[InputVector, ...] = ()
    counterexample: Counterexample | None = None
    warnings: list[str] = field(default_factory=list)
