"""Compilation databases: what changes how a file is read is taken over, the rest is another compiler's."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pincer.checking.compile_commands import read_database
from pincer.errors import PincerError
from pincer.program.c_file import CFile, CFlags


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("src", "build"):
        Path(name).mkdir()
    Path("src/a.c").write_text("int a;\n")
    Path("build/config.h").write_text("")


def written(*entries: Any) -> Path:
    path = Path("build/compile_commands.json")
    path.write_text(json.dumps(entries))
    return path


def entry(**members: Any) -> dict[str, Any]:
    return {"directory": str(Path("build").absolute()), "file": "../src/a.c", **members}


def flags_of(*words: str) -> CFile:
    [file] = read_database(written(entry(arguments=list(words)))).files
    return file


def test_flags_that_matter_are_taken_over() -> None:
    words = (
        "-I../inc -isystem sys -DN -D M=2 -UN -include config.h -include stdio.h -m32 -O2 -std=c99 -o a.o -c ../src/a.c"
    )
    expected = CFlags(("inc", "build/sys"), (("N", "1"), ("M", "2"), ("N", None)), ("build/config.h", "stdio.h"))
    assert flags_of("cc", *words.split()) == CFile("src/a.c", expected, "ILP32")


def test_a_command_is_split_as_a_shell_does() -> None:
    [file] = read_database(written(entry(command="cc '-DTEXT=\"a b\"' -c ../src/a.c"))).files
    assert file.flags.macros == (("TEXT", '"a b"'),)


def test_flags_of_another_compiler_are_ignored_with_their_values() -> None:
    words = "--target=arm -MF -Dnot.d -Xclang -Dnot --sysroot -Inot -fplugin=x -march=native -imacros -Unot @rsp"
    assert flags_of("clang", *words.split()) == CFile("src/a.c", CFlags(), "LP64")
    found = flags_of("C:\\tools\\cl.exe", "/DN=3", "/I", "inc", "/FIconfig.h", "/Od", "/nologo", "/c")
    assert found.flags == CFlags(("build/inc",), (("N", "3"),), ("build/config.h",))


def test_what_is_left_out_is_told() -> None:
    ways = [entry(arguments=["cc", f"-DN={n}"]) for n in (1, 1, 2)]
    others = [entry(file="gone.c", arguments=["cc"]), entry(file="x.cpp", arguments=["c++"])]
    found = read_database(written(*ways, *others))
    assert [file.flags.macros for file in found.files] == [(("N", "1"),)]
    assert found.remarks == (
        "src/a.c is compiled in several ways: the first one is taken",
        "build/gone.c is not there",
        "build/x.cpp is not C",
    )


def test_files_that_are_left_out_for_one_reason_have_one_remark() -> None:
    gone = [entry(file=f"{name}.c", arguments=["cc"]) for name in "pqrpst"]
    assert read_database(written(*gone[:2])).remarks == ("build/p.c, build/q.c are not there",)
    assert read_database(written(*gone)).remarks == ("build/p.c, build/q.c, build/r.c and 2 more are not there",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "is no compilation database: "),
        ("{}", "it is not a list of commands"),
        ("[1]", "it is not a list of commands"),
        ('[{"file": 3}]', 'entry 1 must have a "file"'),
        ('[{"file": "../src/a.c"}]', 'entry 1 must have "arguments" or a "command"'),
        ('[{"file": "../src/a.c", "command": "cc \'"}]', "the command of entry 1 cannot be read"),
    ],
)
def test_what_is_no_database_is_refused(text: str, message: str) -> None:
    path = written()
    path.write_text(text)
    with pytest.raises(PincerError, match=message):
        read_database(path)
    with pytest.raises(PincerError, match=r"cannot read gone\.json"):
        read_database(Path("gone.json"))
