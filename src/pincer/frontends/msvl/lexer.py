"""From text to tokens.

Comments and property blocks become blanks first, so that every offset stays. Then type words and tags are retagged,
`return` is told from a variable, and semicolons are repaired.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from lark import Token
from lark.common import LexerConf
from lark.lexer import Lexer
from msgspec import Struct

from pincer.frontends.msvl.program import PropertyBlock
from pincer.frontends.msvl.syntax import MsvlSyntaxError
from pincer.frontends.parsing import scan, shown, spellings
from pincer.frontends.source import SourceText

TYPE_WORDS = frozenset(
    ("int", "float", "double", "char", "void", "string", "bool", "unsigned", "signed", "long", "short", "const")
) | {"static", "FILE", "size_t"}

_SCANNED = re.compile(
    r"""(?P<literal>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\\n])*')
      | (?P<comment>//[^\n]*|/\*.*?\*/)
      | (?P<property></.*?/>)
      | (?P<open>/\*|</|")""",
    re.VERBOSE | re.DOTALL,
)
_OPEN = {
    "/*": "this comment is not closed; end it with `*/`",
    "</": "this property block is not closed; end it with `/>`",
    '"': 'this text is not closed; end it with `"`',
}

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


class Blanked(Struct, frozen=True):
    """A program text without comments and property blocks; lines and columns are those of the file."""

    text: str
    properties: tuple[PropertyBlock, ...]


def blank(source: SourceText) -> Blanked:
    """Comments go first: authors switch a property off with `/*</ ... />*/`."""
    bare, _ = _replace(source, source.text, "comment")
    text, blocks = _replace(source, bare, "property")
    return Blanked(text, tuple(PropertyBlock(block[2:-2], at + 2) for at, block in blocks))


def _replace(source: SourceText, text: str, kind: str) -> tuple[str, list[tuple[int, str]]]:
    """`text` with every piece of the kind blanked, and those pieces with their offsets."""
    found: list[tuple[int, str]] = []
    kept: list[str] = []
    done = 0
    for match in _SCANNED.finditer(text):
        if match.lastgroup == "open" and (kind == "property" or match[0] == "/*"):
            raise source.error(match.start(), _OPEN[match[0]], MsvlSyntaxError)
        if match.lastgroup == "property" and kind == "comment":
            piece, _ = _replace(source, match[0][2:-2], "comment")
            kept += (text[done : match.start() + 2], piece, "/>")
        elif match.lastgroup == kind:
            found.append((match.start(), match[0]))
            kept += (text[done : match.start()], re.sub(r"[^\n]", " ", match[0]))
        else:
            continue
        done = match.end()
    return "".join((*kept, text[done:])), found


class MsvlLexer(Lexer):
    """Words and symbols that the grammar spells out become their own tokens; those words are reserved."""

    def __init__(self, configuration: LexerConf) -> None:
        spelled = spellings(configuration.terminals)
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
        tokens = list(scan(text, _TOKEN, self._kinds, _unknown))
        self._retag(tokens)
        return self._repair(tokens)

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
    return f"unexpected character {shown(text[at])}"
