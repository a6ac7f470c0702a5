"""The outermost layer: starting fast, refusing wrong calls, ending cleanly."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from pincer import __version__
from pincer.cli.main import main

HEAVY = ("z3", "cvc5", "lark", "rich", "islpy", "pygraphviz", "multiprocessing")


@pytest.mark.parametrize("arguments", [["--version"], ["check", "--help"]])
def test_starting_imports_nothing_heavy(arguments: list[str]) -> None:
    code = (
        "import sys\nfrom pincer.cli.main import main\n"
        f"try: main({arguments!r})\n"
        "except SystemExit as end: assert end.code == 0, end.code\n"
        f"assert not [m for m in {HEAVY!r} if m in sys.modules]"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=30)
    assert done.returncode == 0, done.stderr


def test_version_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--version"])
    assert capsys.readouterr().out == f"pincer {__version__}\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ["prove", "x.gcl"],
        ["check", "x.gcl", "--engine", "magic"],
        ["check", "x.gcl", "-D", "1=N"],
        ["check", "x.gcl", "-U", "N=1"],
        ["check", "x.gcl", "--timeout", "-1"],
        ["check", "x.gcl", "--timeout", "nan"],
        ["check", "x.gcl", "--memory", "0"],
        ["check", "x.gcl", "--quiet", "--verbose"],
        ["check", "x.gcl", "--unknown", "y.gcl"],
        ["certify", "x.json", "y.json"],
        ["show", "x.gcl", "--limit", "none"],
    ],
)
def test_a_wrong_call_exits_with_two(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert "usage:" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["chek", "x.gcl"], "there is no command 'chek'; did you mean `check`?"),
        (["magic"], "there is no command 'magic'; there are check, replay"),
        (["check", "x.gcl", "--propery", "ok"], "there is no option --propery; did you mean `--property`?"),
        (["check", "x.gcl", "--timout=3"], "there is no option --timout; did you mean `--timeout`?"),
        (["check", "x.gcl", "--zzz"], "there is no option --zzz\n"),
    ],
)
def test_a_mistyped_word_is_answered_with_the_likeliest(
    arguments: list[str], hint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(arguments)
    assert hint in capsys.readouterr().err


def test_a_file_without_a_command_is_answered_with_the_call(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a b.c").write_text("int main(void) { return 0; }\n")
    with pytest.raises(SystemExit):
        main([str(tmp_path / "a b.c")])
    assert f"pincer check '{tmp_path / 'a b.c'}'" in capsys.readouterr().err


def test_the_name_alone_shows_what_one_can_do(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    shown = capsys.readouterr().out
    assert shown.count("  pincer ") == 3 and "HOLDS" in shown and "decide the safety properties" in shown
    assert max(map(len, shown.splitlines())) <= 82


def test_a_mistyped_file_is_answered_with_its_neighbour(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "counter.c").write_text("int main(void) { return 0; }\n")
    assert main(["check", str(tmp_path / "conter.c")]) == 2
    assert f"did you mean `{tmp_path / 'counter.c'}`?" in capsys.readouterr().err


def test_a_report_that_is_no_page_is_questioned_before_any_work(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.c").write_text("int main(void) { return 0; }\n")
    assert main(["check", str(tmp_path / "a.c"), "--report", str(tmp_path / "out.txt")]) == 2
    captured = capsys.readouterr()
    assert f"name it {tmp_path / 'out.html'}" in captured.err and captured.out == ""


def test_files_may_stand_behind_options(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "main.c").write_text('#include "f.h"\nint main(void) { return f() + LESS; }\n')
    (tmp_path / "f.c").write_text("int f(void) { return 1; }\n")
    (tmp_path / "include").mkdir()
    (tmp_path / "include" / "f.h").write_text("int f(void);\n")
    words = [str(tmp_path / "main.c"), "-I", str(tmp_path / "include"), str(tmp_path / "f.c"), "-DLESS=-1"]
    assert main(["check", *words, "--property", "assertions"]) == 0
    assert "HOLDS" in capsys.readouterr().out


@pytest.mark.parametrize("command", ["check", "replay", "certify", "show"])
def test_a_missing_file_is_a_mistake_not_a_crash(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, "no/such/file"]) == 2
    captured = capsys.readouterr()
    assert "no/such/file" in captured.err
    assert "Traceback" not in captured.err


def test_a_reader_that_leaves_early_causes_no_noise() -> None:
    code = (
        "import os, sys\nfrom pincer.cli import main as module\n"
        "import pincer.cli.check\n"
        "def run(args):\n    print('x' * 100_000)\n    return 0\n"
        "pincer.cli.check.run = run\nsys.exit(module.main(['check', 'x']))"
    )
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.close()
    _, err = process.communicate(timeout=30)
    assert err == b""
