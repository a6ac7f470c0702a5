"""Termination of programs with threads from the file to the answer, and once more from what was saved."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pincer.cli.main import main
from tests.evidence.thread_proof.ending_programs import LOCKED_SET, SET, SPIN, STARVED, text_of


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def checked(text: str, *words: str) -> int:
    Path("p.c").write_text(text, encoding="utf-8")
    return main(["check", "p.c", "--property", "termination", *words])


def test_a_proof_is_certified_and_can_be_checked_again(capsys: pytest.CaptureFixture[str]) -> None:
    assert checked(text_of(SPIN, SET), "--certificate", "proof.json") == 0
    out = capsys.readouterr().out
    assert "accepted by the checker" in out and "weakly fair" in out
    assert main(["certify", "proof.json"]) == 0
    data = json.loads(Path("proof.json").read_text(encoding="utf-8"))
    data["explored"]["fairness"] = "none"
    Path("proof.json").write_text(json.dumps(data), encoding="utf-8")
    assert main(["certify", "proof.json"]) == 1


def test_rounds_are_compiled_and_can_be_run_again(capsys: pytest.CaptureFixture[str]) -> None:
    assert checked(text_of(SPIN, ""), "--witness", "run.json", "--svcomp") == 1
    out = capsys.readouterr().out
    assert "100 rounds of the schedule" in out and "again, for ever" in out
    assert "SV-COMP result: false(termination)" in out
    assert main(["replay", "run.json"]) == 0
    Path("p.c").write_text(text_of(SPIN, SET), encoding="utf-8")
    assert main(["replay", "run.json"]) == 2


def test_fairness_is_an_option() -> None:
    starved = text_of(STARVED, LOCKED_SET)
    assert checked(starved) == 1
    assert checked(starved, "--fairness", "strong") == 0
    assert checked(text_of(SPIN, SET), "--fairness", "none") == 1


def test_what_was_found_out_is_remembered_for_its_fairness(capsys: pytest.CaptureFixture[str]) -> None:
    for fairness, status in (("weak", 1), ("strong", 0), ("weak", 1), ("strong", 0)):
        assert checked(text_of(STARVED, LOCKED_SET), "--fairness", fairness, "--store", "kept") == status
    assert capsys.readouterr().out.count("VIOLATED") == 2
