"""What is read, how tightly operators bind, and what authors may leave out."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.errors import PincerError
from pincer.frontends.msvl import MsvlSyntaxError, load, parse_program, statement_text, syntax


def written(text: str) -> syntax.Statement:
    return parse_program(text, "f.m").written


@pytest.mark.parametrize(
    ("loose", "explicit"),
    [
        ("skip; skip || skip", "skip; (skip || skip)"),
        ("skip || skip or skip", "skip || (skip or skip)"),
        ("skip or skip and skip", "skip or (skip and skip)"),
        ("int x<==1 and skip; skip", "(int x<==1 and skip); skip"),
        ("int x; x=1 OR x=2 AND x=3", "int x; (x=1) OR ((x=2) AND (x=3))"),
        ("int x; x:=1|2^3&4", "int x; x:=1|(2^(3&4))"),
        ("int x; x:=1&2=3", "int x; x:=1&(2=3)"),
        ("int x; x:=1<<2+3*-4", "int x; x:=1<<(2+(3*(-4)))"),
        ("int x; if(x) then if(x) then skip else empty", "int x; if(x) then {if(x) then skip else empty}"),
        ("int x; if(x) then skip and skip", "int x; {if(x) then skip} and skip"),
    ],
)
def test_operators_bind_as_tightly_as_specified(loose: str, explicit: str) -> None:
    assert written(loose) == written(explicit)


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


@pytest.mark.parametrize(
    ("text", "line", "column", "words"),
    [
        ("skip skip", 1, 6, "unexpected `skip`"),
        ("skip;\nx ? 1", 2, 3, "unexpected character `?`"),
        ("int x; x && x", 1, 10, "`AND`"),
        ("if(1) skip", 1, 7, "`then`"),
        ("frame(x) and (skip", 1, 19, "the text ends here"),
        ("int len and skip", 1, 5, "expected"),
        ("/* open", 1, 1, "not closed"),
        ("skip; </ define p: 1;", 1, 7, "not closed"),
        ('output("open)', 1, 8, "not closed"),
        ("int x; x:=12ab", 1, 11, "neither a number nor a name"),
        ("int x; x:='ab'", 1, 11, "exactly one character"),
        ("(skip, skip)", 1, 8, "only before `prj`"),
        ("int x; x:=(skip)", 1, 12, "where a value is needed"),
        ("int x; x:=(if(x) then 1)", 1, 12, "needs an `else`"),
        ("int x; x:=extern x", 1, 11, "before a call"),
        ("", 1, 1, "no program"),
        ("// nothing", 1, 1, "no program"),
    ],
)
def test_mistakes_are_located(text: str, line: int, column: int, words: str) -> None:
    with pytest.raises(MsvlSyntaxError) as caught:
        parse_program(text, "f.m")
    position = caught.value.position
    assert position is not None
    assert (position.line, position.column) == (line, column)
    assert words in caught.value.message


def test_deep_nesting_is_read_or_refused_in_words() -> None:
    assert statement_text(written("(" * 3000 + "skip" + ")" * 3000)) == "skip"
    with pytest.raises(PincerError, match="nested too deeply"):
        parse_program("next " * 60_000 + "skip", "f.m")


def test_long_programs_are_read_in_seconds() -> None:
    text = "int x;" + "x:=x+1;\n" * 5000
    assert isinstance(written(text), syntax.Chop)


def test_files_are_loaded_and_bad_ones_refused(tmp_path: Path) -> None:
    good, binary = tmp_path / "good.m", tmp_path / "binary.m"
    good.write_text("skip", encoding="utf-8")
    binary.write_bytes(b"skip;\n \xff")
    assert load(good).core == syntax.Skip()
    with pytest.raises(PincerError, match=r"binary.m:2:2: .*UTF-8"):
        load(binary)
    with pytest.raises(PincerError, match="no such file"):
        load(tmp_path / "absent.m")
    with pytest.raises(PincerError, match="directory"):
        load(tmp_path)
