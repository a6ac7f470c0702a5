"""`-D`, `-U`, `-include` and `-I` for C programs, as compilers know them, also in what evidence says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pincer.cli.main import main

Output = pytest.CaptureFixture[str]
PROGRAM = """\
#include <assert.h>
#include "size.h"
int main(void) {
  int n = SIZE;
#ifdef BROKEN
  assert(n != LIMIT);
#endif
  return 0;
}
"""
FLAGS = ("-I", "inc", "-DSIZE=4", "-D", "BROKEN", "-include", "limit.h")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("inc").mkdir()
    Path("inc/size.h").write_text("#ifndef SIZE\n#define SIZE 1\n#endif\n")
    Path("limit.h").write_text("#define LIMIT 4\n")
    Path("p.c").write_text(PROGRAM)


def test_a_program_is_read_and_compiled_with_the_macros_of_the_call(capsys: Output) -> None:
    assert main(["check", "p.c", "--property", "assertions", *FLAGS, "--test-out", "bug"]) == 1
    printed = capsys.readouterr().out
    assert "confirmed by execution" in printed
    assert main(["replay", "bug/test.json"]) == 0
    assert main(["check", "p.c", "--property", "assertions", *FLAGS, "-U", "BROKEN"]) == 0


def test_a_proof_is_checked_again_with_the_same_macros(capsys: Output) -> None:
    flags = ("-I", "inc", "-DBROKEN", "-DLIMIT=(SIZE + 1)")
    assert main(["check", "p.c", "--property", "assertions", *flags, "--certificate", "proof.json"]) == 0
    loading = json.loads(Path("proof.json").read_text())["loading"]
    assert loading["macros"] == [["BROKEN", "1"], ["LIMIT", "(SIZE + 1)"]]
    assert main(["certify", "proof.json"]) == 0


def test_constants_of_guarded_commands_stay_whole_numbers(capsys: Output) -> None:
    Path("p.gcl").write_text("const N = 1;\nvar x: int := N;\nsafety ok: x = N;\n")
    for option, told in (("-DN", ""), ("-DN=a", "-D N=a is for C"), ("-UN", "-U N is for C programs")):
        assert main(["check", "p.gcl", option]) == (2 if told else main(["check", "p.gcl", "-DN=1"]))
        assert told in capsys.readouterr().err
