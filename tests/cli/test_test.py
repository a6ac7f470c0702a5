"""`pincer test`: suites of tests for C programs."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from pincer.cli.main import main

Output = pytest.CaptureFixture[str]
needs_gcc = pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no gcc")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@needs_gcc
def test_a_suite_is_written_and_measured(capsys: Output) -> None:
    text = "int main(void) { if (__VERIFIER_nondet_int() == 56) return 1; return 0; }\n"
    Path("decision.c").write_text(text, encoding="utf-8")
    assert main(["test", "decision.c", "-o", "suite"]) == 0
    out = capsys.readouterr().out
    assert "branch coverage" in " ".join(out.split())
    assert Path("suite/metadata.xml").is_file()
    assert list(Path("suite").glob("testcase*.xml"))


def test_a_suite_that_leaves_sides_out_says_why(capsys: Output) -> None:
    text = "int main(void) { unsigned c = __VERIFIER_nondet_uchar(); if (c > 255) return 1; return 0; }\n"
    Path("impossible.c").write_text(text, encoding="utf-8")
    assert main(["test", "impossible.c", "-o", "suite"]) == 0
    assert "1 of 2 sides of decisions taken (no way to the others in" in " ".join(capsys.readouterr().out.split())
