"""Claims of engines taken apart, and engines asked about programs, for tests."""

from __future__ import annotations

from collections.abc import Sequence

from pincer.engines.guarded.analysis import GuardedSettings
from pincer.engines.guarded.verify import verify
from pincer.engines.task import Claim, EngineTask, Open, Proved, Refuted, Triples
from pincer.engines.threads.front import check as search
from pincer.engines.threads.task import ThreadOptions
from pincer.evidence.c.trace import CTest
from pincer.evidence.c_proof.certificate import ProcedureProof
from pincer.evidence.c_proof.paths import Paths
from pincer.evidence.gcl.certificate import Certificate
from pincer.evidence.gcl.trace import Trace
from pincer.evidence.msvl.counterexample import Counterexample
from pincer.program.control_flow import ControlFlowProgram
from pincer.program.guarded import GuardedProgram
from pincer.program.property import PropertyKind
from pincer.runtime.run import Run

PLAIN = GuardedSettings()
UR = GuardedSettings("ur")


def reason_of(claim: Claim) -> str:
    """Why a property is open, empty for a verdict."""
    return str(claim.reason) if isinstance(claim, Open) else ""


def check_of(claim: Claim) -> str | None:
    return claim.check if isinstance(claim, Proved) else None


def trace_of(claim: Claim) -> Trace | None:
    return claim.run if isinstance(claim, Refuted) and isinstance(claim.run, Trace) else None


def failing_test_of(claim: Claim) -> CTest:
    assert isinstance(claim, Refuted) and isinstance(claim.run, CTest), reason_of(claim)
    return claim.run


def counterexample_of(claim: Claim) -> Counterexample | None:
    return claim.run if isinstance(claim, Refuted) and isinstance(claim.run, Counterexample) else None


def certificate_of(claim: Claim) -> Certificate | None:
    return claim.proof if isinstance(claim, Proved) and isinstance(claim.proof, Certificate) else None


def triples_of(claim: Claim) -> tuple[ProcedureProof, ...]:
    return claim.proof.proofs if isinstance(claim, Proved) and isinstance(claim.proof, Triples) else ()


def paths_of(claim: Claim) -> Paths | None:
    return claim.proof if isinstance(claim, Proved) and isinstance(claim.proof, Paths) else None


def guarded_claims(
    program: GuardedProgram, settings: GuardedSettings = PLAIN, properties: Sequence[str] = (), run: Run | None = None
) -> list[Claim]:
    """What ASE or UR claims about a program, in the order it is claimed."""
    return list(verify(EngineTask(program, tuple(properties), settings), run or Run()))


def thread_claims(
    program: ControlFlowProgram, kinds: Sequence[PropertyKind], run: Run, options: ThreadOptions | None = None
) -> list[Claim]:
    """What searches over schedules claim about a program."""
    return list(search(EngineTask(program, tuple(kinds), options or ThreadOptions()), run))
