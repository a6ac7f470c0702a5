"""Termination of C programs from the file to the answer: proofs certified, endless runs compiled, both once more."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from pincer.checking.evidence_files import CEvidence
from pincer.checking.messages import Certify
from pincer.checking.recheck_c import certified_program
from pincer.cli.main import main
from pincer.errors import PincerError
from pincer.runtime.run import Run

ENDS = "int main(void) {\n  unsigned n = __VERIFIER_nondet_uint();\n  while (n) n /= 2;\n}\n"
ENDLESS = """\
static void wait(unsigned n) {
  while (n != 0)
    n -= 2;
}
int main(void) {
  wait(4);
  wait(__VERIFIER_nondet_uint());
}
"""


def answer(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    status = main(["check", *words])
    return status, capsys.readouterr().out


def test_a_proof_is_certified_and_can_be_checked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("p.c").write_text(ENDS, encoding="utf-8")
    status, out = answer(capsys, "p.c", "--property", "termination", "--certificate", "proof.json", "--svcomp")
    assert status == 0
    assert "accepted by the checker" in out
    assert "SV-COMP result: true" in out
    assert main(["certify", "proof.json"]) == 0
    data = json.loads(Path("proof.json").read_text(encoding="utf-8"))
    Path("forged.json").write_text(json.dumps({**data, "property": "assertions"}), encoding="utf-8")
    capsys.readouterr()
    main(["certify", "forged.json"])
    assert "termination" not in capsys.readouterr().out
    data["cuts"]["points"][0]["ranks"] = []
    Path("forged.json").write_text(json.dumps(data), encoding="utf-8")
    assert main(["certify", "forged.json"]) == 1


def test_a_proof_of_termination_is_none_of_other_properties(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("p.c").write_text(ENDS, encoding="utf-8")
    main(["check", "p.c", "--property", "termination", "--certificate", "proof.json", "--quiet"])
    data = json.loads(Path("proof.json").read_text(encoding="utf-8"))
    data["loading"]["together"] = ["assertions", "memory"]
    with pytest.raises(PincerError, match="it proves termination"):
        certified_program(CEvidence(data, Path("proof.json")), Certify("proof.json"), Run())


def test_a_run_without_an_end_is_compiled_and_can_be_replayed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("p.c").write_text(ENDLESS, encoding="utf-8")
    Path("t.prp").write_text("CHECK( init(main()), LTL(F end) )\n", encoding="utf-8")
    status, out = answer(capsys, "p.c", "--property", "t.prp", "--test-out", "bug", "--svcomp")
    assert status == 1
    assert "the loop at p.c:2 never ends" in out
    assert "executed: stem and 1000 rounds" in out
    assert "SV-COMP result: false(termination)" in out
    assert main(["replay", "bug/test.json"]) == 0
    data = json.loads(Path("bug/test.json").read_text(encoding="utf-8"))
    data["points"][0]["facts"] = []
    Path("forged.json").write_text(json.dumps(data), encoding="utf-8")
    assert main(["replay", "forged.json"]) == 1


def test_a_run_without_an_end_is_written_as_a_witness(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("p.c").write_text(ENDLESS, encoding="utf-8")
    assert main(["check", "p.c", "--property", "termination", "--witness", "w.yml"]) == 1
    text = Path("w.yml").read_text(encoding="utf-8")
    assert "LTL(F end)" in text and "action: cycle" in text
    assert main(["check", "p.c", "--property", "termination", "--witness", "run.json"]) == 1
    assert main(["replay", "run.json"]) == 0


def test_calls_that_never_return_are_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    text = "int f(int n) { return n == 0 ? 1 : n * f(n - 2); }\nint main(void) { return f(__VERIFIER_nondet_int()); }\n"
    Path("p.c").write_text(text, encoding="utf-8")
    status, out = answer(capsys, "p.c", "--property", "termination", "--test-out", "bug")
    assert status == 1
    assert "f at p.c:1 calls itself for ever" in out and "1000 rounds" in out and "calls of any depth" in out
    assert main(["replay", "bug/test.json"]) == 0


def test_recursion_that_ends_is_certified(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("p.c").write_text("int f(int n) { return n > 0 ? f(n - 1) : 0; }\nint main(void) { return f(9); }\n")
    status, out = answer(capsys, "p.c", "--property", "termination")
    assert status == 0
    assert "accepted by the checker" in out and "calls of f" in out


def test_why_a_program_ends_is_written_as_a_witness(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("p.c").write_text(
        "extern unsigned __VERIFIER_nondet_uint(void);\n"
        "int main(void) { unsigned i = __VERIFIER_nondet_uint(), j = __VERIFIER_nondet_uint();\n"
        "  while (i > 0 && j > 0) if (__VERIFIER_nondet_uint()) { i--; j = __VERIFIER_nondet_uint(); } else j--;\n"
        "  return 0; }\n",
        encoding="utf-8",
    )
    assert main(["check", "p.c", "--property", "termination", "--witness", "w.yml"]) == 0
    [entry] = yaml.safe_load(Path("w.yml").read_text(encoding="utf-8"))
    assert (entry["entry_type"], entry["metadata"]["format_version"]) == ("invariant_set", "2.1")
    [invariant] = [one["invariant"] for one in entry["content"]]
    assert (invariant["type"], invariant["format"]) == ("loop_transition_invariant", "ext_c_expression")
    assert (invariant["location"]["line"], invariant["location"]["column"]) == (3, 3)
    assert invariant["value"].replace("(\\at(i, AnyPrev))", "I").replace("(\\at(j, AnyPrev))", "J") == (
        "I > i || (i == I && J > j)"
    )
    capsys.readouterr()


@pytest.mark.parametrize(
    ("loop", "why"),
    [
        ("do n--; while (n > 0);", "head of a loop"),
        ("for (int k = 0; k < n; k++) ;", "not in scope"),
    ],
)
def test_a_rank_that_no_witness_can_state_is_not_written(
    loop: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    text = f"int main(void) {{ int n = __VERIFIER_nondet_int(); {loop} return 0; }}"
    Path("p.c").write_text(text, encoding="utf-8")
    assert main(["check", "p.c", "--property", "termination", "--witness", "w.yml"]) == 2
    assert why in "".join(capsys.readouterr()) and not Path("w.yml").exists()


def test_a_formula_that_is_false_is_what_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("p.c").write_text("int x;\nint main(void) {\n  for (;;)\n    x = __VERIFIER_nondet_int();\n}\n")
    status, out = answer(capsys, "p.c", "--property", "<>[]{x == 1}")
    assert status == 1
    assert "<>[]{x == 1} is false on a run that stays in the loop at p.c:3 for ever" in " ".join(out.split())


def test_a_run_that_is_not_accepted_is_told_without_words_about_automata(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("p.c").write_text("int x;\nint main(void) {\n  for (;;)\n    x = 1 - x;\n}\n")
    status, out = answer(capsys, "p.c", "--property", "<>[]{x == 1}", "--timeout", "30")
    told = " ".join(out.split())
    assert status == 1 or "a run was found that seems to violate the property" in told
    assert "accept," not in told
