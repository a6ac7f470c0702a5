"""Scanning and syntax errors, on a grammar of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Set

import pytest
from lark import Lark, Token
from lark.common import LexerConf
from lark.lexer import Lexer

from pincer.errors import PincerError
from pincer.frontends.parsing import ExplainedGrammar, Misplaced, offset, put_in_place, scan, shown, spellings
from pincer.frontends.source import MisreadError, SourceText

TOKEN = re.compile(r"\s*(?:(?P<NAME>[a-z]+)|(?P<SIGN>[+;])|(?P<UNKNOWN>.)|\Z)", re.DOTALL)


class Mistake(PincerError):
    """The kind of error that this language raises."""


class PlainLexer(Lexer):
    def __init__(self, configuration: LexerConf) -> None:
        self._kinds = spellings(configuration.terminals)

    def lex(self, text: str) -> Iterator[Token]:  # type: ignore[override]
        return scan(text, TOKEN, self._kinds, lambda text, at: f"no {text[at]} here")


def hint(misplaced: Misplaced) -> str | None:
    return "say it once" if misplaced.value == "let" and misplaced.at else None


def alternatives(accepted: Set[str], spelling: Mapping[str, str]) -> list[str]:
    return sorted(spelling.get(name, name.lower()) for name in accepted)


GRAMMAR = ExplainedGrammar(
    Lark('start: "let" NAME ("+" NAME)* ";"\n%declare NAME', parser="lalr", lexer=PlainLexer, start=["start"]),
    hint,
    alternatives,
    Mistake,
)


def mistake(text: str) -> str:
    with pytest.raises(Mistake) as caught:
        GRAMMAR.parse(SourceText("f", text), text, "start")
    return str(caught.value).splitlines()[0]


def test_a_text_of_the_grammar_becomes_a_tree() -> None:
    tree = GRAMMAR.parse(SourceText("f", ""), "let a + b ;", "start")
    assert [str(child) for child in tree.children] == ["a", "b"]
    assert [offset(child) for child in tree.children] == [4, 8]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("let a b", "f:1:7: unexpected `b`: expected + or ;"),
        ("let a", "f:1:6: the text ends here: expected + or ;"),
        ("let a  \n\n", "f:1:6: the text ends here: expected + or ;"),
        ("\n let let", "f:2:6: unexpected `let`: say it once"),
        ("let a; ;", "f:1:8: unexpected `;`: expected $end"),
        ("let ?", "f:1:5: no ? here"),
    ],
)
def test_mistakes_are_put_in_words_at_their_place(text: str, message: str) -> None:
    assert mistake(text) == message


def test_a_place_where_nothing_may_stand_expects_the_end() -> None:
    silent = ExplainedGrammar(GRAMMAR.parser, lambda misplaced: None, lambda accepted, spelling: [])
    with pytest.raises(PincerError, match="unexpected `a`: expected the end"):
        silent.parse(SourceText("f", "a"), "a", "start")


def test_words_that_are_spelled_out_get_their_own_tokens() -> None:
    kinds = spellings(GRAMMAR.parser.terminals)
    assert kinds["let"] == "LET" and "NAME" not in kinds.values()
    tokens = list(scan("let lets", TOKEN, kinds, lambda text, at: ""))
    assert [(token.type, offset(token)) for token in tokens] == [("LET", 0), ("NAME", 4)]


def test_what_begins_no_token_is_a_mistake_at_its_offset() -> None:
    with pytest.raises(MisreadError) as caught:
        list(scan("a\n !", TOKEN, {}, lambda text, at: f"at {at}"))
    assert (caught.value.at, caught.value.message) == (3, "at 3")


def test_long_and_invisible_tokens_are_shown_shortly() -> None:
    assert shown("x" * 40) == f"`{'x' * 40}`"
    assert shown("x" * 41) == f"`{'x' * 37}...`"
    assert shown("\x00") == "U+0000"


@pytest.mark.parametrize(
    ("text", "name", "found"),
    [
        ("<>{x > 1} && b", "$1", "<>$1      && b"),
        ("G{x > 1}", "$1", "G $1    "),
        ("X{b}", "$12", "X $12"),
        ("{b}U c", "$12", "$12 U c"),
        ("({b})", "$12", "($12)"),
        ("[]{x\n> 1}", "$1", "[]$1\n    "),
    ],
)
def test_a_name_stands_apart_from_words(text: str, name: str, found: str) -> None:
    start, end = text.index("{"), text.index("}") + 1
    assert text[:start] + put_in_place(text, start, end, name) + text[end:] == found
