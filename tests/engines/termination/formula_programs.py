"""Programs with formulas about them, loaded as a check loads them, decided, and confirmed by the checkers."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from pincer.engines.task import Claim, EngineTask
from pincer.engines.termination.verify import TerminationSettings, check
from pincer.evidence.c_proof.certificate import ProofCertificate
from pincer.evidence.c_proof.checker import CheckResult, check_proof
from pincer.evidence.c_proof.cut_point_claim import CutPointProof
from pincer.frontends.c.formulas import c_formula
from pincer.frontends.c.observed import load_observed
from pincer.program.c_file import CFile
from pincer.program.control_flow import ControlFlowProgram
from pincer.program.passes import Termination, instrumented
from pincer.runtime.run import Run
from tests.engines.dash.dash_runs import loaded

SERVER = """
int req, resp;
int main(void) { for (;;) { req = __VERIFIER_nondet_bool(); resp = 0;
  if (req) { unsigned char n = __VERIFIER_nondet_uchar(); while (n > 0) n%s; resp = 1; } } }
"""
ANSWERED = "[]({req} -> <>{resp})"
MODES = """
int mode;
int main(void) { unsigned n = __VERIFIER_nondet_uint(); mode = 1; while (n) n %s; mode = 2; }
"""
IN_ORDER = "(keep({mode==0}) ; keep({mode==1}) ; []{mode==2})"
LIMITED = """
int x;
int main(void) { x = __VERIFIER_nondet_int(); if (x > 10) x = 3; return 0; }
"""
TURNS = """
int want, got, turn;
int main(void) { for (;;) { want = 1; got = 0;
  while (!got) { if (turn == 0) got = 1; turn = (turn + 1) % 3; } want = 0; } }
"""
"""That `turn` is below 3 is seen where the automaton still waits for what it guesses."""
WAITS = """
int busy;
static void work(int k) { busy = 1; while (k > 0) k--; busy = 0; }
int main(void) { for (int i = 0; i < 3; i++) work(i); done: return 0; }
"""


def observed(folder: Path, text: str, formula: str) -> ControlFlowProgram:
    """A program in the form that a formula is decided on."""
    plain = loaded(folder, text)
    files = [CFile(str(folder / "program.c"))]
    program = load_observed(files, c_formula(formula), plain, data_model="LP64", entry="main")
    return instrumented(program, Termination())


def answer(program: ControlFlowProgram) -> Claim:
    [claim] = check(EngineTask(program, ("temporal",), TerminationSettings()), Run())
    return claim


def certified(program: ControlFlowProgram, proof: CutPointProof) -> CheckResult:
    """What the checker says of a proof that was written down and read again."""
    written = ProofCertificate(program.file, "", "LP64", "main", "temporal", "1", cuts=proof).to_json()
    return check_proof(program, ProofCertificate.from_json(written))


def with_formula(program: ControlFlowProgram, text: str) -> ControlFlowProgram:
    """The same program with another formula over the same propositions."""
    return replace(program, formula=text)
