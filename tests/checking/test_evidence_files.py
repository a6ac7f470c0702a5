"""Evidence is read from witnesses, certificates and results alike; anything else is a clear mistake."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pincer.checking.evidence_files import CEvidence, find_program, read_certificates, read_witnesses
from pincer.errors import PincerError
from pincer.evidence.gcl.certificate import Certificate, Region
from pincer.evidence.gcl.replay import Witness

PROOF = Certificate("p.gcl", "0", {}, ("a", "b"), "ase", "safe-fragment", (), (), (Region(((),), (), ("true",)),))
TRACE = [{"step": 0, "transition": None, "line": None, "state": {"x": 0}}]


def result(*properties: dict[str, Any]) -> str:
    program = {"file": "p.gcl", "sha256": "0", "constants": {"N": 2}}
    return json.dumps({"tool": "pincer", "file": "p.gcl", "program": program, "properties": list(properties)})


def unsafe(name: str) -> dict[str, Any]:
    return {"name": name, "verdict": "unsafe", "trace": TRACE, "certificate": None}


def safe(name: str) -> dict[str, Any]:
    return {"name": name, "verdict": "safe", "trace": None, "certificate": PROOF.to_json()}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "evidence.json"


def test_all_counterexamples_of_a_result_are_found(file: Path) -> None:
    file.write_text(f"{result(unsafe('a'), safe('b'))}\n{result(unsafe('c'))}\n", encoding="utf-8")
    witnesses = read_witnesses(file)
    assert [witness.property for witness in witnesses] == ["a", "c"]
    assert isinstance(witnesses[0], Witness)
    assert (witnesses[0].constants, witnesses[0].trace) == ({"N": 2}, TRACE)


def test_a_proof_shared_by_several_properties_is_found_once(file: Path) -> None:
    file.write_text(result(safe("a"), safe("b"), unsafe("c")), encoding="utf-8")
    assert read_certificates(file) == [PROOF]


def test_evidence_about_c_is_kept_as_it_was_written(file: Path) -> None:
    test, proof = {"format": "pincer-c-test-1"}, {"format": "pincer-c-proof-1"}
    for data, read in ((test, read_witnesses), (proof, read_certificates)):
        file.write_text(json.dumps(data), encoding="utf-8")
        assert read(file) == [CEvidence(data, file)]
    violated = {"name": "assertions", "verdict": "unsafe", "trace": test, "certificate": None}
    proved = {"name": "memory", "verdict": "safe", "trace": None, "certificate": proof}
    file.write_text(result(violated, proved), encoding="utf-8")
    assert read_witnesses(file) == [CEvidence(test, file, "assertions")]
    assert read_certificates(file) == [CEvidence(proof, file, "memory")]


def test_a_witness_for_validators_is_not_replayed(tmp_path: Path) -> None:
    with pytest.raises(PincerError, match=r"test\.json"):
        read_witnesses(tmp_path / "w.yml")


def test_a_certificate_file_is_read_as_it_is(file: Path) -> None:
    PROOF.save(file)
    assert read_certificates(file) == [PROOF]


@pytest.mark.parametrize("read", [read_witnesses, read_certificates])
@pytest.mark.parametrize(
    "text",
    [
        "",
        "not json",
        "[]",
        "{}",
        '{"tool": "pincer"}',
        '{"tool": "pincer", "properties": [3]}',
        '{"tool": "pincer", "properties": [{"verdict": "unsafe", "certificate": {}}]}',
        '{"tool": "pincer", "properties": []}',
        "[" * 100_000,
    ],
)
def test_malformed_files_are_mistakes(read: Any, text: str, file: Path) -> None:
    file.write_text(text, encoding="utf-8")
    with pytest.raises(PincerError):
        read(file)


@pytest.mark.parametrize("read", [read_witnesses, read_certificates])
def test_unreadable_files_are_mistakes(read: Any, file: Path) -> None:
    with pytest.raises(PincerError, match="cannot read"):
        read(file)
    file.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(PincerError, match="not text"):
        read(file)


def test_a_program_is_looked_for_here_and_beside_the_evidence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    there.mkdir()
    monkeypatch.chdir(here)
    (there / "p.gcl").write_text("", encoding="utf-8")
    assert find_program(None, "p.gcl", there / "w.json") == there / "p.gcl"
    (here / "p.gcl").write_text("", encoding="utf-8")
    assert find_program(None, "p.gcl", there / "w.json") == Path("p.gcl")
    assert find_program("given.gcl", "p.gcl", there / "w.json") == Path("given.gcl")
    with pytest.raises(PincerError, match="--program"):
        find_program(None, "q.gcl", there / "w.json")
