"""Temporal properties from the command line: decided, and their evidence checked again later."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pincer.cli.main import main

PROGRAM = """
var x, y : int = 1;
trans step : y < x -> y := y + 1;
trans block: y >= x -> x := x + 1, y := 1;
trans rest : x = 2 -> x := x;
temporal ends: <>empty;
temporal grows: <>{x > 3};
temporal low: []{x < 3};
"""


def test_results_are_evidence_that_is_checked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("p.gcl").write_text(PROGRAM, encoding="utf-8")
    asked = ["--property", "ends", "--property", "low", "--property", "ltl: G F {y = 1} || F G {x = 2}"]
    assert main(["check", "p.gcl", "--format", "json", *asked]) == 1
    result = json.loads(capsys.readouterr().out)
    assert [item["verdict"] for item in result["properties"]] == ["unsafe", "unsafe", "safe"]
    Path("result.json").write_text(json.dumps(result), encoding="utf-8")
    assert main(["replay", "result.json"]) == 0
    assert capsys.readouterr().out.count("REPRODUCED") == 2
    assert main(["certify", "result.json", "--solver", "both"]) == 0
    assert capsys.readouterr().out.count("ACCEPTED") == 2


def test_a_wrong_formula_is_a_mistake_with_a_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("p.gcl").write_text(PROGRAM, encoding="utf-8")
    assert main(["check", "p.gcl", "--property", "<>{z = 1}"]) == 2
    assert "<property>:1:4: error: unknown name `z`" in capsys.readouterr().err
