"""Formulas about programs with threads from the file to the answer, and once more from what was saved."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pincer.cli.main import main
from tests.evidence.thread_proof.ending_programs import SET, SPIN, text_of

ANSWERS = text_of(SPIN + " x = 1;", SET)
PROPERTY = "[]({flag} -> <>{x})"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def checked(text: str, formula: str, *words: str) -> int:
    Path("p.c").write_text(text, encoding="utf-8")
    return main(["check", "p.c", "--property", formula, *words])


def test_a_proof_is_certified_and_can_be_checked_again(capsys: pytest.CaptureFixture[str]) -> None:
    assert checked(ANSWERS, PROPERTY, "--certificate", "proof.json") == 0
    out = capsys.readouterr().out
    assert "accepted by the checker" in out and "weakly fair" in out
    assert main(["certify", "proof.json"]) == 0
    for changed in ("[]({flag} -> <>{x == 2})", "<>{at(NOWHERE)}"):
        data = json.loads(Path("proof.json").read_text(encoding="utf-8"))
        data["loading"]["formula"] = changed
        Path("forged.json").write_text(json.dumps(data), encoding="utf-8")
        assert main(["certify", "forged.json"]) != 0


def test_rounds_are_compiled_and_can_be_run_again(capsys: pytest.CaptureFixture[str]) -> None:
    text = ANSWERS.replace("x = 1;", "for (;;) ;")
    assert checked(text, PROPERTY, "--witness", "run.json") == 1
    out = capsys.readouterr().out
    assert "the formula is violated" in out and "confirmed by execution" in out
    assert main(["replay", "run.json"]) == 0
    Path("p.c").write_text(ANSWERS, encoding="utf-8")
    assert main(["replay", "run.json"]) == 2


def test_a_run_that_ends_is_compiled_and_can_be_run_again(capsys: pytest.CaptureFixture[str]) -> None:
    assert checked(ANSWERS, "[]{x == 0}", "--witness", "run.json") == 1
    out = capsys.readouterr().out
    assert "thread 0 ends the program" in out and "confirmed by execution: the program ends" in out
    assert main(["replay", "run.json"]) == 0


def test_what_was_found_out_is_remembered_for_its_fairness() -> None:
    text = text_of("for (;;) " + SET, SPIN + " x = 1; for (;;) ;")
    for fairness, status in (("none", 1), ("weak", 0), ("none", 1), ("weak", 0)):
        assert checked(text, "<>{x}", "--fairness", fairness, "--store", "kept") == status


@pytest.mark.parametrize(
    ("formula", "said"),
    [
        ("<>{at(NOWHERE, 1)}", "no label"),
        ("<>{at(L, nobody)}", "neither the number of a thread"),
        ("<>{call(work)}", "at(LABEL, THREAD)"),
        ("<>{work.p}", "global variable"),
        ("<>{y}", "not declared"),
        ("[]{x = 1}", "must not have effects"),
    ],
)
def test_what_threads_have_no_answer_to_is_refused(formula: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert checked(ANSWERS, formula) == 2
    assert said in "".join(capsys.readouterr())


def test_one_thread_has_no_number(capsys: pytest.CaptureFixture[str]) -> None:
    assert checked("int x; int main(void) { L: x = 1; return 0; }", "<>{at(L, 0)}") == 2
    assert "no threads" in "".join(capsys.readouterr())
