"""`pincer certify`: proofs about guarded commands, checked again from their files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pincer.cli.main import main

Output = pytest.CaptureFixture[str]


def test_a_proof_can_be_saved_and_certified_by_both_solvers(bounded: str, capsys: Output) -> None:
    assert main(["check", bounded, "--property", "ok", "--certificate", "c.json"]) == 0
    capsys.readouterr()
    assert main(["certify", "c.json", "--solver", "both"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if line.startswith("ACCEPTED")] == ["ACCEPTED  bounded.gcl: ok (with N = 3)"] * 2


def test_a_tampered_proof_is_not_accepted(bounded: str, capsys: Output) -> None:
    main(["check", bounded, "--property", "ok", "--certificate", "c.json"])
    proof = json.loads(Path("c.json").read_text(encoding="utf-8"))
    proof["regions"] = []
    Path("c.json").write_text(json.dumps(proof), encoding="utf-8")
    capsys.readouterr()
    assert main(["certify", "c.json"]) == 1
    assert capsys.readouterr().out.startswith("NOT ACCEPTED")
