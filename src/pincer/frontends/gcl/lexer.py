"""From text to tokens. One regular expression does the work: Lark's own lexers take several times as long."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lark import Token
from lark.common import LexerConf
from lark.lexer import Lexer, PatternStr

from pincer.frontends.gcl.source import MisreadError
from pincer.frontends.gcl.syntax_errors import unknown_character

_TOKEN = re.compile(
    r"""[ \t\r\n\f]*(?:
      (?P<NAME>[A-Za-z_][A-Za-z0-9_]*)
    | (?P<INTEGER>[0-9]+)(?![A-Za-z0-9_])
    | (?://[^\n]*|/\*.*?\*/)
    | (?P<LOGICAL><=>|=>|&&|\|\|)
    | (?P<RELATION>!=|<=|>=|<|>)
    | (?P<SYMBOL>:=|->|\.\.|[-+*=!;:,(){}\[\]])
    | (?P<UNKNOWN>.)
    | \Z
    )""",
    re.VERBOSE | re.DOTALL,
)


class GclLexer(Lexer):
    """Names and symbols that the grammar spells out become their own tokens; every such word is reserved."""

    def __init__(self, configuration: LexerConf) -> None:
        self._spelled_out = {"not": "RESERVED"} | {
            terminal.pattern.value: terminal.name
            for terminal in configuration.terminals
            if isinstance(terminal.pattern, PatternStr)
        }

    def lex(self, text: str) -> Iterator[Token]:  # type: ignore[override]
        spelled_out = self._spelled_out
        for match in _TOKEN.finditer(text):
            kind = match.lastgroup
            if kind is None:
                continue
            value = match[kind]
            if kind == "UNKNOWN":
                raise MisreadError(match.start(kind), unknown_character(text, match.start(kind)))
            yield Token(spelled_out.get(value, kind), value, match.start(kind))
