"""Preprocessing tokens (C17 6.4): how text is cut into them and how they are written again without merging."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Literal, NamedTuple

Kind = Literal["name", "number", "literal", "operator", "other", "padding", "gap", "end"]


class Token(NamedTuple):
    """A token with what the expansion of macros must know about it.

    A `padding` stands where an expansion begins and has the `space` of what was replaced; a `gap` stands where one
    ends. Neither is written, but both decide where the operator # writes a space. `line` is the one that `__LINE__`
    means, `blocked` says that the name was met within its own expansion and `pastes` that ## follows.
    """

    kind: Kind
    text: str
    space: bool = False
    line: int = 0
    blocked: bool = False
    pastes: bool = False


GAP = Token("gap", "")
END = Token("end", "")

BLANK = r"(?:[ \t\f\v\r]|/\*(?s:.*?)\*/|//[^\n]*)"
NAME = r"(?:[^\W\d]|\$)[\w$]*"
NUMBER = r"\.?\d(?:[eEpP][+-]|'(?=\w)|[\w.$])*"
# A quote without its partner takes the rest of the line, as compilers have it; the parser will complain.
LITERAL = r"""(?:(?:u8|[uUL])?"(?:[^"\\\n]|\\.)*(?:"|\\?(?=\n|\Z))|(?:u8|[uUL])?'(?:[^'\\\n]|\\.)*(?:'|\\?(?=\n|\Z)))"""
_OPERATOR = (
    r"\.\.\.|<<=|>>=|%:%:|\+\+|--|->|&&|\|\||<<|>>|\#\#|[<>=!*/%+\-&|^]=|<:|:>|<%|%>|%:"
    r"|[-+*/%|&~^!<>=?()\[\]{},.;:\#]"
)
_TOKEN = re.compile(
    rf"(?P<blank>{BLANK}+)|(?P<literal>{LITERAL})|(?P<name>{NAME})|(?P<number>{NUMBER})"
    rf"|(?P<newline>\n)|(?P<operator>{_OPERATOR})|(?P<other>(?s:.))"
)
scan = _TOKEN.match

_HASHES = frozenset(("#", "%:"))
_PASTES = frozenset(("##", "%:%:"))
# Pairs of characters that must not come together: they would begin an operator, a comment or a number.
_MERGING = frozenset(
    ("++", "--", "&&", "||", "<<", ">>", "->", "//", "/*", "##", "..", "<:", ":>", "<%", "%>", "%:", ":%",
     *(f"{c}=" for c in "<>=!+-*/%&|^"))
)  # fmt: skip


def is_hash(token: Token) -> bool:
    return token.kind == "operator" and token.text in _HASHES


def is_paste(token: Token) -> bool:
    return token.kind == "operator" and token.text in _PASTES


def tokens(text: str, line: int = 0) -> Iterator[Token]:
    """The tokens of a text, all said to be on one line."""
    space = False
    for found in _TOKEN.finditer(text):
        kind = found.lastgroup
        if kind == "blank" or kind == "newline":
            space = True
        else:
            yield Token(kind, found.group(), space, line)  # type: ignore[arg-type]
            space = False


def one_token(text: str) -> Token | None:
    """The text as a single token, if it is one."""
    found = scan(text)
    if found is None or found.end() != len(text) or found.lastgroup in ("blank", "newline", "other"):
        return None
    kind = found.lastgroup
    if kind == "literal" and (len(text) < 2 or text[-1] not in "\"'"):
        return None
    return Token(kind, text)  # type: ignore[arg-type]


@lru_cache(maxsize=4096)
def would_merge(before: str, after: str) -> bool:
    """Whether two tokens, of which the last and the first character are given, may not stand side by side."""
    if not before or not after:
        return False
    if before.isalnum() or before in "_$":
        return after.isalnum() or after in "_$.\"'" or (after in "+-" and before in "eEpP")
    return before + after in _MERGING or (before == "." and (after.isdigit() or after == "."))


def written(expanded: Iterable[Token]) -> str:
    """The text of tokens with the spaces of the source and those that keep tokens apart."""
    parts: list[str] = []
    before = ""
    space = False
    for token in expanded:
        if not token.text:
            space = space or token.space
            continue
        if token.space or space or would_merge(before[-1:], token.text[0]):
            parts.append(" ")
        parts.append(token.text)
        before, space = token.text, False
    return "".join(parts)
