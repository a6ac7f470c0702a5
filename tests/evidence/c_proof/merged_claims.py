"""Claims of merged execution written by hand, as generous as one likes: nothing in them is believed."""

from __future__ import annotations

from pathlib import Path

from pincer.evidence.c_proof.asking import Budget
from pincer.evidence.c_proof.certificate import ProofCertificate
from pincer.evidence.c_proof.checker import CheckResult, check_proof
from pincer.evidence.c_proof.merged_claim import LoopRounds, MergedProof
from pincer.frontends.c.load import load
from pincer.program.control_flow import ControlFlowProgram
from pincer.program.property import SequentialKind


def plenty(program: ControlFlowProgram, rounds: int, depth: int, by_words: bool = False) -> MergedProof:
    """So many rounds of whatever is a loop, and calls so deep."""
    places = [(procedure.name, place) for procedure in program.procedures.values() for place in procedure.locations]
    return MergedProof(tuple(LoopRounds(*place, rounds) for place in places), depth, by_words)


def judged(program: ControlFlowProgram, kind: SequentialKind, claim: MergedProof, seconds: float = 60.0) -> CheckResult:
    """What the checker says of a claim, written to a file and read again."""
    proof = ProofCertificate(program.file, "", program.layout.data_model, program.entry, kind, "test", merged=claim)
    return check_proof(program, ProofCertificate.from_json(proof.to_json()), Budget(seconds))


def judged_text(
    folder: Path, text: str, kind: SequentialKind = "assertions", rounds: int = 20, depth: int = 10, model: str = "LP64"
) -> CheckResult:
    """What the checker says of a program with a claim in plenty."""
    file = folder / "program.c"
    file.write_text(text, encoding="utf-8")
    program = load(file, data_model="ILP32" if model == "ILP32" else "LP64")
    return judged(program, kind, plenty(program, rounds, depth))
