"""What an engine is asked, and what it claims. Every engine is a function of a task and a run.

A claim is not an answer yet: whoever asked has its evidence confirmed first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeAlias, TypeVar

from msgspec import Struct

from pincer.errors import Position
from pincer.evidence.c.trace import CTest, InputVector
from pincer.evidence.c_proof.certificate import ProcedureProof
from pincer.evidence.c_proof.cut_point_claim import CutPointProof
from pincer.evidence.c_proof.endless_claim import EndlessRun
from pincer.evidence.c_proof.merged_claim import MergedProof
from pincer.evidence.c_proof.paths import Paths
from pincer.evidence.gcl.certificate import Certificate
from pincer.evidence.gcl.trace import Trace
from pincer.evidence.live.certificate import LiveCertificate
from pincer.evidence.live.trace import LiveTrace, Recurrence
from pincer.evidence.thread_proof.certificate import ThreadCertificate
from pincer.evidence.threads.trace import ThreadedTest
from pincer.program.property import Assumption, Verdict
from pincer.runtime.reasons import Reason
from pincer.runtime.run import Run

if TYPE_CHECKING:
    # With the front ends of MSVL and of guarded commands, a fifth of the time that starting takes.
    from pincer.evidence.msvl.counterexample import Counterexample
    from pincer.evidence.msvl.proofs import MsvlProof
    from pincer.evidence.msvl.rounds import MsvlRounds

Program = TypeVar("Program")
Asked = TypeVar("Asked")
Settings = TypeVar("Settings")


class EngineTask(Struct, Generic[Program, Asked, Settings], frozen=True):
    """Properties to decide of a program, with what this engine can be told.

    With `explain`, claims carry what was explored."""

    program: Program
    asked: tuple[Asked, ...]
    settings: Settings
    explain: bool = False


class Triples(Struct, frozen=True):
    """A proof of a C program by triples, that of its entry procedure first."""

    proofs: tuple[ProcedureProof, ...]


class Exhaustion(Struct, frozen=True):
    """Nothing was left out of an exploration; there is no proof that others could check."""


Proof: TypeAlias = """(
    Certificate
    | LiveCertificate
    | MsvlProof
    | Triples
    | Paths
    | MergedProof
    | CutPointProof
    | ThreadCertificate
    | Exhaustion
)"""
FailingRun: TypeAlias = (
    "Trace | LiveTrace | Recurrence | CTest | EndlessRun | ThreadedTest | Counterexample | MsvlRounds"
)


class Claim(Struct, frozen=True, kw_only=True):
    """What an engine says about one property: `Proved`, `Refuted` or `Open`.

    `statistics` holds at least `iterations`, `predicates`, `states`, `abstract_states`, `queries` for guarded
    commands. `tests` are inputs worth trying again. `explored` is what readers may want to look at: each engine has its
    own form of it.
    """

    verdict: ClassVar[Verdict]

    name: str
    engine: str
    summary: str = ""
    time_s: float = 0.0
    statistics: Mapping[str, Any] = {}
    warnings: tuple[str, ...] = ()
    assumptions: tuple[Assumption, ...] = ()
    tests: tuple[InputVector, ...] = ()
    explored: Any = None

    @property
    def said(self) -> str:
        """What the engine says in a sentence."""
        return self.summary


class Proved(Claim, frozen=True, kw_only=True):
    """The property holds. `check` names the argument that the proof rests on: "exhaustion", "safe-fragment",
    "inductive-invariant", "over-approximation", "strengthening", "backward", "clauses", "spacer" (ASE), "bisimulation"
    (UR), "paths", "merged", "regions", "simulation", "ranks" (C), "schedules", "outline", "product" (threads), "runs"
    (MSVL), "components", "ranking" or "invariant" (temporal properties). A test has met `undefined` behaviour there."""

    verdict: ClassVar[Verdict] = "safe"

    proof: Proof
    check: str
    undefined: Position | None = None


class Refuted(Claim, frozen=True, kw_only=True):
    """The property is violated by an execution."""

    verdict: ClassVar[Verdict] = "unsafe"

    run: FailingRun


class Open(Claim, frozen=True, kw_only=True):
    """The property is not decided."""

    verdict: ClassVar[Verdict] = "unknown"

    reason: Reason

    @property
    def said(self) -> str:
        return self.reason.text


Engine: TypeAlias = Callable[[EngineTask[Program, Asked, Settings], Run], Iterator[Claim]]
