"""From text to program: functions, parameters, fields and conditions."""

from __future__ import annotations

import pytest

from pincer.frontends.msvl import (
    MsvlSyntaxError,
    StaticError,
    expression_text,
    parse_condition,
    parse_program,
    statement_text,
)
from pincer.frontends.msvl.program import Formal
from pincer.frontends.msvl.reading import constant_integer
from pincer.frontends.msvl.types import INT, ArrayOf, Basic, FunctionPointer, PointerTo, StructType
from pincer.frontends.source import SourceText


def test_conditions_are_read_with_the_offsets_of_their_file() -> None:
    source = SourceText("p.p", "define p: x = 1;")
    condition = parse_condition(" x = 1", source, 9)
    assert expression_text(condition) == "x=1"
    assert source.position(condition.at).column == 13


def test_functions_have_formals_without_the_result() -> None:
    program = parse_program(
        "function f(int a[], int *p, int RValue){ int z and RValue:=a[0]+z };"
        "function char g(int (*h)(int)) { skip; return 'c' }; function n() { skip }; skip",
        "f.m",
    )
    f, g, n = (program.functions[name] for name in "fgn")
    assert f.formals == (Formal("a", PointerTo(INT)), Formal("p", PointerTo(INT)))
    assert f.result == INT and f.own == {"a", "p", "RValue", "z"}
    assert g.formals == (Formal("h", FunctionPointer()),) and g.result == Basic("char")
    assert n.result is None and n.formals == ()
    assert statement_text(g.body) == "skip; RValue:='c'"


def test_fields_of_structs_have_their_types_and_constant_lengths() -> None:
    program = parse_program("struct T { int a[2+3][2*2] and struct T *next$ and char c }; skip", "f.m")
    assert program.layouts.fields["T"] == {
        "a": ArrayOf(ArrayOf(INT, 4), 5),
        "next$": PointerTo(StructType("T")),
        "c": Basic("char"),
    }


@pytest.mark.parametrize("length", ["0", "x", "1-2", ""])
def test_lengths_of_fields_are_positive_constants(length: str) -> None:
    with pytest.raises(StaticError, match="positive constant"):
        parse_program(f"int x and skip; struct T {{ int a[{length}] }}; skip", "f.m")


@pytest.mark.parametrize(
    ("text", "value"), [("7", 7), ("'A'+1", 66), ("2*3-1", 5), ("x", None), ("1/1", None), ("2.5", None)]
)
def test_constant_expressions_are_worked_out(text: str, value: int | None) -> None:
    assert constant_integer(parse_condition(text, SourceText("f.p", text))) == value


def test_what_may_change_without_being_named_is_known() -> None:
    program = parse_program("int x, y, a[3], *p and p<==&x and skip; y:=1; p:=&a[1]", "f.m")
    assert program.address_taken == {"x", "a"}


def test_an_empty_text_is_no_program() -> None:
    for text in ("", "  // nothing\n", "</ define p: true; p />"):
        with pytest.raises(MsvlSyntaxError, match="there is no program here"):
            parse_program(text, "f.m")
