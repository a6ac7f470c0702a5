"""Proofs that a temporal property holds of an MSVL program: a proof about its translation to guarded commands.

The checker translates the program by itself, and the conditions of the property as well; a proof that is about another
program or another property than that is none.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from pincer.errors import PincerError
from pincer.evidence.gcl.checker import CertificateReport
from pincer.evidence.live.certificate import LiveCertificate
from pincer.evidence.live.checker import check_live
from pincer.evidence.live.witness import propositions_text
from pincer.evidence.msvl.guarded import MsvlQuestion, Translated, translated
from pincer.frontends.msvl.program import Program
from pincer.runtime.codec import Format
from pincer.runtime.run import Run

TRANSLATED_HERE = "of guarded commands into which the checker has translated the program"


class MsvlEvidence(Struct, frozen=True):
    """What evidence is about: a program, and a `formula` over `propositions`, which are conditions by their names."""

    file: str
    sha256: str
    property: str
    formula: str
    propositions: Mapping[str, str]

    def question(self) -> MsvlQuestion:
        return MsvlQuestion(self.property, self.formula, self.propositions)

    def translation(self, program: Program, sha256: str, run: Run | None = None) -> Translated:
        """The program as it is now, in guarded commands."""
        if self.sha256 != sha256:
            raise PincerError(f"the evidence was made for another version of {self.file} (its hash differs)")
        return translated(program, sha256, self.question(), run)


class MsvlProof(MsvlEvidence, frozen=True):
    """A proof, as it is kept."""

    proof: LiveCertificate

    def to_json(self) -> dict[str, Any]:
        return FORMAT.data(self)

    def save(self, path: Path) -> None:
        FORMAT.save(path, self)


FORMAT = Format("pincer-msvl-proof-1", "certificate", MsvlProof, ("file", "sha256"))


def check_proof(
    program: Program, sha256: str, given: MsvlProof, solver: str = "cvc5", run: Run | None = None
) -> CertificateReport:
    """Check that the proof is one, and that it is about the property and the program; `Stopped` is raised when the run
    is stopped."""
    made = given.translation(program, sha256, run)
    proof, asked = given.proof, made.asked
    known = propositions_text(made.program, asked)
    if (proof.property, proof.formula, dict(proof.propositions)) != (asked.name, asked.text, known):
        return CertificateReport(False, "the proof is about another property", 0, 0, 0.0, solver)
    return check_live(made.program, proof, solver, run)
