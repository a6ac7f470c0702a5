"""Programs whose loops end, or do not, and what is decided about them."""

from __future__ import annotations

from pathlib import Path

from pincer.engines.cutpoints.cutting import Cut, cut_of
from pincer.engines.questions import Questions
from pincer.engines.task import Claim, EngineTask
from pincer.engines.termination.limits import LIMITS
from pincer.engines.termination.verify import TerminationSettings, check
from pincer.evidence.c_proof.certificate import ProofCertificate
from pincer.evidence.c_proof.checker import CheckResult, check_proof
from pincer.evidence.c_proof.cut_point_claim import CutPointProof
from pincer.program.control_flow import ControlFlowProgram
from pincer.program.passes import Termination, instrumented
from pincer.runtime.run import Run
from tests.engines.dash.dash_runs import loaded

LEXICOGRAPHIC = """
int main(void) {
    unsigned i = __VERIFIER_nondet_uint(), j = __VERIFIER_nondet_uint();
    while (i > 0 && j > 0)
        if (__VERIFIER_nondet_int()) { i--; j = __VERIFIER_nondet_uint(); } else j--;
}"""
PHASES = """
int main(void) {
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    while (x > 0) { x += y; y--; }
}"""
WRAPS = """
int main(void) {
    int x = 1, y = 1;
    while (x > 0) if (y < x) y++; else { x++; y = 1; }
}"""
COUNTDOWN = """
int main(void) {
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n <= %s);
    for (unsigned char i = 0; i < n; i++);
}"""
NESTED = """
static int sum(int k) { int s = 0; for (int j = 0; j < k; j++) s += j; return s; }
int main(void) {
    int n = __VERIFIER_nondet_int(), s = 0;
    for (int i = 0; i < n; i++) for (int j = i; j > 0; j--) s += sum(j);
    return s;
}"""
ODD = """
int main(void) {
    int n = __VERIFIER_nondet_int();
    while (n != 0) n -= 2;
}"""
CHOSEN = """
int main(void) {
    unsigned u = __VERIFIER_nondet_uint();
    while (u > 0) { if (__VERIFIER_nondet_int()) u--; }
}"""


def ending(folder: Path, text: str) -> ControlFlowProgram:
    """A program in the form that termination is decided on."""
    return instrumented(loaded(folder, text), Termination())


def cut_in(program: ControlFlowProgram) -> Cut:
    cut = cut_of(program, "assertions", Questions(Run(), program.layout.slot_bits, LIMITS.ticks))
    assert isinstance(cut, Cut)
    return cut


def decided(program: ControlFlowProgram) -> Claim:
    [claim] = check(EngineTask(program, ("termination",), TerminationSettings()), Run())
    return claim


def certified(program: ControlFlowProgram, proof: CutPointProof) -> CheckResult:
    """What the checker says of a proof that was written down and read again."""
    written = ProofCertificate(program.file, "", "LP64", "main", "termination", "1", cuts=proof).to_json()
    return check_proof(program, ProofCertificate.from_json(written))
