"""The arguments of calls: settings of projects, the programs that are named, calls as users write them."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import pytest

from pincer.checking.supervise import Limits
from pincer.checking.task import Asked, Options, Source, Task
from pincer.cli import check
from pincer.cli.arguments import call_about, context_of, known_file, project_settings, whole_call, with_settings
from pincer.cli.main import main
from pincer.errors import PincerError
from pincer.program.c_file import CFlags


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def settings(project: Path, text: str, name: str = "pyproject.toml") -> None:
    (project / name).write_text(text, encoding="utf-8")


def arguments(*words: str) -> argparse.Namespace:
    """What `pincer check` works with after these words and the settings of the current folder."""
    parser = argparse.ArgumentParser()
    check.add_arguments(parser)
    return with_settings(parser.parse_args(words))


def test_every_setting_becomes_the_option_of_its_name(project: Path) -> None:
    settings(
        project,
        """
        [tool.pincer]
        paths = ["src", "models/a.gcl"]
        property = ["memory", "specs/x.prp"]
        rule = "rules/lock.rule"
        engine = "dash"
        timeout = 2.5
        memory = 900
        define = { N = 3, M = -1 }
        data-model = "ILP32"
        entry = "start"
        include = ["include"]
        jobs = 2
        format = "json"
        """,
    )
    args = arguments()
    assert args.path == ["src", "models/a.gcl"]
    assert args.property == ["memory", "specs/x.prp"]
    assert args.rule == ["rules/lock.rule"]
    assert (args.engine, args.timeout, args.memory, args.jobs) == ("dash", 2.5, 900, 2)
    assert args.define == [("N", "3"), ("M", "-1")]
    assert (args.data_model, args.entry, args.include, args.format) == ("ILP32", "start", ["include"], "json")


def test_the_command_line_wins(project: Path) -> None:
    settings(
        project, '[tool.pincer]\npaths = "src"\nproperty = "memory"\nengine = "dash"\nformat = "json"\ntimeout = 5'
    )
    args = arguments("b.c", "--property", "race", "--engine", "auto", "--format", "text", "--timeout", "7")
    assert (args.path, args.property, args.engine, args.format, args.timeout) == (["b.c"], ["race"], "auto", "text", 7)


def test_without_settings_the_defaults_are_those_of_the_help(project: Path) -> None:
    args = arguments("b.c")
    assert (args.engine, args.format, args.timeout, args.property) == ("auto", "text", None, [])


def test_the_nearest_file_counts_and_its_paths_start_in_its_folder(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings(project, '[tool.pincer]\npaths = "models"')
    (project / "sub" / "deep").mkdir(parents=True)
    settings(project / "sub", "[tool.other]\nx = 1")
    monkeypatch.chdir(project / "sub" / "deep")
    assert project_settings(Path.cwd())["path"] == [str(project / "models")]
    settings(project / "sub", "timeout = 3", "pincer.toml")
    assert project_settings(Path.cwd()) == {"timeout": 3}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('engin = "ase"', "unknown setting `engin`; did you mean `engine`?"),
        ("zzz = 1", "unknown setting `zzz`; there are paths, property"),
        ('engine = "magic"', "the setting `engine` must be one of auto, ase"),
        ('timeout = "5"', "the setting `timeout` must be a positive number of seconds"),
        ("timeout = true", "the setting `timeout` must be a positive number of seconds"),
        ("timeout = 0", "the setting `timeout` must be a positive number of seconds"),
        ("timeout = inf", "the setting `timeout` must be a positive number of seconds"),
        ("memory = 1.5", "the setting `memory` must be a positive whole number of megabytes"),
        ("paths = [1]", "the setting `paths` must be a path or a list of paths"),
        ("define = { N = 1.5 }", "the setting `define` must be a table of whole numbers or texts"),
        ('define = { "a b" = 1 }', "the setting `define` must be a table of whole numbers or texts"),
        ("jobs = -1", "the setting `jobs` must be a positive whole number"),
    ],
)
def test_a_wrong_setting_is_a_mistake_at_its_line(project: Path, line: str, message: str) -> None:
    settings(project, f'[project]\nname = "x"\n\n[tool.pincer]\n# ours\n{line}\n')
    with pytest.raises(PincerError) as caught:
        project_settings(project)
    assert caught.value.message.startswith(message)
    assert str(caught.value.position) == "pyproject.toml:6:1"
    assert caught.value.excerpt == line


def test_a_table_of_its_own_is_found_too(project: Path) -> None:
    settings(project, "[tool.pincer]\ntimeout = 1\n[tool.pincer.define]\nN = 1.5\n")
    with pytest.raises(PincerError) as caught:
        project_settings(project)
    assert str(caught.value.position) == "pyproject.toml:3:1"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"[tool.pincer\n", "not valid TOML"),
        (b"\xff\xfe", "is not a text file in UTF-8"),
        (b"tool.pincer = 3", "table"),
    ],
)
def test_a_file_that_is_no_toml_is_a_mistake(
    project: Path, content: bytes, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "pyproject.toml").write_bytes(content)
    assert main(["check", "x.gcl"]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert "pyproject.toml" in error
    assert "Traceback" not in error


def test_a_call_without_any_file_says_what_to_do(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check"]) == 2
    assert "name a file or a folder to check" in capsys.readouterr().err


def test_help_does_not_depend_on_settings(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings(project, "[tool.pincer\n")
    with pytest.raises(SystemExit) as ended:
        main(["check", "--help"])
    assert ended.value.code == 0


def test_numbers_of_toml_do_not_reach_further_than_those_of_the_command_line(project: Path) -> None:
    settings(project, "[tool.pincer]\nmemory = 4_000\ntimeout = 1e2\n")
    args: Any = arguments("x.gcl")
    assert (args.memory, args.timeout) == (4000, 100.0)


def test_a_file_in_no_known_language_is_named_as_such(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("hello", encoding="utf-8")
    with pytest.raises(PincerError, match="no program that can be checked"):
        known_file(str(file))


TASK = Task(
    Source("a b.c", "ILP32", "f", CFlags(("inc",), (("N", "3"), ("M", None)), ("first.h",))),
    Asked(("memory",), ("r.rule",), ("3",), True),
    Options(engine="agse", spurious_wakeups=True, fairness="strong"),
)
WORDS = (
    "--property memory --rule r.rule --target 3 --stutter-end --spurious-wakeups --fairness strong "
    "--data-model ILP32 --entry f -I inc -D N=3 -U M -include first.h"
)


def test_a_call_about_a_file_has_what_belongs_to_every_command_about_it() -> None:
    assert call_about(TASK) == f"pincer check 'a b.c' {WORDS}"
    assert call_about(Task(Source("p.gcl"))) == "pincer check p.gcl"


def test_the_whole_call_names_paths_engine_and_constants() -> None:
    assert whole_call(["x", "y"], TASK) == f"pincer check x y --engine agse {WORDS}"


def test_a_suggestion_knows_the_call() -> None:
    context = context_of(TASK, Limits(2.0, 100), one_of_many=True)
    assert (context.timeout, context.memory_mb, context.one_of_many) == (2.0, 100, True)
    assert context.command("--timeout", "20") == f"pincer check 'a b.c' {WORDS} --engine agse --timeout 20"
