"""From blanked text to tokens: type words and tags retagged, `return` told from a variable, semicolons repaired."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from lark import Token
from lark.common import LexerConf
from lark.lexer import Lexer, PatternStr

from pincer.frontends.gcl.source import MisreadError

TYPE_WORDS = frozenset(
    ("int", "float", "double", "char", "void", "string", "bool", "unsigned", "signed", "long", "short", "const")
) | {"static", "FILE", "size_t"}

_TOKEN = re.compile(
    r"""\s*(?:
      (?P<NAME>[A-Za-z_$][A-Za-z0-9_$]*)
    | (?P<NUMBER>0[xX][0-9a-fA-F]+[uUlL]*
        | (?:\d+\.\d*|\.\d+)(?:[eE][-+]?\d+)?[fFlL]?
        | \d+(?:[eE][-+]?\d+)?[uUlLfF]*)(?![A-Za-z0-9_$.])
    | (?P<STRING>"(?:\\.|[^"\\])*")
    | (?P<CHAR>'(?:\\.|[^'\\])*')
    | (?P<SYMBOL><==|==|!=|:=|\|\||->|[-+*/%=!~^|;:,.(){}\[\]]|&(?!&))
    | (?P<SHIFT><<|>>)
    | (?P<RELATION><=|>=|<|>)
    | (?P<UNKNOWN>.)
    | \Z
    )""",
    re.VERBOSE | re.DOTALL,
)


class MsvlLexer(Lexer):
    """Words and symbols that the grammar spells out become their own tokens; those words are reserved."""

    def __init__(self, configuration: LexerConf) -> None:
        spelled = {
            terminal.pattern.value: terminal.name
            for terminal in configuration.terminals
            if isinstance(terminal.pattern, PatternStr)
        }
        self._kinds = {**spelled, "==": "EQUAL"}
        self._semicolon = spelled[";"]
        self._closers = frozenset(spelled[text] for text in (")", "}", ";"))
        self._continuing = self._closers | {spelled[text] for text in ("and", "or", "||", ",")}
        self._function, self._open, self._close = spelled["function"], spelled["{"], spelled["}"]
        self._starters = frozenset(spelled[text] for text in ("{", "and", "or", "||", ";"))
        self._values = frozenset(
            ("NAME", "NUMBER", "STRING", "CHAR", *(spelled[t] for t in ("true", "false", "extern", "sizeof", "!", "~")))
        )
        self._ambiguous = frozenset(spelled[text] for text in ("(", "-", "+", "&", "*"))
        self._branches = frozenset(spelled[text] for text in ("then", "else", "do"))
        self._parenthesis = spelled["("]

    def lex(self, text: str) -> Iterator[Token]:  # type: ignore[override]
        tokens = self._scan(text)
        self._retag(tokens)
        return self._repair(tokens)

    def _scan(self, text: str) -> list[Token]:
        tokens = []
        for match in _TOKEN.finditer(text):
            kind = match.lastgroup
            if kind is None:
                continue
            value, start = match[kind], match.start(kind)
            if kind == "UNKNOWN":
                raise MisreadError(start, _unknown(text, start))
            tokens.append(Token(self._kinds.get(value, kind), value, start))
        return tokens

    def _retag(self, tokens: list[Token]) -> None:
        """Type words, and every name that follows `struct` or `union` somewhere, become TYPE."""
        types = TYPE_WORDS | {
            str(token)
            for previous, token in pairwise(tokens)
            if previous.type in ("STRUCT", "UNION") and token.type == "NAME"
        }
        for i, token in enumerate(tokens):
            if token.type == "NAME" and str(token) in types:
                token.type = "TYPE"
            elif token.type == "NAME" and token == "return" and self._is_return(tokens, i):
                token.type = "RETURN"

    def _is_return(self, tokens: list[Token], i: int) -> bool:
        """`return` is a variable wherever an operator or an assignment follows it."""
        following = tokens[i + 1].type if i + 1 < len(tokens) else ""
        if following in self._values:
            return True
        if following not in self._ambiguous or i == 0:
            return False
        before = tokens[i - 1].type
        return before in self._starters or (following == self._parenthesis and before in self._branches)

    def _repair(self, tokens: list[Token]) -> Iterator[Token]:
        """Drop a `;` that separates nothing; supply the one that authors forget after a function."""
        bodies = self._function_ends(tokens)
        for i, token in enumerate(tokens):
            following = tokens[i + 1].type if i + 1 < len(tokens) else None
            if token.type == self._semicolon and (following is None or following in self._closers):
                continue
            yield token
            if i in bodies and following is not None and following not in self._continuing:
                yield Token(self._semicolon, ";", token.start_pos)

    def _function_ends(self, tokens: list[Token]) -> set[int]:
        """Where the braces stand that close a function body."""
        ends: set[int] = set()
        opened: list[bool] = []
        expected = False
        for i, token in enumerate(tokens):
            if token.type == self._function:
                expected = True
            elif token.type == self._open:
                opened.append(expected)
                expected = False
            elif token.type == self._close and opened and opened.pop():
                ends.add(i)
        return ends


def _unknown(text: str, at: int) -> str:
    if text.startswith("&&", at):
        return "unexpected `&&`: write `AND` between conditions and `and` between statements"
    word = re.compile(r"[0-9.]+[A-Za-z0-9_$.]*").match(text, at)
    if word:
        return f"`{word[0][:40]}` is neither a number nor a name; names begin with a letter"
    if text[at] in "\"'":
        return "this literal is not closed; end it with the same quote"
    shown = f"`{text[at]}`" if text[at].isprintable() else f"U+{ord(text[at]):04X}"
    return f"unexpected character {shown}"
