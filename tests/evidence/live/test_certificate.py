"""Proofs as data."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pincer.errors import PincerError
from pincer.evidence.live.certificate import FORMAT
from tests.evidence.live.live_samples import LEXICOGRAPHIC, proved


def test_a_proof_survives_its_file(tmp_path: Path) -> None:
    _, certificate = proved(LEXICOGRAPHIC)
    file = tmp_path / "proof.json"
    certificate.save(file)
    assert json.loads(file.read_text())["format"] == "pincer-live-1"
    assert FORMAT.load(file) == certificate


def test_the_argument_is_nested() -> None:
    _, certificate = proved(LEXICOGRAPHIC)
    [outer] = certificate.argument
    [inner] = outer.children
    assert (outer.kind, inner.kind) == ("rank", "rank")
    assert set(outer.ranks.values()) != set(inner.ranks.values())


def test_what_is_malformed_is_refused() -> None:
    _, certificate = proved(LEXICOGRAPHIC)
    data = certificate.to_json()
    data["argument"] = [{"kind": "faith", "node": 0}]
    with pytest.raises(PincerError, match="malformed"):
        FORMAT.value(data)
