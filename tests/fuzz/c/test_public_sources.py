"""The sweep over public sources counts what gcc accepts, and names what is missing.

`make sweep SOURCES="FOLDER FOLDER"` runs it on real ones.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from . import compiler
from .public_sources import Outcome, candidates, construct, main, outcome, table

pytestmark = pytest.mark.skipif(not compiler.available(), reason="gcc is not installed: nothing to compare with")

READ = '#include <stdio.h>\nint main(void) { double d = 2; printf("%d", d > 1); return 0; }\n'
ASSEMBLY = 'int main(void) { int x; __asm__("cpuid" : "=a"(x)); return x; }\n'
HEADER = '#include "own.h"\nint main(void) { return OWN; }\n'


def _write(folder: Path, **files: str) -> None:
    for name, text in files.items():
        (folder / f"{name}.c").write_text(text)


def test_files_with_a_main_are_looked_at(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    _write(tmp_path / "inner", program=READ, library="int f(void) { return 1; }\n")
    (tmp_path / "notes.txt").write_text(READ)
    assert candidates([tmp_path]) == [str(tmp_path / "inner" / "program.c")]


def test_what_gcc_refuses_does_not_count(tmp_path: Path) -> None:
    _write(tmp_path, wrong="int main(void) { return undeclared; }\n", read=READ)
    assert outcome(str(tmp_path / "wrong.c"), ()).what is None
    assert outcome(str(tmp_path / "read.c"), ()).what == ()


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    _write(tmp_path, assembly=ASSEMBLY, header=HEADER)
    (tmp_path / "include").mkdir()
    (tmp_path / "include" / "own.h").write_text("#define OWN 0\n")
    [missing] = outcome(str(tmp_path / "assembly.c"), ()).what or ()
    assert "assembly" in missing
    assert outcome(str(tmp_path / "header.c"), ()).what is None
    assert outcome(str(tmp_path / "header.c"), (str(tmp_path / "include"),)).what == ()


def test_the_table_counts_files_by_construct() -> None:
    found = [
        Outcome("a.c", ()),
        Outcome("b.c", ("the function mmap", "the function mmap")),
        Outcome("c.c", ("refused: the header x.h is not found; name its folder",)),
        Outcome("d.c", None),
    ]
    lines = table(found, late=1)
    assert lines[0] == "1 of 4 files that gcc accepts and that have a main are read: 25.0 %"
    assert lines[1:] == ["     1  took too long", "     1  the function mmap", "     1  the header x.h is not found"]
    assert construct("`x` is changed and used") == "`...` is changed and used"


def test_the_sweep_runs_over_folders(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _write(tmp_path, read=READ, assembly=ASSEMBLY)
    assert main([str(tmp_path), "--jobs", "1", "--list"]) == 0
    shown = capsys.readouterr().out
    assert "assembly.c: " in shown and "1 of 2 files" in shown
