"""The programs that a call is about."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import pytest

from pincer.cli.check import add_arguments
from pincer.cli.inputs import one_program, programs_of
from pincer.cli.main import main
from pincer.errors import PincerError

MAIN = "int f(void);\nint main(void) { return f(); }\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("src").mkdir()
    for name, text in {"a.c": MAIN, "b.c": "int f(void) { return 1; }\n", "c.c": "int g;\n"}.items():
        (Path("src") / name).write_text(text)
    Path("m.gcl").write_text("var x: int := 0;\nsafety ok: x = 0;\n")


def call(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    return parser.parse_args(words)


def shown(args: argparse.Namespace) -> list[tuple[str, ...]]:
    return [(source.file, *(other.path for other in source.others)) for source in programs_of(args).sources]


def test_files_that_are_named_belong_together_and_keep_the_place_of_the_first() -> None:
    assert shown(call("src/b.c", "m.gcl", "src/a.c")) == [("src/a.c", "src/b.c"), ("m.gcl",)]
    assert shown(call("src/a.c")) == [("src/a.c",)]


def test_a_folder_is_searched_for_programs() -> None:
    found = programs_of(call("."))
    assert [source.file for source in found.sources] == ["m.gcl", "src/a.c"]
    assert [library.path for library in found.libraries] == ["src/c.c"]


def test_the_name_of_a_file_is_enough_where_only_one_program_has_it() -> None:
    (Path("src") / "d.c").write_text("int main(void) { return 0; }\n")
    assert shown(call("src", "--program", "d.c")) == [("src/d.c",)]
    Path("more").mkdir()
    (Path("more") / "d.c").write_text("int main(void) { return 0; }\n")
    assert shown(call(".", "--program", "more/d.c")) == [("more/d.c",)]
    with pytest.raises(PincerError, match=r"there is no program 'd\.c' here; there are"):
        programs_of(call(".", "--program", "d.c"))


def test_flags_of_the_call_come_behind_those_of_a_database() -> None:
    command = {"directory": "..", "file": "src/a.c", "arguments": ["cc", "-DN=1"]}
    Path("src/compile_commands.json").write_text(json.dumps([command]))
    [source] = programs_of(call("src", "-DN=2", "--malloc-may-fail", "--externals", "havoc")).sources
    assert (source.flags.malloc_may_fail, source.flags.externals) == (True, "havoc")
    assert source.flags.macros == (("N", "1"), ("N", "2"))
    assert source.words == ("src", "--program", "src/a.c")


def test_other_commands_are_about_one_program() -> None:
    found = one_program(["src/a.c", "src/b.c"], call())
    assert (found.file, [other.path for other in found.others]) == ("src/a.c", ["src/b.c"])
    assert one_program(["m.gcl"], call()).file == "m.gcl"
    with pytest.raises(PincerError, match="only if all of them are C"):
        one_program(["m.gcl", "src/a.c"], call())
    with pytest.raises(PincerError, match="one of them must have the function 'main'"):
        one_program(["src/b.c", "src/c.c"], call())


def test_a_database_without_programs_says_what_it_has() -> None:
    Path("compile_commands.json").write_text('[{"directory": ".", "file": "gone.c", "command": "cc"}]')
    with pytest.raises(PincerError, match=r"there is no program here; compile_commands\.json: gone\.c is not there"):
        programs_of(call("compile_commands.json"))
    Path("compile_commands.json").write_text("[]")
    with pytest.raises(PincerError, match=r"there is no program here; compile_commands\.json: it lists no commands"):
        programs_of(call("compile_commands.json"))


def test_named_libraries_are_skipped_where_that_is_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "lib.c").write_text("int area(int w) { return w; }\n", encoding="utf-8")
    (tmp_path / "main.c").write_text("int area(int);\nint main(void) { return area(0); }\n", encoding="utf-8")
    library, program = str(tmp_path / "lib.c"), str(tmp_path / "main.c")
    assert main(["check", "-q", "--skip-libraries", library]) == 0
    assert f"not checked: no entry in {library}" in capsys.readouterr().out.replace("\n  ", " ")
    assert main(["check", "--skip-libraries", "--format", "sarif", library]) == 0
    assert '"results": []' in capsys.readouterr().out
    assert main(["check", "-q", "--skip-libraries", library, program]) == 0
    assert "3 hold" in capsys.readouterr().out
    assert main(["check", "-q", library]) == 2
