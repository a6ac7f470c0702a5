"""`pincer check`, `show`, `translate` and `replay` on MSVL programs, and on C programs through their translation."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pincer.cli.main import main

BENCHMARKS = Path(__file__).parents[2] / "benchmarks" / "dse"
COUNTER = "frame(x) and (int x and input(x) and skip; if(x>5) then {x:=0} else {x:=x+1})\n"
C_PROGRAM = """
int __VERIFIER_nondet_int(void);
int light;
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n == 3) light = 1;
    light = 0;
    return 0;
}
"""


def test_the_case_study_of_the_paper_is_violated_by_its_third_message(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(BENCHMARKS / "paper" / "ac_controller.m"), "--format", "json"]) == 1
    [found] = json.loads(capsys.readouterr().out)["properties"]
    assert found["trace"]["inputs"] == {"s_main_message": 3}
    assert found["trace"]["violating_state"] == 6


def test_a_property_may_stand_in_a_file_of_its_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program, wanted = tmp_path / "p.m", tmp_path / "p.p"
    program.write_text(COUNTER)
    wanted.write_text("define small: x<=6; fin(small)")
    proof = tmp_path / "proof.json"
    assert main(["check", str(program), "--property", str(wanted), "--certificate", str(proof)]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "every way the program can take was explored" in out
    assert "is not written: there is no proof object" in out and not proof.exists()


def test_a_counterexample_can_be_saved_and_replayed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = tmp_path / "p.m"
    program.write_text(f"</ define zero: x=0; alw(!zero) />\n{COUNTER}")
    assert main(["check", str(program), "--format", "json"]) == 1
    saved = tmp_path / "result.json"
    saved.write_text(capsys.readouterr().out)
    assert main(["replay", str(saved)]) == 0
    assert capsys.readouterr().out.startswith("REPRODUCED")
    witness = tmp_path / "bug.json"
    assert main(["check", str(program), "--witness", str(witness)]) == 1
    assert main(["replay", str(witness)]) == 0
    program.write_text(program.read_text().replace("input(x)", "x<==50"))
    assert main(["replay", str(saved)]) == 1


MISTAKES = {
    "no property": (COUNTER, "nothing to check"),
    "an undefined proposition": (f"</ alw(p) />\n{COUNTER}", "has no meaning yet"),
    "a broken formula": (f"</ define p: x=1; alw( />\n{COUNTER}", "1:"),
    "a broken program": ("</ define p: x=1; alw(p) />\nframe(x) and (int x<==1 and", "error"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes_are_told_with_their_place(tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    text, said = MISTAKES[name]
    (tmp_path / "p.m").write_text(text)
    assert main(["check", str(tmp_path / "p.m")]) == 2
    assert said in capsys.readouterr().err


def test_a_temporal_property_of_a_c_program_is_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program, wanted = tmp_path / "p.c", tmp_path / "p.p"
    program.write_text(C_PROGRAM)
    wanted.write_text("</ define on: light=1; fin(!on) /></ define on: light=1; alw(!on) />")
    assert main(["check", str(program), "--engine", "dse", "--property", str(wanted), "--format", "json"]) == 1
    first, second = json.loads(capsys.readouterr().out)["properties"]
    assert (first["verdict"], second["verdict"]) == ("safe", "unsafe")
    assert second["trace"]["inputs"] == {"s_main_n": 3}


def test_a_property_file_that_is_no_text_is_a_mistake(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "p.m").write_text(COUNTER)
    (tmp_path / "p.p").write_bytes(b"\xff\xfe")
    assert main(["check", str(tmp_path / "p.m"), "--property", str(tmp_path / "p.p")]) == 2
    assert "save it as UTF-8" in capsys.readouterr().err


def test_a_counterexample_of_a_translated_program_replays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, asked, found = tmp_path / "p.c", tmp_path / "p.p", tmp_path / "found.json"
    source.write_text("int x;\nint main(void) { x = 1; x = 2; return 0; }\n")
    asked.write_text("define small: x<2; alw(small)")
    assert main(["check", str(source), "--property", str(asked), "--engine", "dse", "--format", "json"]) == 1
    found.write_text(capsys.readouterr().out)
    assert main(["replay", str(found)]) == 0
    assert "REPRODUCED" in capsys.readouterr().out
    source.write_text("int x;\nint main(void) { x = 1; x = 0; return 0; }\n")
    assert main(["replay", str(found)]) == 1
    assert "x is 0, not 2" in capsys.readouterr().out


def test_a_formula_may_stand_in_the_call(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program, found = tmp_path / "p.m", tmp_path / "found.json"
    program.write_text("frame(x) and (int x<==0 and skip; while(x<3){x:=x+1})", encoding="utf-8")
    assert main(["check", str(program), "--property", "alw{x<=3}and som{x=3}"]) == 0
    assert main(["check", str(program), "--property", "ltl: G{x<3}", "--witness", str(found)]) == 1
    assert "ltl: G {x<3} fails" in capsys.readouterr().out
    assert main(["replay", str(found)]) == 0
    assert main(["check", str(program), "--property", "alw(small)"]) == 2
