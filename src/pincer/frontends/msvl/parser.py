"""From text to lark's tree. Parsing is LALR, without recursion however deep the text is nested."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedToken
from lark.lexer import PatternStr

from pincer.frontends.gcl.source import MisreadError, Source
from pincer.frontends.msvl.errors import MsvlSyntaxError, syntax_error
from pincer.frontends.msvl.lexer import MsvlLexer


def parse_tree(source: Source, text: str, start: str) -> Tree[Token]:
    """The tree of `text`, whose offsets are those of `source`; `start` is `program` or `condition`."""
    parser = _parser()
    try:
        return parser.parse(text, start=start)
    except UnexpectedToken as error:
        raise _unexpected(parser, source, text, error) from None
    except MisreadError as error:
        raise syntax_error(source, error.at, error.message) from None


@cache
def _parser() -> Lark:
    grammar = Path(__file__).with_name("grammar.lark").read_text(encoding="utf-8")
    return Lark(
        grammar,
        parser="lalr",
        lexer=MsvlLexer,
        start=["program", "condition"],
        propagate_positions=True,
        maybe_placeholders=True,
    )


_EXPRESSION = frozenset(
    ("NAME", "NUMBER", "STRING", "CHAR", "TRUE", "FALSE", "EXTERN", "SIZEOF", "LPAR", "NOT", "TILDE", "MINUS", "PLUS")
) | {"AMPERSAND", "STAR"}
_OPERATORS = frozenset(("*", "/", "%", "+", "-", "=", "!=", "&", "^", "|", "AND", "OR", "(", "[", ".", "->"))


def _unexpected(parser: Lark, source: Source, text: str, error: UnexpectedToken) -> MsvlSyntaxError:
    token = error.token
    spelling = {t.name: t.pattern.value for t in parser.terminals if isinstance(t.pattern, PatternStr)}
    expected = _alternatives(set(error.accepts), spelling)
    if token.type == "$END":
        return syntax_error(source, len(text.rstrip()), f"the text ends here: expected {expected}")
    shown = str(token) if len(token) <= 40 else f"{token[:37]}..."
    hint = _hint(token, set(error.accepts))
    return syntax_error(source, token.start_pos or 0, f"unexpected `{shown}`: {hint or f'expected {expected}'}")


def _hint(token: Token, accepted: set[str]) -> str | None:
    if accepted == {"NAME"} and str(token).isidentifier():
        return "this word is reserved; choose another name"
    if token == "=" and {"RELATION", "EQUAL"} <= accepted:
        return "assign with `<==` or `:=`"
    return None


def _alternatives(accepted: set[str], spelling: dict[str, str]) -> str:
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
    words += sorted(f"`{spelling[name]}`" if name in spelling else _kind(name) for name in accepted)
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}" if words else "the end"


def _kind(name: str) -> str:
    return {"NAME": "a name", "TYPE": "a type", "$END": "the end", "RETURN": "`return`"}.get(name, "a literal")
