"""Temporal properties over C variables: `define` names them as C does."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.errors import PincerError
from pincer.execution.msvl import Options, StateObserver, execute
from pincer.frontends.msvl import parse_condition, parse_program
from pincer.frontends.msvl.from_c import translate, translate_with_property
from pincer.frontends.source import SourceText
from pincer.temporal.property import parse_properties

PROGRAM = """\
struct pair { int next; };
int len = 1; struct pair s;
int f(int x) { int t, twice = 2 * x; return twice; }
int main(void) { int y = f(3); len = y; s.next = len; { int x = 1, t; len += x; } return 0; }
"""


def _paths(folder: Path, property_text: str) -> tuple[Path, Path]:
    (folder / "program.c").write_text(PROGRAM, encoding="utf-8")
    (folder / "goal.p").write_text(property_text, encoding="utf-8")
    return folder / "program.c", folder / "goal.p"


@pytest.mark.parametrize(
    ("expression", "written", "truth"),
    [
        ("len=7", "len$=7", True),
        ("s.next=6", "s.next$=6", True),
        ("y = 6 AND len > 6", "main_y = 6 AND len$ > 6", True),
        ("twice=6", "f_twice=6", False),
        ("main_y=7", "main_y=7", False),
        ("len$ = 6", "len$ = 6", False),
    ],
)
def test_names_of_c_become_those_of_the_translation(expression: str, written: str, truth: bool, tmp_path: Path) -> None:
    found = translate_with_property(*_paths(tmp_path, f"</ define p: {expression}; som(p) />"))
    program = parse_program(found.text, "program.m")
    (goal,) = parse_properties(found.text, "program.m")
    assert [(define.name, define.text) for define in goal.defines] == [("p", written)]
    run = execute(program, options=Options(int32=found.int32))
    condition = parse_condition(goal.defines[0].text, SourceText("goal.p", goal.defines[0].text))
    assert StateObserver(program).observe(run.states[-1], condition).value == truth
    assert found.globals == {"len": "len$", "s": "s"}
    assert found.locals["x"] == ("x", "main_x")


def test_a_file_without_blocks_is_one_block(tmp_path: Path) -> None:
    found = translate_with_property(*_paths(tmp_path, "define p: len=1; // len\nalw(p)"))
    (goal,) = parse_properties(found.text, "program.m")
    assert goal.defines[0].text == "len$=1"


def test_a_name_that_several_variables_have_is_a_mistake_with_its_place(tmp_path: Path) -> None:
    with pytest.raises(PincerError, match="write one of `f_t`, `main_t`") as caught:
        translate_with_property(*_paths(tmp_path, "</ define p: len=1;\n   define q: t=1; alw(p and q) />"))
    position = caught.value.position
    assert position is not None
    assert (position.line, position.column) == (2, 14)


def test_a_missing_property_file_is_a_mistake(tmp_path: Path) -> None:
    program, _ = _paths(tmp_path, "")
    with pytest.raises(PincerError, match="no such file"):
        translate_with_property(program, tmp_path / "none.p")


def test_a_program_that_may_fail_comes_with_the_property_that_it_does_not(tmp_path: Path) -> None:
    source = tmp_path / "program.c"
    source.write_text("#include <assert.h>\nint x; int main(void) { assert(x == 0); }", encoding="utf-8")
    (goal,) = parse_properties(translate(source), "program.m")
    assert (goal.defines[0].text, goal.text) == ("error$=1", "alw(!failed)")
