"""Tests are kept between runs, one file for each program."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.checking.saved_tests import SavedTests
from pincer.engines.sequential import AS_IN_THE_PAPER, SequentialSettings, check
from pincer.engines.task import EngineTask
from pincer.errors import PincerError
from pincer.frontends.c.load import load
from pincer.logic import bitvectors
from pincer.runtime.run import Run

SOURCE = Path("p.c")


def test_a_program_without_saved_tests_has_none(tmp_path: Path) -> None:
    assert list(SavedTests(tmp_path / "new", SOURCE).planned()) == []


def test_saved_tests_come_back_as_values_of_input_symbols(tmp_path: Path) -> None:
    SavedTests(tmp_path, SOURCE).add([((32, 7), (8, 1)), ()])
    planned = list(SavedTests(tmp_path, SOURCE).planned())
    assert planned == [{bitvectors.variable("input0", 32): 7, bitvectors.variable("input1", 8): 1}, {}]


def test_a_test_is_kept_once(tmp_path: Path) -> None:
    SavedTests(tmp_path, SOURCE).add([((32, 7),)])
    again = SavedTests(tmp_path, SOURCE)
    again.add([((32, 7),), ((32, 8),)])
    assert SavedTests(tmp_path, SOURCE).tests == [((32, 7),), ((32, 8),)]


def test_programs_of_the_same_name_do_not_share_tests(tmp_path: Path) -> None:
    SavedTests(tmp_path, Path("a/p.c")).add([((32, 7),)])
    assert SavedTests(tmp_path, Path("b/p.c")).tests == []


@pytest.mark.parametrize("text", ["", "[]", '{"format": "other"}', '{"format": "pincer-inputs-1", "tests": [[[32]]]}'])
def test_a_file_that_holds_something_else_is_refused(text: str, tmp_path: Path) -> None:
    SavedTests(tmp_path, SOURCE).add([])
    [path] = tmp_path.iterdir()
    path.write_text(text, encoding="utf-8")
    with pytest.raises(PincerError, match="remove it"):
        SavedTests(tmp_path, SOURCE)


@pytest.mark.parametrize("value", ["-1", "true", "1.5", '"1"'])
def test_values_that_are_no_whole_numbers_are_refused(value: str, tmp_path: Path) -> None:
    SavedTests(tmp_path, SOURCE).add([])
    [path] = tmp_path.iterdir()
    path.write_text(f'{{"format": "pincer-inputs-1", "tests": [[[32, {value}]]]}}', encoding="utf-8")
    with pytest.raises(PincerError):
        SavedTests(tmp_path, SOURCE)


def test_the_tests_of_a_first_run_spare_the_second_one_its_questions(tmp_path: Path) -> None:
    source = tmp_path / "p.c"
    text = (
        "int main(void) {\n  int x = __VERIFIER_nondet_int();\n  if (3 * x + (x >> 2) == 3250)\n    reach_error();\n}\n"
    )
    source.write_text(text, encoding="utf-8")
    program = load(source)
    by_regions = SequentialSettings(choice=AS_IN_THE_PAPER)
    [first] = check(EngineTask(program, ("assertions",), by_regions), Run(timeout=20))
    assert [(value.kind, value.position.line) for value in first.tests[-1]] == [("nondet", 2)]
    saved = SavedTests(tmp_path / "kept", source)
    saved.add(tuple((value.width, value.value) for value in vector) for vector in first.tests)
    settings = SequentialSettings(planned=tuple(SavedTests(tmp_path / "kept", source).planned()))
    [second] = check(EngineTask(program, ("assertions",), settings), Run(timeout=20))
    assert (first.verdict, second.verdict) == ("unsafe", "unsafe")
    assert first.statistics["questions"] > 0
    assert second.statistics["questions"] == 0
