"""Which programs a call means: files as named, folders with everything Pincer reads below them."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.cli.sources import input_files
from pincer.errors import PincerError

TASK = 'format_version: "2.0"\ninput_files: "{name}"\nproperties:\n  - property_file: unreach-call.prp\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("a.gcl", "b.c", "c.i", "d.h", "sub/e.c", "notes.txt"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("", encoding="utf-8")
    return tmp_path


def names(folder: Path) -> list[str]:
    return [str(Path(file).relative_to(folder)) for file in input_files([str(folder)])]


def test_a_folder_stands_for_all_programs_below_it(folder: Path) -> None:
    assert names(folder) == ["a.gcl", "b.c", "c.i", "sub/e.c"]


def test_a_task_takes_the_place_of_the_program_it_names(folder: Path) -> None:
    (folder / "sub" / "task.yml").write_text(TASK.format(name="../b.c"), encoding="utf-8")
    assert names(folder) == ["a.gcl", "c.i", "sub/e.c", "sub/task.yml"]


def test_other_yaml_files_are_passed_over(folder: Path) -> None:
    (folder / "config.yml").write_text("skip: true\n", encoding="utf-8")
    (folder / "broken.yml").write_text("[", encoding="utf-8")
    assert names(folder) == ["a.gcl", "b.c", "c.i", "sub/e.c"]


def test_a_file_is_taken_as_it_is_named_and_once(folder: Path) -> None:
    file = str(folder / "absent.gcl")
    assert input_files([file, file]) == [file]


def test_a_folder_without_programs_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PincerError, match="no task below"):
        input_files([str(tmp_path)])


def test_a_file_in_no_known_language_is_named_as_such(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("hello", encoding="utf-8")
    with pytest.raises(PincerError, match="no program that can be checked"):
        input_files([str(file)])
