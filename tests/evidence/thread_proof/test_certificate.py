"""Certificates go through their text unchanged, and what is malformed is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pincer.errors import PincerError
from pincer.evidence.thread_proof.certificate import ThreadCertificate, place_of
from tests.evidence.thread_proof.threaded_programs import COUNTER, SPIN_LOCK, certificate, proved


def made(text: str = SPIN_LOCK) -> ThreadCertificate:
    outline = proved(text)
    assert outline is not None
    return certificate(text, outline)


def test_a_certificate_survives_its_file(tmp_path: Path) -> None:
    file = tmp_path / "proof.json"
    made().save(file)
    once = ThreadCertificate.load(file)
    again = ThreadCertificate.from_json(json.loads(json.dumps(once.to_json())))
    assert again == once
    assert once.outline.ghosts and once.outline.updates and once.outline.standing
    assert json.loads(file.read_text())["format"] == "pincer-thread-proof-1"


@pytest.mark.parametrize(
    ("member", "value"),
    [
        ("property", "leaks"),
        ("standing", ["(= |nothing| |nothing|)"]),
        ("standing", ["true)"]),
        ("outline", {"1": {"somewhere": ["true"]}}),
        ("outline", {"1": {"3": "true"}}),
        ("threads", [{"number": 0}]),
        ("ghosts", [{"name": "g", "width": 0, "initial": 0, "updates": []}]),
        ("ghosts", [{"name": "g", "width": 8, "initial": 0, "updates": []}] * 2),
        ("order", {"ranks": [[1, 2], [1, 3]], "threads": {}}),
        ("spurious_wakeups", 1),
    ],
)
def test_malformed_certificates_are_refused(member: str, value: Any) -> None:
    data = made(COUNTER).to_json() | {member: value}
    with pytest.raises(PincerError):
        ThreadCertificate.from_json(data)


@pytest.mark.parametrize("text", ["", "*", "a", "1/", "/1", "-1", "1//2", "1" * 12])
def test_what_is_no_place_is_refused(text: str) -> None:
    with pytest.raises(PincerError):
        place_of(text)
