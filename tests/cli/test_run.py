"""`pincer run`, as a user calls it."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.cli.main import main

SUM = """
frame(n,s) and (
  int n and int s<==0 and input(n) and skip;
  while(n>0){s:=s+n and n:=n-1};
  output("s=",s) and skip
)
"""


def test_the_states_of_a_run_are_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "sum.m"
    path.write_text(SUM)
    assert main(["run", str(path), "--input", "n=2"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].split() == ["n", "2", "2", "1", "0", "0"]
    assert lines[2].split() == ["s", "0", "0", "2", "3", "3"]
    assert "output at s3: s=3" in lines


def test_a_long_run_shows_what_changes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "sum.m"
    path.write_text(SUM)
    assert main(["run", str(path), "--input", "n=20"]) == 0
    assert "s2  n = 19, s = 20" in capsys.readouterr().out


def test_a_run_that_goes_wrong_says_where(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "wrong.m"
    path.write_text("frame(x) and (int x<==0 and skip; x:=1/x)")
    assert main(["run", str(path)]) == 1
    assert "went wrong" in capsys.readouterr().out


def test_an_input_that_is_not_read_is_mentioned(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "sum.m"
    path.write_text(SUM)
    assert main(["run", str(path), "--input", "n=1", "--input", "m=5"]) == 0
    assert "does not read the input s_m" in capsys.readouterr().out


def test_a_cut_run_has_its_own_status(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "long.m"
    path.write_text("frame(x) and (int x<==0 and skip; while(true){x:=x+1})")
    assert main(["run", str(path), "--max-states", "50"]) == 3
    assert "cut after 50 states" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["p.c", "p.gcl"])
def test_programs_of_other_languages_are_not_run(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / name
    path.write_text("#include <assert.h>\n")
    assert main(["run", str(path)]) == 2
    assert "only MSVL programs are run" in capsys.readouterr().err
