"""`pincer replay`: counterexamples of guarded commands, run again from their files."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.cli.main import main

Output = pytest.CaptureFixture[str]


def test_a_counterexample_can_be_saved_and_replayed(bounded: str, capsys: Output) -> None:
    assert main(["check", bounded, "--property", "low", "--witness", "w.json"]) == 1
    assert "pincer replay w.json" in capsys.readouterr().out
    assert main(["replay", "w.json"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("REPRODUCED  bounded.gcl: low is false after 3 steps")
    assert "x = 3" in out


def test_what_repeats_for_ever_is_said_to_do_so(
    tmp_path: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = "program p; var x : 0..2 = 0; trans t: true -> x := 2 - x; temporal ends: <>{x = 1};"
    Path("p.gcl").write_text(text, encoding="utf-8")
    assert main(["check", "p.gcl", "--witness", "w.json"]) == 1
    capsys.readouterr()
    assert main(["replay", "w.json"]) == 0
    assert "ends is false of this run, which repeats its steps from" in capsys.readouterr().out


def test_evidence_finds_its_program_beside_itself(
    bounded: str, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    main(["check", bounded, "--property", "low", "--witness", "w.json"])
    Path("elsewhere").mkdir()
    monkeypatch.chdir("elsewhere")
    assert main(["replay", "../w.json"]) == 0
    Path("../bounded.gcl").rename("moved.gcl")
    assert main(["replay", "../w.json"]) == 2
    assert "--program" in capsys.readouterr().err
    assert main(["replay", "../w.json", "--program", "moved.gcl"]) == 0
