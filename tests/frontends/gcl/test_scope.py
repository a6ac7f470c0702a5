"""What names stand for: one object per enumeration, one scope per program."""

from __future__ import annotations

import pytest

from pincer.errors import PincerError
from pincer.frontends.gcl import formula_text, parse_formula, parse_program
from pincer.program.guarded import Comparison, Number, VariableRef
from tests.frontends.gcl.gcl_samples import PROGRAM, guard, parse


def test_array_indices_may_start_anywhere() -> None:
    program = parse("var a[-1..1] : int = 7; safety p: forall i in -1..0 : a[i] <= a[i + 1];")
    assert [v.name for v in program.variables] == ["a[-1]", "a[0]", "a[1]"]
    assert formula_text(program.properties[0].formula, program) == "a[-1] <= a[0] && a[0] <= a[1]"


def test_equal_enumerations_are_one_type() -> None:
    assert guard("p = q", "var x : int; control p : {a, b}; control q : {a, b};") == Comparison(
        "=", VariableRef("p"), VariableRef("q")
    )


def test_the_names_of_one_program_do_not_leak_into_another() -> None:
    other = parse_program("var z : int;", "other.gcl")
    assert parse_formula("x = 1", PROGRAM) == Comparison("=", VariableRef("x"), Number(1))
    with pytest.raises(PincerError, match="unknown name `x`"):
        parse_formula("x = 1", other)
    assert parse_formula("z = 1", other) == Comparison("=", VariableRef("z"), Number(1))
