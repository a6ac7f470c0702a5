"""Proofs as files: what is written can be read, what was tampered with is refused in a sentence."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pincer.errors import PincerError
from pincer.evidence.gcl.certificate import Certificate, Region

PROOF = Certificate(
    "p.gcl", "0" * 64, {"N": 1 << 70}, ("safe",), "ase", "closed", ("pc",), ("x <= 2",), (Region(((0,), (1,)), ("1",)),)
)


def test_a_saved_proof_is_the_same_when_loaded(tmp_path: Path) -> None:
    path = tmp_path / "proof.json"
    PROOF.save(path)
    assert Certificate.load(path) == PROOF
    data = json.loads(path.read_text(encoding="utf-8"))
    assert data == PROOF.to_json()
    assert data["program"] == {"file": "p.gcl", "sha256": "0" * 64, "constants": {"N": 1 << 70}}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("format", "pincer-c-proof-1"),
        ("program", None),
        ("program", {"file": "p.gcl", "sha256": "0", "constants": {"N": "1"}}),
        ("properties", "safe"),
        ("control", [1]),
        ("predicates", [["x"]]),
        ("regions", {}),
        ("regions", [{"control": [[True]]}]),
        ("regions", [{"control": [[0.5]]}]),
        ("regions", [{"control": [["0"]]}]),
        ("regions", [{"cubes": []}]),
    ],
)
def test_a_field_of_the_wrong_kind_is_refused(field: str, value: Any) -> None:
    with pytest.raises(PincerError, match="certificate"):
        Certificate.from_json({**PROOF.to_json(), field: value})


@pytest.mark.parametrize("data", [None, [], {}, "text"])
def test_other_data_is_no_certificate(data: Any) -> None:
    with pytest.raises(PincerError, match="not a certificate"):
        Certificate.from_json(data)
