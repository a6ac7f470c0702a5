"""C programs of several files: what users type, what they read, and that evidence names all files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pincer.cli.main import main

Output = pytest.CaptureFixture[str]
LIST = """\
#include "list.h"
static int count;
int total;
void add(int value) {
  count++;
  total += value * SIZE;
}
"""
MAIN = """\
#include <assert.h>
#include "list.h"
int __VERIFIER_nondet_int(void);
static int count = 7;
int main(void) {
  add(__VERIFIER_nondet_int());
  assert(count == 7);
  assert(total != 44);
  return 0;
}
"""
FLAGS = ("-I", "include", "-DSIZE=4")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("include").mkdir()
    Path("include/list.h").write_text("extern int total;\nvoid add(int);\n")
    Path("list.c").write_text(LIST)
    Path("main.c").write_text(MAIN)
    Path("safe.c").write_text(MAIN.replace("total != 44", "total % 4 == 0"))


def said(capsys: Output, *arguments: str) -> tuple[int, str]:
    status = main([*arguments])
    printed = capsys.readouterr()
    assert "Traceback" not in printed.out + printed.err
    return status, " ".join((printed.out + printed.err).split())


def test_a_violation_is_shown_in_both_files_and_compiled_from_both(capsys: Output) -> None:
    status, printed = said(capsys, "check", "main.c", "list.c", *FLAGS, "--property", "assertions", "--test-out", "bug")
    assert status == 1
    assert "list.c:6 total += value * SIZE; total = 44" in printed
    assert "list.count = 1" in printed
    assert "confirmed by execution: reached a failing assertion at line 8" in printed
    assert {"program.i", "program-2.i"} <= {path.name for path in Path("bug").iterdir()}
    status, printed = said(capsys, "replay", "bug/test.json")
    assert status == 0 and printed.startswith("REPRODUCED main.c")
    Path("list.c").write_text(LIST + "\n")
    status, printed = said(capsys, "replay", "bug/test.json")
    assert status == 2 and "another version of list.c" in printed


def test_a_proof_is_about_all_files(capsys: Output) -> None:
    call = ("check", "safe.c", "list.c", *FLAGS, "--property", "assertions", "--certificate", "proof.json")
    assert said(capsys, *call)[0] == 0
    others = json.loads(Path("proof.json").read_text())["loading"]["others"]
    assert [other["path"] for other in others] == ["list.c"]
    assert said(capsys, "certify", "proof.json")[0] == 0
    Path("list.c").write_text(LIST.replace("SIZE", "1"))
    status, printed = said(capsys, "certify", "proof.json")
    assert status == 2 and "another version of list.c" in printed


def test_a_suite_covers_all_files(capsys: Output) -> None:
    status, printed = said(capsys, "test", "main.c", "list.c", *FLAGS, "-o", "suite")
    assert status == 0
    assert "measured by gcov" in printed


def test_documents_name_the_file_of_each_line(capsys: Output) -> None:
    main(["check", "main.c", "list.c", *FLAGS, "--property", "assertions", "--format", "sarif"])
    document = capsys.readouterr().out
    assert '"uri": "list.c"' in document and '"uri": "main.c"' in document
    main(["check", "main.c", "list.c", *FLAGS, "--property", "assertions", "--format", "json"])
    assert json.loads(capsys.readouterr().out)["program"]["files"] == ["main.c", "list.c"]


def test_a_folder_has_a_program_for_every_main_and_lists_libraries(capsys: Output) -> None:
    Path("alone.c").write_text("int area(int a) { return a * a; }\n")
    status, printed = said(capsys, "check", ".", *FLAGS, "--property", "assertions", "--quiet")
    assert status == 1
    assert "VIOLATED main.c: assertions HOLDS safe.c: assertions" in printed
    assert "not checked: no entry in alone.c; try --entry area" in printed
    assert "list.c:" not in printed


def test_a_folder_of_libraries_is_told_to_name_an_entry(capsys: Output) -> None:
    Path("lib").mkdir()
    Path("lib/alone.c").write_text("int area(int a) { return a * a; }\n")
    status, printed = said(capsys, "check", "lib")
    assert status == 2
    assert "there is no function `main` with a body in lib/alone.c; start in another function" in printed
    assert said(capsys, "check", "lib", "--entry", "area", "--property", "assertions")[0] == 0


def test_a_database_brings_flags_and_programs(capsys: Output) -> None:
    Path("build").mkdir()
    commands = [
        {"directory": str(Path("build").absolute()), "file": f"../{name}", "command": f"cc -I../include {flag} -O2"}
        for name, flag in (("main.c", ""), ("list.c", "-DSIZE=2 -fanalyzer"), ("safe.c", ""), ("gone.c", ""))
    ]
    Path("build/compile_commands.json").write_text(json.dumps(commands))
    status, printed = said(capsys, "check", "build", "--property", "assertions", "--quiet")
    assert status == 1
    assert "VIOLATED main.c" in printed and "VIOLATED safe.c" in printed
    assert "note: build/compile_commands.json: gone.c is not there" in printed
    call = ("check", "build/compile_commands.json", "--program", "main.c", "--property", "assertions")
    status, printed = said(capsys, *call)
    assert status == 1
    assert "= 22 (main.c:6)" in printed
    assert "next pincer check build/compile_commands.json --program main.c" in printed


def test_files_of_different_data_models_are_refused(capsys: Output) -> None:
    commands = [
        {"directory": ".", "file": name, "arguments": ["cc", "-Iinclude", "-DSIZE=1", *flags]}
        for name, flags in (("main.c", ["-m32"]), ("list.c", []))
    ]
    Path("compile_commands.json").write_text(json.dumps(commands))
    status, printed = said(capsys, "check", ".", "--property", "assertions")
    assert status == 2
    assert "main.c is compiled for ILP32 and list.c for LP64; choose one with --data-model" in printed
    assert said(capsys, "check", ".", "--property", "assertions", "--32")[0] == 1


def test_settings_name_programs(capsys: Output) -> None:
    Path("pincer.toml").write_text(
        'property = "assertions"\n[programs.bad]\nfiles = ["main.c", "list.c"]\ninclude = "include"\n'
        'define = ["SIZE=4"]\n[programs.good]\nfiles = ["safe.c", "list.c"]\ninclude = ["include"]\n'
        "define = { SIZE = 8 }\n"
    )
    assert said(capsys, "check", "--program", "good")[0] == 0
    status, printed = said(capsys, "check", "--quiet")
    assert status == 1 and "VIOLATED main.c" in printed and "HOLDS safe.c" in printed
    status, printed = said(capsys, "check", "--program", "ugly")
    assert status == 2 and "there is no program 'ugly' here; there are bad, good" in printed
    Path("pincer.toml").write_text("[programs.bad]\nfile = 3\n")
    status, printed = said(capsys, "check")
    assert status == 2 and "tables [programs.NAME] with `files`" in printed


def test_definitions_that_clash_are_refused_with_both_places(capsys: Output) -> None:
    Path("twice.c").write_text('#include "list.h"\nvoid add(int value) { total = value; }\n')
    status, printed = said(capsys, "check", "main.c", "list.c", "twice.c", *FLAGS)
    assert status == 2
    assert "twice.c:2:6: error: `add` has a body already, at list.c:4:6" in printed


def test_a_missing_function_is_an_assumption_only_where_it_is_called(capsys: Output) -> None:
    Path("calls.c").write_text("int gone(void);\nint main(void) { return gone(); }\n")
    Path("none.c").write_text("int gone(void);\nint f(void) { return gone(); }\n")
    status, printed = said(capsys, "check", "calls.c", "--property", "assertions")
    assert "gone" in printed
    Path("other.c").write_text("int main(void) { return 0; }\n")
    status, printed = said(capsys, "check", "other.c", "none.c", "--property", "assertions")
    assert status == 0 and "gone" not in printed


def test_a_threaded_program_of_two_files_is_confirmed(capsys: Output) -> None:
    Path("t.h").write_text("#include <pthread.h>\nextern int shared;\nvoid *work(void *);\n")
    Path("work.c").write_text('#include "t.h"\nvoid *work(void *p) { int c = shared; shared = c + 1; return 0; }\n')
    Path("start.c").write_text(
        '#include <assert.h>\n#include "t.h"\nint shared;\nint main(void) {\n  pthread_t a;\n'
        "  pthread_create(&a, 0, work, 0);\n  shared++;\n  pthread_join(a, 0);\n  assert(shared == 2);\n}\n"
    )
    status, printed = said(capsys, "check", "start.c", "work.c", "--property", "assertions")
    assert status == 1
    assert "confirmed by execution" in printed and "work.c:2" in printed


def test_a_witness_names_all_files(capsys: Output) -> None:
    call = ("check", "main.c", "list.c", *FLAGS, "--property", "assertions", "--witness", "bug.yml")
    assert said(capsys, *call)[0] == 1
    text = Path("bug.yml").read_text()
    assert "      - main.c\n      - list.c\n" in text
    assert "line: 8" in text.rpartition("type: target")[2]


def test_a_task_may_name_several_files(capsys: Output) -> None:
    Path("tasks").mkdir()
    Path("tasks/t.yml").write_text(
        "format_version: '2.0'\ninput_files: ['../main.c', '../list.c']\nproperties:\n"
        "  - property_file: unreach-call.prp\noptions:\n  language: C\n  data_model: LP64\n"
    )
    call = ("check", "tasks", *FLAGS, "--property", "assertions", "--quiet")
    status, printed = said(capsys, *call)
    assert status == 1 and "VIOLATED tasks/t.yml: assertions" in printed
