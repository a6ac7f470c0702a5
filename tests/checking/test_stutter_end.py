"""`--stutter-end` from the file to the answer."""

from __future__ import annotations

from pathlib import Path

import pytest

import pincer
from pincer.cli.main import main

COUNT = "program count; var x : 0..2 = 0; process P { up: x < 2 -> x := x + 1; }"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("p.gcl").write_text(COUNT, encoding="utf-8")
    Path("p.c").write_text("int x; int main(void) { x = 1; x = 2; return 0; }", encoding="utf-8")
    Path("p.m").write_text("frame(x) and (int x <== 1 and skip)", encoding="utf-8")


@pytest.mark.parametrize(
    ("file", "formula", "ending", "repeated"),
    [
        ("p.gcl", "[]({x = 2} -> (){x = 2})", 1, 0),
        ("p.gcl", "ltl: F(G {x = 1} | !X true)", 0, 1),
        ("p.c", "[]({x == 2} -> (){x == 2})", 1, 0),
        ("p.c", "ltl: G F !X true", 0, 1),
    ],
)
def test_the_last_state_is_repeated(file: str, formula: str, ending: int, repeated: int) -> None:
    assert main(["check", file, "--property", formula]) == ending
    assert main(["check", file, "--property", formula, "--stutter-end"]) == repeated


def test_evidence_speaks_of_the_translated_formula(capsys: pytest.CaptureFixture[str]) -> None:
    for file, formula in (("p.c", "[]({x == 2} -> (){x == 2})"), ("p.gcl", "[]({x = 2} -> (){x = 2})")):
        asked = ["check", file, "--property", formula, "--stutter-end"]
        assert main([*asked, "--certificate", "proof.json"]) == 0
        assert main(["certify", "proof.json"]) == 0
    assert capsys.readouterr().out.count("(last state repeated)") >= 3


def test_what_it_is_not_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "p.c", "--property", "(len(2) ; []{x == 2})", "--stutter-end"]) == 2
    assert "LTL" in "".join(capsys.readouterr())
    assert main(["check", "p.m", "--stutter-end"]) == 2
    assert main(["check", "p.gcl", "--property", "termination", "--stutter-end"]) == 0


def test_it_is_an_option_of_the_api() -> None:
    [answer] = pincer.check("p.gcl", property="[]({x = 2} -> (){x = 2})", stutter_end=True).properties
    assert answer.verdict == "safe"
