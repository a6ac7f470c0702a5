"""What the parsers of GCL and MSVL share: one regular expression as a lexer, and syntax errors in plain words.

Parsing is LALR, without recursion however deep a text is nested. Lark's own lexers take several times as long.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any

from lark import Lark, Token
from lark.exceptions import UnexpectedToken
from lark.lexer import PatternStr, TerminalDef
from msgspec import Struct

from pincer.errors import PincerError
from pincer.frontends.source import MisreadError, SourceText


def spellings(terminals: Iterable[TerminalDef]) -> dict[str, str]:
    """The words and symbols that a grammar spells out, each with the name of its terminal."""
    return {t.pattern.value: t.name for t in terminals if isinstance(t.pattern, PatternStr)}


def scan(
    text: str, token: re.Pattern[str], kinds: Mapping[str, str], unknown: Callable[[str, int], str]
) -> Iterator[Token]:
    """The tokens of a text, named by the groups of the pattern unless `kinds` has a name for the very word.

    What the group `UNKNOWN` matches is a mistake that `unknown` puts in words.
    """
    for match in token.finditer(text):
        kind = match.lastgroup
        if kind is None:
            continue
        value, start = match[kind], match.start(kind)
        if kind == "UNKNOWN":
            raise MisreadError(start, unknown(text, start))
        yield Token(kinds.get(value, kind), value, start)


def offset(token: Token) -> int:
    assert token.start_pos is not None
    return token.start_pos


def shown(value: str) -> str:
    """A token, or a character that begins none, as messages quote it."""
    if len(value) == 1 and not value.isprintable():
        return f"U+{ord(value):04X}"
    return f"`{value}`" if len(value) <= 40 else f"`{value[:37]}...`"


class Misplaced(Struct, frozen=True):
    """A token where it cannot stand; `accepted` are the terminals that could, `$END` the end among them."""

    text: str
    at: int
    kind: str
    value: str
    accepted: frozenset[str]


class ExplainedGrammar(Struct, frozen=True, dict=True):
    """A parser, and what its language has to say about mistakes: a hint, or else what could stand there instead.

    `alternatives` gets the accepted terminals and the texts of those that the grammar spells out.
    """

    parser: Lark
    hint: Callable[[Misplaced], str | None]
    alternatives: Callable[[frozenset[str], Mapping[str, str]], list[str]]
    error: type[PincerError] = PincerError

    @cached_property
    def _texts(self) -> Mapping[str, str]:
        return {name: text for text, name in spellings(self.parser.terminals).items()}

    def parse(self, source: SourceText, text: str, start: str) -> Any:
        """What the parser makes of `text`, whose offsets are those of the source."""
        try:
            return self.parser.parse(text, start=start)
        except UnexpectedToken as error:
            token = error.token
            at = len(text.rstrip()) if token.type == "$END" else offset(token)
            misplaced = Misplaced(text, at, token.type, str(token), frozenset(error.accepts))
            raise source.error(at, self._message(misplaced), self.error) from None
        except MisreadError as error:
            raise source.error(error.at, error.message, self.error) from None

    def _message(self, misplaced: Misplaced) -> str:
        found = "the text ends here" if misplaced.kind == "$END" else f"unexpected {shown(misplaced.value)}"
        hint = self.hint(misplaced)
        if hint is not None:
            return f"{found}: {hint}"
        *first, last = self.alternatives(misplaced.accepted, self._texts) or ["the end"]
        return f"{found}: expected {', '.join(first)} or {last}" if first else f"{found}: expected {last}"


def put_in_place(text: str, start: int, end: int, name: str) -> str:
    """A name for a part of a text: as wide as the part where that is enough, and apart from the words beside it."""
    found = (" " if _is_in_word(text[start - 1 : start]) else "") + name
    rest = re.sub(r"[^\n]", " ", text[start:end])[len(found) :]
    return found + (rest or (" " if _is_in_word(text[end : end + 1]) else ""))


def _is_in_word(character: str) -> bool:
    return character.isalnum() or character in ("_", "$")
