"""Folders: which programs are found below them, in which order, and what is passed over."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.cli.folders import programs_below
from pincer.errors import PincerError

TASK_FILE = 'format_version: "2.0"\ninput_files: "{name}"\nproperties:\n  - property_file: unreach-call.prp\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("a.gcl", "b.c", "c.i", "d.h", "sub/e.c", "notes.txt"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("", encoding="utf-8")
    return tmp_path


def names(folder: Path) -> list[str]:
    return [str(Path(file).relative_to(folder)) for file in programs_below(folder).files]


def test_a_folder_stands_for_all_programs_below_it(folder: Path) -> None:
    assert names(folder) == ["a.gcl", "b.c", "c.i", "sub/e.c"]


def test_a_task_takes_the_place_of_the_program_it_names(folder: Path) -> None:
    (folder / "sub" / "task.yml").write_text(TASK_FILE.format(name="../b.c"), encoding="utf-8")
    assert names(folder) == ["a.gcl", "c.i", "sub/e.c", "sub/task.yml"]


def test_other_yaml_files_are_passed_over(folder: Path) -> None:
    (folder / "config.yml").write_text("skip: true\n", encoding="utf-8")
    (folder / "broken.yml").write_text("[", encoding="utf-8")
    assert names(folder) == ["a.gcl", "b.c", "c.i", "sub/e.c"]


def test_a_folder_without_programs_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PincerError, match="no task below"):
        programs_below(tmp_path)


def test_numbers_in_names_count_as_numbers(tmp_path: Path) -> None:
    for name in ("10-b.gcl", "2-a.gcl", "x1/9.gcl", "x1/10.gcl"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("", encoding="utf-8")
    assert names(tmp_path) == ["2-a.gcl", "10-b.gcl", "x1/9.gcl", "x1/10.gcl"]


def test_what_other_tools_keep_there_is_passed_over_with_a_remark(folder: Path) -> None:
    for name in (".git/a.c", "node_modules/b.c", "env/pyvenv.cfg", "env/c.c"):
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("", encoding="utf-8")
    assert names(folder) == ["a.gcl", "b.c", "c.i", "sub/e.c"]
    [remark] = programs_below(folder).remarks
    assert remark == f"passed over: {folder}/.git, {folder}/env, {folder}/node_modules"


@pytest.mark.parametrize("text", ["#import <Foundation/Foundation.h>\n", "% averages\nfunction y = f(x)\n"])
def test_other_languages_with_the_ending_of_msvl_are_passed_over(folder: Path, text: str) -> None:
    (folder / "foreign.m").write_text(text, encoding="utf-8")
    (folder / "own.m").write_text("frame(x) and (int x <== 0)\n", encoding="utf-8")
    assert names(folder) == ["a.gcl", "b.c", "c.i", "own.m", "sub/e.c"]
    assert programs_below(folder).remarks == (f"passed over: {folder / 'foreign.m'}",)
