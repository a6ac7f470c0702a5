"""A proof by merged execution as a file: what is written is read again, numbers below zero are none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pincer.errors import PincerError
from pincer.evidence.c_proof.certificate import ProofCertificate
from pincer.evidence.c_proof.merged_claim import LoopRounds, MergedProof

CLAIM = MergedProof((LoopRounds("main", 7, 12), LoopRounds("f", 31, 3)), 4)
PROOF = ProofCertificate("a.c", "0" * 64, "LP64", "main", "memory", "test", merged=CLAIM)


def test_a_saved_proof_is_the_same_when_loaded(tmp_path: Path) -> None:
    PROOF.save(tmp_path / "proof.json")
    assert ProofCertificate.load(tmp_path / "proof.json") == PROOF


@pytest.mark.parametrize(
    "merged",
    [
        {"rounds": [], "depth": -1},
        {"rounds": [{"procedure": "main", "location": 7, "rounds": -1}], "depth": 0},
        {"rounds": [{"procedure": "main", "rounds": 1}], "depth": 0},
        {"rounds": 3},
        [],
    ],
)
def test_what_is_no_count_of_rounds_is_refused(merged: Any) -> None:
    with pytest.raises(PincerError):
        ProofCertificate.from_json({**PROOF.to_json(), "merged": merged})
