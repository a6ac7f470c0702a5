"""Values of finite types and the parts of a program by name."""

from __future__ import annotations

import pytest

from pincer.frontends.gcl import parse_program
from pincer.program.guarded import BOOL, FiniteType, IntType, value_text

PHASES = FiniteType(0, 2, ("idle", "busy", "done"))


@pytest.mark.parametrize(
    ("type_", "value", "text"),
    [
        (PHASES, 1, "busy"),
        (PHASES, 3, "3"),
        (PHASES, -1, "-1"),
        (BOOL, 1, "true"),
        (FiniteType(-2, 2), -2, "-2"),
        (FiniteType(5, 6, ("low", "high")), 6, "high"),
        (IntType(), 7, "7"),
    ],
)
def test_values_are_written_as_the_user_writes_them(type_: IntType | FiniteType, value: int, text: str) -> None:
    assert value_text(type_, value) == text


def test_only_the_booleans_are_booleans() -> None:
    assert BOOL.is_bool
    assert not FiniteType(0, 1).is_bool
    assert not FiniteType(0, 1, ("no", "yes")).is_bool


def test_variables_are_found_by_their_expanded_names() -> None:
    program = parse_program("var a[1..2] : int; var b : bool;", "p.gcl")
    assert program.variable("a[2]").type == IntType() and not program.variable("a[2]").finite
    assert program.variable("b").finite
    with pytest.raises(StopIteration):
        program.variable("a")
