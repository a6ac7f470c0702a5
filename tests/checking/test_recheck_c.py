"""Saved proofs about C programs are checked against what they say they are about, which may be forged."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from pincer.checking.load import hash_of_all
from pincer.checking.messages import Certify, ProofChecked
from pincer.checking.recheck import certified
from pincer.errors import PincerError
from pincer.frontends.c.load import load
from pincer.runtime.run import Run
from tests.checking.answers import answer, safe
from tests.evidence.thread_proof.threaded_programs import COUNTER, HEADER, certificate, proved

TEXT = "int main(void) { int x = __VERIFIER_nondet_int(); if (x > 3 && x < 3) reach_error(); return 0; }\n"


@pytest.fixture
def proof(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    monkeypatch.chdir(tmp_path)
    found: dict[str, Any] = safe(answer(TEXT)).proof
    return found


def checked(proof: dict[str, Any]) -> ProofChecked:
    Path("proof.json").write_text(json.dumps(proof), encoding="utf-8")
    [found] = certified(Certify("proof.json"), Run(timeout=60))
    return found


def test_a_proof_is_accepted_for_its_program_and_no_other(proof: dict[str, Any]) -> None:
    found = checked(proof)
    assert found.ok and found.properties == ("assertions",) and found.constants == {}
    Path("p.c").write_text(TEXT.replace("< 3", "< 5"), encoding="utf-8")
    with pytest.raises(PincerError, match="another version"):
        checked(proof)


@pytest.mark.parametrize(
    ("member", "value", "said"),
    [("categories", ["valid-deref"], "no part of the property"), ("rule", 3, "must be a file"), ("entry", 3, "entry")],
)
def test_forged_members_are_malformed(proof: dict[str, Any], member: str, value: Any, said: str) -> None:
    proof["loading"][member] = value
    with pytest.raises(PincerError, match=said):
        checked(proof)


def test_a_proof_by_merged_execution_is_checked_by_executing_again(tmp_path: Path, proof: dict[str, Any]) -> None:
    text = TEXT.replace("if (x", "for (int i = 0; i < (x & 3); i++) ; if (x")
    Path("p.c").write_text(text, encoding="utf-8")
    [head] = load(Path("p.c")).procedures["main"].loop_heads
    digest = hash_of_all([Path("p.c")])
    merged = {**{key: value for key, value in proof.items() if key != "paths"}, "loading": {"sha256": digest}}
    merged["program"] = {**proof["program"], "sha256": digest}
    for rounds, ok in ((3, True), (2, False)):
        loops = [{"procedure": "main", "location": head, "rounds": rounds}]
        found = checked({**merged, "merged": {"rounds": loops, "depth": 0}})
        assert found.ok == ok and ("more often than the 2 times" in found.reason) != ok


def test_an_outline_of_threads_is_checked_like_every_proof(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("t.c").write_text(HEADER + COUNTER, encoding="utf-8")
    digest = hash_of_all([Path("t.c")])
    outline = proved(COUNTER)
    assert outline is not None
    made = replace(certificate(COUNTER, outline), file="t.c", sha256=digest)
    data = made.to_json() | {"loading": {"sha256": digest}}
    found = checked(data)
    assert found.ok and found.properties == ("assertions",) and found.obligations > 0
    assert not checked({**data, "outline": {}}).ok
    assert not checked({**data, "property": "deadlock"}).ok


def test_a_proof_is_checked_for_the_property_that_it_is_about(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    proof = safe(answer(TEXT.replace("x > 3", "x + 0 > 3"), "overflow")).proof
    assert proof["loading"]["kind"] == "overflow"
    found = checked(proof)
    assert found.ok and found.properties == ("overflow",)
    proof["loading"]["kind"] = "memory"
    with pytest.raises(PincerError, match="no property that it could be about"):
        checked(proof)


def test_options_that_a_proof_was_made_with_are_told(proof: dict[str, Any]) -> None:
    proof["loading"]["macros"] = [["NDEBUG", "1"]]
    assert checked(proof).constants == {"options": "-D NDEBUG=1"}
