"""Certificates of finished analyses: they are proofs of their programs, whole and of nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.bench.dash_families import fig3, fig6
from pincer.evidence.c_proof.asking import Budget
from pincer.evidence.c_proof.checker import check_proof
from tests.engines.claims import triples_of
from tests.engines.dash.dash_runs import certificate, decided, family, judged, loaded, weakened
from tests.engines.dash.paper_figures import BROKEN, FIGURES


@pytest.mark.parametrize("text", [fig3(4), fig6(4)], ids=["figure 3", "figure 6"])
def test_the_proof_of_a_family_is_accepted(tmp_path: Path, text: str) -> None:
    program = family(tmp_path, text)
    checked = judged(program, decided(program))
    assert checked.accepted, checked.refused


@pytest.mark.parametrize("figure", ["4", "8"])
def test_a_proof_with_an_invariant_changed_is_refused(tmp_path: Path, figure: str) -> None:
    program = loaded(tmp_path, FIGURES[figure])
    proofs = triples_of(decided(program))
    budget = Budget(seconds=10, first_seconds=2, next_seconds=2)
    refused = accepted = 0
    for index, proof in enumerate(proofs):
        for changed in weakened(proof)[:6]:
            mutated = (*proofs[:index], changed, *proofs[index + 1 :])
            if check_proof(program, certificate(program, mutated), budget).accepted:
                accepted += 1
            else:
                refused += 1
    assert refused > 2 * accepted
    assert refused >= 8


@pytest.mark.parametrize("figure", FIGURES)
def test_the_proof_of_a_figure_is_no_proof_of_its_broken_version(tmp_path: Path, figure: str) -> None:
    proofs = triples_of(decided(loaded(tmp_path, FIGURES[figure])))
    broken = loaded(tmp_path, BROKEN[figure])
    budget = Budget(seconds=5, first_seconds=1, next_seconds=1)
    assert not check_proof(broken, certificate(broken, proofs), budget).accepted


@pytest.mark.parametrize("figure", ["4", "8"])
def test_a_proof_without_one_of_its_triples_is_refused(tmp_path: Path, figure: str) -> None:
    program = loaded(tmp_path, FIGURES[figure])
    proofs = triples_of(decided(program))
    used = {use.proof for proof in proofs for uses in proof.calls.values() for use in uses}
    for index in (i for i, proof in enumerate(proofs) if proof.id in used):
        rest = (*proofs[:index], *proofs[index + 1 :])
        budget = Budget(seconds=5, first_seconds=1, next_seconds=1)
        assert not check_proof(program, certificate(program, rest), budget).accepted, proofs[index].id
