"""Forms that only grow: found where variables get in each other's way, and really growing."""

from __future__ import annotations

from pincer.abstraction.monotone import monotone_forms
from pincer.frontends.gcl import parse_program
from pincer.program.lowering import lower
from pincer.program.transition_system import TransitionSystem


def system(text: str) -> TransitionSystem:
    return lower(parse_program(text, "m.gcl"), lambda formula: False)


def texts(text: str) -> list[str]:
    return [str(form) for form in monotone_forms(system(text))]


def test_a_form_that_every_transition_keeps_or_increases() -> None:
    found = texts(
        """program p; var x : int = 0; var y : int = 0;
        trans a: true -> x := x + 1, y := y + 2;
        trans b: x > 3 -> x := x - 2, y := y - 3;
        safety s: y >= x;"""
    )
    assert found[0] == "-2*x + y" or found[0] == "y - 2*x"


def test_sums_of_what_grows_by_itself_are_left_out() -> None:
    assert (
        texts(
            "program p; var x, y : int = 0; trans a: true -> x := x + 1; trans b: true -> y := y + 1; safety s: x >= 0;"
        )
        == []
    )


def test_variables_that_are_assigned_otherwise_take_no_part() -> None:
    assert (
        texts(
            """program p; var x, y : int = 0; trans a: true -> x := x + 1, y := y + 2;
        trans b: true -> x := x - 1, y := 0; safety s: x >= 0;"""
        )
        == []
    )
    assert (
        texts(
            """program p; var x, y : int = 0; trans a: true -> x := x + 1, y := y + 2;
        trans b: true -> x := x - 1, y := nondet; safety s: x >= 0;"""
        )
        == []
    )
