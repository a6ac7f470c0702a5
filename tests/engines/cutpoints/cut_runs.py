"""Programs seen at their cut points, for the tests beside this module."""

from __future__ import annotations

from pathlib import Path

from pincer.abstraction.weakest import Weakest
from pincer.engines.board import Board, Holds
from pincer.engines.cutpoints.blocks import Blocks, blocks_of
from pincer.engines.cutpoints.strategy import CutPoints
from pincer.engines.cutpoints.view import View, view_of
from pincer.engines.portfolio import Allowance, Ended, Going
from pincer.evidence.c_proof.certificate import ProofCertificate
from pincer.evidence.c_proof.checker import check_proof
from pincer.evidence.c_proof.cut_point_claim import CutPointProof
from pincer.logic.terms import Term
from pincer.program.control_flow import ControlFlowProgram
from pincer.program.effects import effects
from pincer.program.property import SequentialKind
from pincer.runtime.run import Run
from tests.engines.dash.dash_runs import loaded

FILL = """
int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n == 0 || n > 1000) return 0;
    int *a = malloc(n * sizeof *a);
    if (!a) return 0;
    for (unsigned i = 0; i < n; i++) a[i] = 7;
    unsigned k = __VERIFIER_nondet_uint();
    if (k < n) assert(a[k] == 7);
}"""


def blocks_in(program: ControlFlowProgram, kind: SequentialKind = "memory", most_paths: int = 100) -> Blocks:
    weakest = Weakest(program.layout, program.top, effects(program).__getitem__)
    blocks = blocks_of(program.procedures["main"], kind, weakest, most_paths)
    assert blocks is not None
    return blocks


def viewed(program: ControlFlowProgram) -> tuple[View, int]:
    """The only loop of main with the states of tests, and its head."""
    main = program.procedures["main"]
    [head] = main.loop_heads
    return view_of(program, main, frozenset((main.entry, head)), {}, Run()), head


def tried(folder: Path, text: str, kind: SequentialKind = "memory") -> Going | Ended | Holds:
    return CutPoints(Board(loaded(folder, text), kind, Run())).step(Allowance(0, 100_000))


def is_proved(folder: Path, text: str, kind: SequentialKind = "memory") -> bool:
    """Whether the strategy has a proof, and the checker accepts it."""
    found = tried(folder, text, kind)
    if not isinstance(found, Holds):
        return False
    assert isinstance(found.execution, CutPointProof)
    proof = ProofCertificate("", "", "LP64", "main", kind, "1", cuts=found.execution)
    result = check_proof(loaded(folder, text), ProofCertificate.from_json(proof.to_json()))
    assert result.accepted, result.refused
    return True


def texts(formulas: list[Term]) -> set[str]:
    return set(map(str, formulas))
