"""C text as tokens: just enough structure to find definitions, labels and declarations without parsing.

Line markers and `#line` are followed, so that a token of preprocessed text knows its line in the user's file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import PurePath

from msgspec import Struct

_TOKEN = re.compile(
    r"""
      (?P<directive>^[ \t]*\#(?:[^\n\\]|\\.|\\\n)*)
    | (?P<comment>/\*.*?(?:\*/|\Z)|//[^\n]*)
    | (?P<string>L?"(?:[^"\\\n]|\\.|\\\n)*")
    | (?P<character>L?'(?:[^'\\\n]|\\.)*')
    | (?P<name>[A-Za-z_$][A-Za-z0-9_$]*)
    | (?P<number>\.?[0-9](?:[eEpP][+-]|[A-Za-z0-9_.])*)
    | (?P<newline>\n)
    | (?P<space>[^\S\n]+)
    | (?P<mark>.)
    """,
    re.VERBOSE | re.MULTILINE | re.DOTALL,
)
_MARKER = re.compile(r'\s*#\s*(?:line\s+)?(?P<line>[0-9]+)(?:\s+"(?P<file>(?:[^"\\]|\\.)*)")?')
_ESCAPED = re.compile(r"\\(.)")
_OPEN, _CLOSE = frozenset("([{"), frozenset(")]}")


class SourceToken(Struct, frozen=True):
    """`start` is the offset in the text that was read; file, line and column are the user's."""

    text: str
    start: int
    file: str
    line: int
    column: int
    is_name: bool

    @property
    def end(self) -> int:
        return self.start + len(self.text)


class DefinedFunction(Struct, frozen=True):
    """A function definition; the fields are indices of tokens: its name, `(`, `)`, and the braces of its body."""

    name: int
    open: int
    close: int
    body: int
    end: int


class CText(Struct, frozen=True, dict=True):
    """The tokens of a C text, and for each opening bracket its partner."""

    tokens: Sequence[SourceToken]

    @cached_property
    def partners(self) -> Mapping[int, int]:
        """From each opening bracket to the closing one; an unclosed bracket reaches to the end."""
        partners: dict[int, int] = {}
        open_brackets: list[int] = []
        for index, token in enumerate(self.tokens):
            if token.text in _OPEN:
                open_brackets.append(index)
            elif token.text in _CLOSE and open_brackets:
                partners[open_brackets.pop()] = index
        partners.update((index, len(self.tokens)) for index in open_brackets)
        return partners

    @cached_property
    def names(self) -> frozenset[str]:
        """All identifiers and keywords that occur."""
        return frozenset(token.text for token in self.tokens if token.is_name)

    @cached_property
    def definitions(self) -> Mapping[str, DefinedFunction]:
        """The functions this text defines."""
        found: dict[str, DefinedFunction] = {}
        index = 0
        while index < len(self.tokens):
            definition = self._definition_at(index)
            if definition is not None:
                found[self.tokens[index].text] = definition
                index = definition.end
            elif self.text(index) in _OPEN:
                index = self.partners[index]
            index += 1
        return found

    def text(self, index: int) -> str:
        """The token's text, empty outside the file."""
        return self.tokens[index].text if 0 <= index < len(self.tokens) else ""

    def is_call(self, index: int) -> bool:
        return self.tokens[index].is_name and self.text(index + 1) == "("

    def enclosing(self, line: int, file: str) -> Iterator[DefinedFunction]:
        """The functions whose text contains this line of a file; files are told apart by name, not by folder.

        Where a generated file gives its lines numbers of another, they may overlap."""
        for definition in self.definitions.values():
            first, last = self.tokens[definition.name], self.tokens[min(definition.end, len(self.tokens) - 1)]
            if first.line <= line <= last.line and PurePath(first.file).name == PurePath(file).name:
                yield definition

    def _definition_at(self, index: int) -> DefinedFunction | None:
        if not self.is_call(index) or self.text(index) in ("__attribute__", "__attribute", "__asm__", "__typeof__"):
            return None
        close = self.partners[index + 1]
        body = self._body_after(close + 1)
        return None if body is None else DefinedFunction(index, index + 1, close, body, self.partners[body])

    def _body_after(self, index: int) -> int | None:
        """The `{` after a parameter list, past attributes and old-style parameter declarations."""
        while self.text(index) in ("__attribute__", "__attribute") and self.text(index + 1) == "(":
            index = self.partners[index + 1] + 1
        if self.text(index) == "{":
            return index
        if index >= len(self.tokens) or not self.tokens[index].is_name:
            return None
        while index < len(self.tokens) and self.text(index) != "{":
            if self.text(index) in ("(", "["):
                index = self.partners[index]
            elif self.text(index) in ("=", "typedef", "extern", "static", ")"):
                return None
            index += 1
        return index if self.text(index - 1) == ";" and self.text(index) == "{" else None


def read(text: str, file: str = "") -> CText:
    """Split C text, preprocessed or not; comments and directives leave no tokens."""
    tokens: list[SourceToken] = []
    line, line_start = 1, 0
    for match in _TOKEN.finditer(text):
        kind, piece = match.lastgroup, match.group()
        if kind in ("name", "number", "mark", "string", "character"):
            tokens.append(SourceToken(piece, match.start(), file, line, match.start() - line_start + 1, kind == "name"))
        marker = _MARKER.match(piece) if kind == "directive" else None
        if marker:
            line = int(marker["line"]) - 1
            file = _ESCAPED.sub(r"\1", marker["file"]) if marker["file"] is not None else file
        newlines = piece.count("\n")
        if newlines:
            line += newlines
            line_start = match.start() + piece.rindex("\n") + 1
    return CText(tokens)
