"""Property blocks: their formulas, and the text of their definitions for the front end."""

from __future__ import annotations

import pytest

from pincer.errors import PincerError, Position
from pincer.temporal.parser import parse_formula
from pincer.temporal.property import Define, blank_comments, parse_properties, parse_property_file

PROGRAM = """\
// the block below is disabled
/*</ define old: x=0; alw(old) />*/
</
  define p: x=1;          // first
  define q: resp>(servers/2);
  define c: s[0]=';';
  alw(p and q -> c)
/>
frame(x) and (int x<==1 and skip; output("</ nothing />"))
"""


def test_a_block_gives_its_formula_and_the_text_of_its_definitions() -> None:
    (found,) = parse_properties(PROGRAM, "a.m")
    assert found.formula is parse_formula("[]((p && q) -> c)").formula
    assert found.text == "alw(p and q -> c)"
    assert found.position == Position("a.m", 7, 3)
    assert found.defines == (
        Define("p", "x=1", Position("a.m", 4, 13)),
        Define("q", "resp>(servers/2)", Position("a.m", 5, 13)),
        Define("c", "s[0]=';'", Position("a.m", 6, 13)),
    )
    assert found.warnings == ()


def test_definitions_may_stand_in_braces() -> None:
    (found,) = parse_properties("</ define p: {x=1}; define q: {y=1} ; alw(p and q) />", "a.m")
    assert [(define.text.strip(), define.position.column) for define in found.defines] == [("x=1", 14), ("y=1", 31)]


def test_a_program_may_have_several_blocks_or_none() -> None:
    blocks = "</ define p: x=1; alw(p) />\n</ define q: x=2; som(q) />\nskip"
    assert [one.text for one in parse_properties(blocks, "a.m")] == ["alw(p)", "som(q)"]
    assert parse_properties("skip", "a.m") == ()


def test_a_property_file_needs_no_brackets() -> None:
    (found,) = parse_property_file("define p: x <= 10;\nlen(2);alw(p)", "a.p")
    assert found.formula is parse_formula("len(2);[]p").formula
    assert found.position == Position("a.p", 2, 1)
    assert parse_property_file("</ define p: x=1; p />", "a.p")[0].text == "p"


def test_comments_keep_every_position() -> None:
    text = 'a /* b\n c */ d // e\n"/* f */"'
    assert blank_comments(text) == 'a     \n      d     \n"/* f */"'


def test_a_definition_that_is_not_used_is_mentioned() -> None:
    (found,) = parse_properties("</ define p: x=1; define q: y=1; alw(p) />", "a.m")
    assert found.warnings == ("a.m:1:29: `q` is defined but not used in the formula",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("</ define p x=1; p />", "a.m:1:11: write a name and a colon"),
        ("</ define p: x=1 />", "a.m:1:11: this definition has no end"),
        ("</ define p: ; p />", "a.m:1:14: `p` needs an expression"),
        ("</ define p: x=1; define p: x=2; p />", "a.m:1:29: `p` is defined twice"),
        ("</ define p: x=1;\n alw(p -> q) />", "a.m:2:11: `q` has no meaning yet"),
        ("</ define p: x=1; p", "a.m:1:1: this property block is not closed"),
        ("</ define p: x=1; />", "a.m:1:19: there is no formula here"),
        ("</ define p: x=1;\n  alw(p and) />", "a.m:2:12: unexpected `)`"),
    ],
)
def test_mistakes_are_explained_with_their_place_in_the_file(text: str, message: str) -> None:
    with pytest.raises(PincerError) as caught:
        parse_properties(text, "a.m")
    assert str(caught.value).startswith(message)
