"""Proofs as files: what is written can be read, what was tampered with is refused in a sentence."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from pincer.errors import PincerError
from pincer.evidence.c_proof.certificate import ProofCertificate
from pincer.evidence.c_proof.checker import check_proof
from tests.evidence.c_proof.proved_programs import (
    CASES,
    accepted,
    checked,
    equal_counters,
    recursion,
)


@pytest.mark.parametrize("name", CASES)
def test_a_saved_proof_is_the_same_when_loaded(name: str, tmp_path: Path) -> None:
    text, proof = CASES[name]()
    path = tmp_path / "proof.json"
    proof.save(path)
    loaded = ProofCertificate.load(path)
    loaded.save(path)
    assert ProofCertificate.load(path) == loaded
    assert replace(loaded, proofs=()) == replace(proof, proofs=())
    assert accepted((text, loaded))


def _set(*path: str | int, value: Any) -> Callable[[Any], None]:
    def change(data: Any) -> None:
        for key in path[:-1]:
            data = data[key]
        data[path[-1]] = value

    return change


TAMPERED: dict[str, Callable[[Any], None]] = {
    "format": _set("format", value="pincer-certificate-1"),
    "property": _set("property", value="deadlock"),
    "no program": _set("program", value=None),
    "errors not a truth value": _set("proofs", 1, "errors", value="no"),
    "ghosts not pairs": _set("proofs", 1, "ghosts", value=["g"]),
    "ghost without width": _set("proofs", 1, "ghosts", value=[["g", "wide"]]),
    "ghost with two widths": _set("proofs", 1, "ghosts", value=[["g", 8]]),
    "location not a number": _set("proofs", 1, "invariants", value={"ten": "true"}),
    "invariant not text": _set("proofs", 1, "invariants", value={"10": 1}),
    "invariants not a table": _set("proofs", 1, "invariants", value=["true"]),
    "uses not a list": _set("proofs", 1, "calls", value={"3": {"proof": "f.0"}}),
    "proofs not a list": _set("proofs", value={"main": {}}),
    "register of no width": _set("proofs", 1, "registers", "f::n", value=0),
    "register of another width": _set("proofs", 1, "registers", "f::n", value=8),
    "definitions gone": _set("proofs", 1, "definitions", value=[]),
}


@pytest.mark.parametrize("name", TAMPERED)
def test_a_file_with_a_field_of_the_wrong_kind_is_refused(name: str) -> None:
    data = json.loads(json.dumps(recursion()[1].to_json()))
    TAMPERED[name](data)
    with pytest.raises(PincerError):
        ProofCertificate.from_json(data)


@pytest.mark.parametrize("seed", range(25))
def test_a_file_with_damaged_text_is_read_as_another_proof_or_refused_in_a_sentence(seed: int) -> None:
    rng = random.Random(seed)
    program_, proof = CASES[rng.choice(list(CASES))]()
    text = json.dumps(proof.to_json())
    for _ in range(rng.randrange(1, 4)):
        at = rng.randrange(len(text))
        text = text[:at] + rng.choice('()|_ 0123456789abpv"') + text[at + rng.randrange(2) :]
    try:
        damaged = ProofCertificate.from_json(json.loads(text))
    except (PincerError, ValueError):
        return
    result = checked((program_, damaged))
    assert result.accepted or result.refused


@pytest.mark.parametrize("content", [b"", b"[]", b"{", b"\xff\xfe", b"[" * 100_000, b'{"format": "pincer-c-proof-1"}'])
def test_a_file_that_is_no_proof_is_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "proof.json"
    path.write_bytes(content)
    with pytest.raises(PincerError):
        ProofCertificate.load(path)


def test_a_proof_of_another_version_of_the_program_is_refused() -> None:
    text, proof = equal_counters()
    assert check_proof(text, proof, sha256=proof.sha256).accepted
    assert "its hash differs" in check_proof(text, proof, sha256="1" * 64).refused[0]
