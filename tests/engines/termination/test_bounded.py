"""Programs that end because all of their paths do."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.engines.task import EngineTask, Open, Proved
from pincer.engines.termination.bounded import all_paths
from pincer.engines.termination.verify import TerminationSettings, check
from pincer.evidence.c_proof.asking import Budget
from pincer.evidence.c_proof.certificate import ProofCertificate
from pincer.evidence.c_proof.checker import check_proof, wrapping_places
from pincer.evidence.c_proof.paths import Paths
from pincer.program.control_flow import ControlFlowProgram
from pincer.runtime.run import Run
from tests.engines.termination.loop_programs import ending

LIST = """
struct node { struct node *next; } a, b;
int main(void) { a.next = &b; struct node *p = &a; while (p) p = p->next; return 0; }
"""
FLAGS = "int a[4]; int main(void) { int i = 0; while (a[i] == 0) { a[i] = 1; i = (i + 1) % 4; } return 0; }"
CALLS = """
unsigned char n; int f(unsigned char k) { if (k == 9) return 0; return f((k + 7) & 15); }
int main(void) { n = __VERIFIER_nondet_uchar() & 15; return f(n); }
"""


@pytest.mark.parametrize("text", [LIST, FLAGS, CALLS])
def test_what_no_rank_explains_ends_where_all_paths_do(tmp_path: Path, text: str) -> None:
    program = ending(tmp_path, text)
    [claim] = check(EngineTask(program, ("termination",), TerminationSettings()), Run(timeout=60))
    assert isinstance(claim, Proved) and isinstance(claim.proof, Paths) and claim.check == "paths"
    assert check_proof(program, certificate(program, claim.proof)).accepted


def certificate(program: ControlFlowProgram, paths: Paths) -> ProofCertificate:
    return ProofCertificate("p.c", "", program.layout.data_model, program.entry, "termination", "", paths=paths)


def test_a_failed_assertion_is_an_end(tmp_path: Path) -> None:
    program = ending(tmp_path, FLAGS.replace("return 0;", "assert(i == 1); return 0;"))
    found = all_paths(program, Run(timeout=60))
    assert found is not None and check_proof(program, certificate(program, found)).accepted


@pytest.mark.parametrize(
    "text",
    [
        FLAGS.replace("a[i] = 1;", "a[i] ^= 1; a[i] ^= 1;"),
        "int main(void) { if (__VERIFIER_nondet_int() == 7) for (;;) ; return 0; }",
        "int a[2]; int main(void) { int i = __VERIFIER_nondet_int() & 3; return a[i] / a[1]; }",
    ],
)
def test_endless_and_undefined_paths_are_no_proof(tmp_path: Path, text: str) -> None:
    program = ending(tmp_path, text)
    assert all_paths(program, Run(timeout=60)) is None


def test_a_proof_by_paths_of_what_never_ends_is_refused(tmp_path: Path) -> None:
    program = ending(tmp_path, "int main(void) { if (__VERIFIER_nondet_int() == 7) for (;;) ; return 0; }")
    assert not check_proof(program, certificate(program, Paths(2, 10))).accepted
    [claim] = check(EngineTask(program, ("termination",), TerminationSettings()), Run(timeout=60))
    assert not isinstance(claim, Proved | Open)


def test_paths_that_wrap_around_are_told_of(tmp_path: Path) -> None:
    text = """int a[2];
    int main(void) {
        int i = 2147483645, k = 0;
        while (a[k] == 0 && i > 0) { i++; k ^= 1; }
        return 0;
    }"""
    program = ending(tmp_path, text)
    paths = all_paths(program, Run(timeout=60))
    assert paths is not None
    [place] = wrapping_places(program, certificate(program, paths), Budget(), Run(timeout=60))
    assert "i++" in Path(place.file).read_text(encoding="utf-8").split("\n")[place.line - 1]
