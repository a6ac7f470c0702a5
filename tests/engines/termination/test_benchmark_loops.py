"""Some of the C programs in `benchmarks/live` have the verdict that they expect; `pincer bench live` runs all."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.engines.task import Proved, Refuted
from pincer.evidence.c_proof.cut_point_claim import CutPointProof
from pincer.evidence.c_proof.endless_check import check_endless
from pincer.evidence.c_proof.endless_claim import EndlessRun
from pincer.frontends.c.load import load
from pincer.program.passes import Termination, instrumented
from tests.engines.termination.loop_programs import certified, decided

ROOT = Path(__file__).parents[3] / "benchmarks" / "live"
SOME = [
    "bits/double", "bits/toggle", "calls/by_pointer", "calls/by_pointer_mutant", "calls/server_bounded",
    "calls/server_stuck", "counting/past", "counting/up_at_most", "lexicographic/triple", "nested/goto",
    "nested/shared",
    "numbers/bisect", "numbers/bisect_mutant", "phases/mode", "phases/up_and_down", "phases/up_then_down",
    "recursion/even_odd", "recursion/halves", "recursion/halves_mutant", "visits/turns", "visits/rotation_mutant",
    "lexicographic/pair_refilled",
]  # fmt: skip


@pytest.mark.parametrize("name", SOME)
def test_verdicts_are_as_expected_and_confirmed(name: str) -> None:
    path = ROOT / f"{name}.c"
    program = instrumented(load(path), Termination())
    claim = decided(program)
    match claim:
        case Proved(proof=CutPointProof() as proof):
            found, reason = "holds", "; ".join(certified(program, proof).refused)
        case Refuted(run=EndlessRun() as run):
            found, reason = "violated", "; ".join(check_endless(program, run).refused)
        case _:
            found, reason = "undecided", claim.said
    assert (f"// expect: termination {found}" in path.read_text(), reason) == (True, "")
