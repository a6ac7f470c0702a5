"""Texts of MSVL as trees, and mistakes with their places."""

from __future__ import annotations

import pytest

from pincer.errors import PincerError
from pincer.frontends.msvl import MsvlSyntaxError, parse_program, statement_text, syntax
from tests.frontends.msvl.msvl_texts import written


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
