"""What is read before the grammar: blanks, types, `return`, semicolons."""

from __future__ import annotations

import pytest

from pincer.frontends.msvl import MsvlSyntaxError, parse_program, statement_text
from tests.frontends.msvl.msvl_texts import written


@pytest.mark.parametrize(
    ("tolerated", "meant"),
    [
        ("skip;", "skip"),
        ("(skip;)", "skip"),
        ("{skip;;skip;}", "skip;skip"),
        ("function f(){skip} skip", "function f(){skip}; skip"),
        ("function f(){skip} and skip", "(function f(){skip}) and skip"),
        ("int x; while(x) then {skip}", "int x; while(x) {skip}"),
        ("skip; function f(){skip}", "skip; function f(){skip};"),
        ("int x; x==1", "int x; x=1"),
        ("int x; int y; x:=(if(y) then 1 else 2)", "int x; int y; x:=if(y) then 1 else 2"),
        ('string s<=="a" "b" and skip', 'string s<=="ab" and skip'),
        ("struct T {int a; int b;}; skip", "struct T {int a and int b}; skip"),
        ("int x; x:=0x1F+10u", "int x; x:=31+10"),
    ],
)
def test_habits_of_authors_are_understood(tolerated: str, meant: str) -> None:
    assert written(tolerated) == written(meant)


def test_reserved_words_with_a_dollar_are_names() -> None:
    assert statement_text(written("int len$,next$,nm_1$ and skip")) == "int len$,next$,nm_1$ and skip"


def test_return_is_a_variable_where_it_is_assigned_and_a_statement_where_a_value_follows() -> None:
    program = "function int f(int a){int return<==0 and skip; if(return=0) then {return a+1} else {return (a)}}; skip"
    body = parse_program(program, "f.m").functions["f"].body
    assert statement_text(body) == "int return<==0 and skip; if(return=0) then {RValue:=a+1} else {RValue:=a}"


def test_tags_are_types_before_and_after_their_definition() -> None:
    assert written("T t; struct T {int u}; T *p") == written("struct T t; struct T {int u}; struct T *p")


def test_comments_and_property_blocks_leave_every_position_in_place() -> None:
    text = "/* one\n*/ </ define p: x=1; // really\n alw p />\nskip; // two\n  ?"
    with pytest.raises(MsvlSyntaxError) as caught:
        parse_program(text, "f.m")
    assert (caught.value.position.line, caught.value.position.column) == (5, 3)  # type: ignore[union-attr]


def test_property_blocks_come_back_with_their_place_unless_commented_out() -> None:
    text = '/*</ off />*/ </ on // why\n p />skip; output("</ no />")'
    program = parse_program(text, "f.m")
    (block,) = program.properties
    assert block.text == " on       \n p "
    assert text[block.at :].startswith(" on")


def test_comment_signs_inside_texts_are_text() -> None:
    assert statement_text(written('output("/* // </", 1)')) == 'output("/* // </",1)'
