"""What a compiler is told about reading a file, as words of calls."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.program.c_file import CFlags

FLAGS = CFlags(("inc",), (("N", "3"), ("M", None), ("F(x)", "x + 1")), ("first.h", "stdio.h"))


def test_flags_are_the_options_they_came_from() -> None:
    assert FLAGS.words() == (
        *("-I", "inc", "-D", "N=3", "-U", "M", "-D", "F(x)=x + 1"),
        *("-include", "first.h", "-include", "stdio.h"),
    )


def test_a_compiler_that_runs_elsewhere_gets_absolute_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "first.h").write_text("int a;\n")
    assert FLAGS.compiler_words() == (
        *(f"-I{tmp_path / 'inc'}", "-DN=3", "-UM", "-DF(x)=x + 1"),
        *("-include", f"{tmp_path / 'first.h'}", "-include", "stdio.h"),
    )
