"""What `--property` means for guarded commands."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.checking.guarded_properties import selected
from pincer.errors import PincerError
from pincer.frontends.gcl import parse_program
from pincer.program.guarded import GuardedProgram

PROGRAM = """
var x : int = 0;
trans up: x < 9 -> x := x + 1;
safety low: x <= 9;
temporal live[i in 1..2]: <>{x = i};
temporal other: []{x >= 0};
"""


def _program() -> GuardedProgram:
    return parse_program(PROGRAM, "p.gcl")


def _names(*wanted: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    safety, temporal = selected(_program(), wanted)
    return safety, tuple(item.name for item in temporal)


def test_nothing_asked_means_all_that_is_declared() -> None:
    assert _names() == (("low",), ("live[1]", "live[2]", "other"))


def test_names_instances_keywords_and_formulas() -> None:
    assert _names("low") == (("low",), ())
    assert _names("live") == ((), ("live[1]", "live[2]"))
    assert _names("live[2]") == ((), ("live[2]",))
    assert _names("termination") == ((), ("termination",))
    assert _names("<>{x = 3}", "low") == (("low",), ("<>{x = 3}",))
    assert _names("ltl: F {x = 3}") == ((), ("ltl: F {x = 3}",))


def test_a_boolean_variable_is_a_formula() -> None:
    program = parse_program("var b : bool = true; var x : int = 0; trans go: b -> b := false;", "p.gcl")
    assert [item.name for item in selected(program, ("b",))[1]] == ["b"]
    with pytest.raises(PincerError, match="no property 'x'"):
        selected(program, ("x",))


def test_files_may_define_propositions(tmp_path: Path) -> None:
    file = tmp_path / "mine.p"
    file.write_text("</ define high: x > 3;\n  [](high -> <>{x = 9}) />\n</ <>{x = 1} />\n", encoding="utf-8")
    safety, temporal = selected(_program(), (str(file),))
    assert safety == ()
    assert [item.name for item in temporal] == ["mine 1", "mine 2"]
    assert [name for name, _ in temporal[0].propositions] == ["high", "$1"]
    assert temporal[0].position.line == 2


@pytest.mark.parametrize(
    ("wanted", "message"),
    [("nope", "no property 'nope'"), ("<>{y = 1}", "unknown name `y`"), ("<>", "ends too early"), ("z && z", "`z` is")],
)
def test_mistakes_are_told(wanted: str, message: str) -> None:
    with pytest.raises(PincerError, match=message):
        selected(_program(), (wanted,))


def test_a_program_without_properties_needs_a_question() -> None:
    program = parse_program("var x : int = 0;", "p.gcl")
    with pytest.raises(PincerError, match="nothing to check"):
        selected(program, ())
    assert selected(program, ("termination",))[1]
