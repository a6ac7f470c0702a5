"""Library functions and what they do at a state."""

from __future__ import annotations

import pytest

from pincer.execution.msvl import NullPointer, OutOfBounds, UndefinedValue, WrongType
from tests.execution.msvl.msvl_running import column, run

DECLARED = 'frame(x,s,t) and (int x<==0 and char s[4]<=="abc" and string t<=="abc" and skip; '


@pytest.mark.parametrize(
    ("call", "value"),
    [("strlen(s)", 3), ('strcmp("b",t)', 1), ("abs(0-4)", 4), ("sqrt(16.0)", 4), ("putchar(65)", 65)],
)
def test_results(call: str, value: int) -> None:
    assert column(run(DECLARED + f"x:={call})"), "x")[-1] == value


def test_output_is_written_with_its_format() -> None:
    execution = run(DECLARED + 'printf("%d|%5s|%%|%c|%x|%.1f",12,s,65,255,2.5) and skip)')
    assert [output.text for output in execution.outputs] == ["12|  abc|%|A|ff|2.5"]


@pytest.mark.parametrize(
    ("call", "kind"),
    [
        ('strcpy(s,"long")', OutOfBounds),
        ("strlen(x)", WrongType),
        ("free(&x)", NullPointer),
        ("malloc(0)", OutOfBounds),
        ('printf("%d")', WrongType),
        ("sqrt(0-1)", OutOfBounds),
    ],
)
def test_what_goes_wrong(call: str, kind: type[Exception]) -> None:
    assert isinstance(run(DECLARED + f"{call} and skip)").ending.error, kind)


def test_a_text_without_values_cannot_be_read() -> None:
    execution = run("frame(s,x) and (char s[2] and int x and skip; x:=strlen(s))")
    assert isinstance(execution.ending.error, UndefinedValue)


def test_symbolic_arguments_become_concrete() -> None:
    execution = run("frame(x) and (int x and input(x) and skip; x:=abs(x))", {"s_x": -3})
    assert [event.reason for event in execution.concretised] == ["a call of abs"]
