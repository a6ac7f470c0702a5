"""Proofs about a program whose calls were put in place are read back as proofs of the program as it is written."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from pincer.analysis.constants import nothing_known
from pincer.engines.dash.inlined_proof import read_back
from pincer.engines.dash.proof import procedure_proofs
from pincer.engines.inlining import Inlined
from pincer.evidence.c_proof.certificate import ProcedureProof
from pincer.evidence.c_proof.checker import check_proof
from pincer.logic.terms import TRUE
from tests.engines.dash.dash_runs import certificate, finished
from tests.engines.inlined_programs import SAFE, in_place


def _proofs(flat: Inlined) -> tuple[ProcedureProof, ...]:
    dash = finished(flat.program, flat.hidden)
    return read_back(procedure_proofs(dash, flat.program, nothing_known(flat.program)), flat)


@pytest.mark.parametrize("name", SAFE)
def test_a_loop_keeps_its_proof_when_it_is_spread_over_functions(tmp_path: Path, name: str) -> None:
    program, flat = in_place(tmp_path, SAFE[name])
    checked = check_proof(program, certificate(program, _proofs(flat)))
    assert checked.accepted, checked.refused


def test_each_body_has_a_triple_of_its_own_procedure(tmp_path: Path) -> None:
    _, flat = in_place(tmp_path, SAFE["one loop after the other, in two functions"])
    assert sorted(proof.procedure for proof in _proofs(flat) if not proof.errors) == ["down", "main", "up"]


def test_a_triple_without_its_invariants_is_refused(tmp_path: Path) -> None:
    program, flat = in_place(tmp_path, SAFE["a counter behind a pointer"])
    main, *others = _proofs(flat)
    weakened = (main, *(replace(proof, invariants={}, exit=TRUE) for proof in others))
    assert not check_proof(program, certificate(program, weakened)).accepted
