"""From text to lark's tree. Parsing is LALR, without recursion however deep the text is nested."""

from __future__ import annotations

from collections.abc import Mapping, Set
from functools import cache
from pathlib import Path

from lark import Lark, Token, Tree

from pincer.frontends.msvl.lexer import MsvlLexer
from pincer.frontends.msvl.syntax import MsvlSyntaxError
from pincer.frontends.parsing import ExplainedGrammar, Misplaced
from pincer.frontends.source import SourceText


def parse_tree(source: SourceText, text: str, start: str) -> Tree[Token]:
    """The tree of `text`, whose offsets are those of `source`; `start` is `program` or `condition`."""
    tree: Tree[Token] = _grammar().parse(source, text, start)
    return tree


@cache
def _grammar() -> ExplainedGrammar:
    parser = Lark(
        Path(__file__).with_name("grammar.lark").read_text(encoding="utf-8"),
        parser="lalr",
        lexer=MsvlLexer,
        start=["program", "condition"],
        propagate_positions=True,
        maybe_placeholders=True,
    )
    return ExplainedGrammar(parser, _hint, _alternatives, MsvlSyntaxError)


_EXPRESSION = frozenset(
    ("NAME", "NUMBER", "STRING", "CHAR", "TRUE", "FALSE", "EXTERN", "SIZEOF", "LPAR", "NOT", "TILDE", "MINUS", "PLUS")
) | {"AMPERSAND", "STAR"}
_OPERATORS = frozenset(("*", "/", "%", "+", "-", "=", "!=", "&", "^", "|", "AND", "OR", "(", "[", ".", "->"))


def _hint(misplaced: Misplaced) -> str | None:
    if misplaced.accepted == {"NAME"} and misplaced.value.isidentifier():
        return "this word is reserved; choose another name"
    if misplaced.value == "=" and {"RELATION", "EQUAL"} <= misplaced.accepted:
        return "assign with `<==` or `:=`"
    return None


def _alternatives(accepted: Set[str], spelling: Mapping[str, str]) -> list[str]:
    """What may stand here, the many ways to begin a statement or to go on with an expression under one name each."""
    words = []
    if {"SKIP", "NAME"} <= accepted:
        words.append("a statement")
        accepted = accepted & {"RPAR", "RBRACE"}
    elif "NUMBER" in accepted:
        words.append("an expression")
        accepted = accepted - _EXPRESSION - {"IF", "TYPE"}
    if {"STAR", "SLASH"} <= accepted:
        words.append("an operator")
        accepted = {name for name in accepted - {"SHIFT", "RELATION"} if spelling.get(name) not in _OPERATORS}
    return words + sorted(f"`{spelling[name]}`" if name in spelling else _kind(name) for name in accepted)


def _kind(name: str) -> str:
    return {"NAME": "a name", "TYPE": "a type", "$END": "the end", "RETURN": "`return`"}.get(name, "a literal")
