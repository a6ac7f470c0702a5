"""C text decided by DASH, and its proofs judged by the checker, for the tests beside this module."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from msgspec.structs import replace

from pincer.engines.board import Board
from pincer.engines.dash.algorithm import Dash
from pincer.engines.dash.help import Hidden, SearchHelper
from pincer.engines.invariants.facts import Invariants
from pincer.engines.portfolio import Allowance
from pincer.engines.sequential import REGIONS, Choice, SequentialSettings, check
from pincer.engines.task import Claim, EngineTask, Proved
from pincer.evidence.c_proof.certificate import ProcedureProof, ProofCertificate
from pincer.evidence.c_proof.checker import CheckResult, check_proof
from pincer.evidence.c_proof.cut_point_claim import CutPointProof
from pincer.evidence.c_proof.merged_claim import MergedProof
from pincer.evidence.c_proof.paths import Paths
from pincer.frontends.c.load import load
from pincer.logic import terms
from pincer.program.control_flow import ControlFlowProgram
from pincer.program.property import SequentialKind
from pincer.runtime.run import Run
from tests.engines.claims import failing_test_of, reason_of, triples_of

SECONDS = 300.0
"""Far more than any test takes: verdicts do not hang on the clock."""
MUCH = Allowance(1_000_000, 20_000)
ALONE = Choice(REGIONS, plain=True)
SHORTLY = Choice(REGIONS, plain=True, rounds=3)
"""Where no verdict is expected: some hundred iterations."""

INPUTS = """\
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
#include <stdlib.h>
#define assert(e) do { if (!(e)) reach_error(); } while (0)
"""


def loaded(folder: Path, text: str, entry: str = "main") -> ControlFlowProgram:
    """The program of a file with this text after the usual declarations."""
    file = folder / "program.c"
    file.write_text(INPUTS + text)
    return load(file, entry=entry)


def family(folder: Path, text: str) -> ControlFlowProgram:
    """The program of a file with this text alone."""
    file = folder / "family.c"
    file.write_text(text)
    return load(file)


def decided(program: ControlFlowProgram, kind: SequentialKind = "assertions", choice: Choice = ALONE) -> Claim:
    """The engine's own answer, not confirmed; by tests, regions and invariants alone unless `choice` says otherwise."""
    settings = SequentialSettings(choice=choice)
    [claim] = check(EngineTask(program, (kind,), settings), Run(timeout=SECONDS))
    return claim


def certificate(
    program: ControlFlowProgram, proofs: tuple[ProcedureProof, ...], kind: SequentialKind = "assertions"
) -> ProofCertificate:
    data_model = program.layout.data_model
    return ProofCertificate(program.file, "", data_model, program.entry, kind, "test", proofs[0].id, proofs)


def judged(program: ControlFlowProgram, result: Claim) -> CheckResult:
    """What the checker says about the proofs of a result."""
    kind: SequentialKind = "memory" if result.name == "memory" else "assertions"
    empty = ProofCertificate(program.file, "", program.layout.data_model, program.entry, kind, "test")
    match result:
        case Proved(proof=Paths() as paths):
            return check_proof(program, replace(empty, paths=paths))
        case Proved(proof=MergedProof() as merged):
            return check_proof(program, replace(empty, merged=merged))
        case Proved(proof=CutPointProof() as cuts):
            return check_proof(program, replace(empty, cuts=cuts))
    return check_proof(program, certificate(program, triples_of(result), kind))


def verdict(folder: Path, text: str, kind: SequentialKind = "assertions", **options: Any) -> str:
    """The verdict that would be printed: `refused` in place of a safe one that the checker does not accept."""
    program = loaded(folder, text)
    result = decided(program, kind, **options)
    if result.verdict != "safe":
        return result.verdict
    checked = judged(program, result)
    return "safe" if checked.accepted else f"refused: {checked.refused[0]}"


def proved(folder: Path, text: str, kind: SequentialKind = "assertions") -> Claim:
    """The result of a program that must be safe, with a proof that the checker accepts."""
    program = loaded(folder, text)
    result = decided(program, kind)
    assert result.verdict == "safe", reason_of(result)
    checked = judged(program, result)
    assert checked.accepted, checked.refused
    return result


def finished(program: ControlFlowProgram, hidden: Hidden | None = None) -> Dash:
    """An analysis that ended with a proof, to look into; invariants are found whenever they are asked for."""
    board = Board(program, "assertions", Run(timeout=SECONDS))
    dash = Dash(program, board)
    dash.help = SearchHelper(dash, hidden or {})
    invariants = Invariants(board, program, dash.effects)
    for _ in dash.dash_main():
        while board.stuck:
            invariants.step(Allowance(0, 1_000))
    return dash


def board_of(program: ControlFlowProgram, kind: SequentialKind = "assertions") -> Board:
    """An empty board for a strategy that is looked at alone."""
    return Board(program, kind, Run(timeout=SECONDS))


def weakened(proof: ProcedureProof) -> list[ProcedureProof]:
    """The proof with one of its invariants replaced by its opposite or left out, in all ways."""
    return [
        replace(proof, invariants={**proof.invariants, location: changed})
        for location, term in proof.invariants.items()
        for changed in (terms.negate(term), terms.TRUE)
    ]


def values_of(result: Claim) -> list[int]:
    """The input values of the test of a violation."""
    return [value.value for value in failing_test_of(result).inputs]
