"""`pincer translate`: C programs as MSVL programs, which are run and checked."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.cli.main import main

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


def test_a_c_program_is_translated(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = tmp_path / "p.c"
    program.write_text(C_PROGRAM)
    assert main(["translate", str(program), "-o", str(tmp_path / "p.m")]) == 0
    assert main(["run", str(tmp_path / "p.m"), "--input", "main_n=3", "--int32"]) == 0
    assert "ended" in capsys.readouterr().out


def test_a_translation_can_be_checked_with_the_integers_of_c(tmp_path: Path) -> None:
    program, wanted, translated = tmp_path / "p.c", tmp_path / "p.p", tmp_path / "p.m"
    program.write_text(
        "int __VERIFIER_nondet_int(void); int y; int main(void) { y = __VERIFIER_nondet_int(); return 0; }"
    )
    wanted.write_text("define small: y<=2147483647; alw(small)")
    assert main(["check", str(program), "--engine", "dse", "--property", str(wanted)]) == 0
    assert main(["translate", str(program), "-o", str(translated)]) == 0
    assert "--int32" in translated.read_text().splitlines()[0]
    assert main(["check", str(translated), "--property", str(wanted), "--int32"]) == 0


def test_what_has_no_exact_translation_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = tmp_path / "p.c"
    program.write_text("int main(void) { goto end; end: return 0; }")
    assert main(["translate", str(program)]) == 3
    assert "goto" in capsys.readouterr().err
