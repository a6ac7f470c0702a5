"""Between parentheses stands a statement or a value: each is told apart, and the wrong one refused at its place."""

from __future__ import annotations

import pytest

from pincer.frontends.msvl import MsvlSyntaxError, parse_condition, syntax
from pincer.frontends.source import SourceText
from tests.frontends.msvl.msvl_texts import written


@pytest.mark.parametrize(
    ("text", "at", "words"),
    [
        ("int x and x:=(skip)", 14, "a statement stands where a value is needed"),
        ("int x and x:=(if(x) then 1)", 14, "a conditional value needs an `else`"),
        ("(skip, skip)", 7, "a list of statements stands only before `prj`"),
        ("int x and x:=extern x", 13, "`extern` stands before a call"),
        ("int x and x:='ab'", 13, "exactly one character"),
    ],
)
def test_what_stands_in_the_wrong_place_is_refused(text: str, at: int, words: str) -> None:
    with pytest.raises(MsvlSyntaxError, match=words) as caught:
        written(text)
    assert caught.value.position is not None
    assert caught.value.position.column == at + 1


def test_parentheses_and_braces_leave_no_trace() -> None:
    assert written("((skip))") == written("{skip}") == written("skip") == syntax.Skip()
    assert written("{}") == syntax.Empty()


def test_a_conditional_is_a_statement_or_a_value_by_where_it_stands() -> None:
    assert isinstance(written("if(true) then {skip} else {empty}"), syntax.If)
    chosen = parse_condition("(if(true) then 1 else 2)=1", SourceText("f.p", ""))
    assert chosen == syntax.Binary(
        "=", syntax.Choice(syntax.Truth(True), syntax.Number(1), syntax.Number(2)), syntax.Number(1)
    )


def test_both_spellings_of_equality_are_one_operator_with_its_own_place() -> None:
    tree = parse_condition("x == 1", SourceText("f.p", "x == 1"))
    assert isinstance(tree, syntax.Binary)
    assert (tree.operator, tree.at) == ("=", 2)


def test_declarations_keep_stars_dimensions_and_signatures() -> None:
    tree = written("int *p, a[2][3]<==[1,2], (*f)(int, char *c)")
    assert isinstance(tree, syntax.Declaration)
    pointer, array, function = tree.declarators
    assert (pointer.name, pointer.stars) == ("p", 1)
    assert array.dimensions == (syntax.Number(2), syntax.Number(3))
    assert array.initial == syntax.ListValue((syntax.Number(1), syntax.Number(2)))
    assert function.signature is not None and len(function.signature) == 2
    assert function.signature[0].declarator is None


def test_adjacent_texts_are_one_and_literals_have_their_values() -> None:
    tree = written('int x and output("a" "b\\n", \'\\x41\', 0x1F, 2.5)')
    outputs = [node for node in syntax.descendants(tree) if isinstance(node, syntax.OutputStatement)]
    assert outputs[0].values == (
        syntax.Text("ab\n"),
        syntax.Character(65),
        syntax.Number(31),
        syntax.Number(2.5),
    )
