"""Places in a program's text as witnesses name them: physical lines of the file, at the start of a token.

Positions of the front end follow line markers; those of a witness count the lines of the file itself.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import PurePath

from msgspec import Struct

from pincer.errors import Position
from pincer.evidence.c.tokens import CText, DefinedFunction, read

BRANCHING = frozenset({"if", "while", "for", "switch"})
LOOPS = frozenset({"while", "for", "do"})


class Place(Struct, frozen=True):
    """A token: its index, its physical line and column, and the function around it."""

    index: int
    line: int
    column: int
    function: str | None


class Locator:
    """Finds tokens of one source text by the front end's positions and by physical ones."""

    def __init__(self, text: str, file: str) -> None:
        self.source: CText = read(text, file)
        self._starts = [0]
        for line in text.split("\n"):
            self._starts.append(self._starts[-1] + len(line) + 1)
        self._lines: dict[tuple[str, int], list[int]] = {}
        self._physical: dict[tuple[int, int], int] = {}
        for index, token in enumerate(self.source.tokens):
            self._lines.setdefault((PurePath(token.file).name, token.line), []).append(index)
            self._physical[self._line_and_column(token.start)] = index
        self._functions = sorted(
            (definition.name, definition.end, name) for name, definition in self.source.definitions.items()
        )

    def _line_and_column(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def place(self, index: int) -> Place:
        line, column = self._line_and_column(self.source.tokens[index].start)
        return Place(index, line, column, self._function_around(index))

    def _function_around(self, index: int) -> str | None:
        for first, last, name in self._functions:
            if first <= index <= last:
                return name
        return None

    def definition(self, name: str) -> DefinedFunction | None:
        return self.source.definitions.get(name)

    def on_line(self, position: Position) -> list[int]:
        """The tokens on the line of a position."""
        return self._lines.get((PurePath(position.file).name, position.line), [])

    def token_at(self, position: Position) -> int | None:
        """The token that begins at a position of the front end."""
        for index in self.on_line(position):
            if self.source.tokens[index].column == position.column:
                return index
        return None

    def physical(self, line: int, column: int) -> int | None:
        """The token that begins at a physical line and column."""
        return self._physical.get((line, column))

    def keyword(self, position: Position) -> int | None:
        """The branching keyword at a position, or the only one on its line (macros move columns)."""
        index = self.token_at(position)
        if index is not None and self.source.text(index) in BRANCHING:
            return index
        keywords = [index for index in self.on_line(position) if self.source.text(index) in BRANCHING]
        return keywords[0] if index is None and len(keywords) == 1 else None

    def statement(self, position: Position) -> int | None:
        """The first token of the statement around a position; None inside the parentheses of a `for`."""
        index = self.token_at(position)
        if index is None or self._function_around(index) is None or index in self._for_headers:
            return None
        while index > 0 and not self._ends_before(index):
            before = self.source.text(index - 1)
            index = self._opening(index - 1) if before in (")", "]") else index - 1
        return index

    @cached_property
    def _for_headers(self) -> frozenset[int]:
        """The tokens between the parentheses of `for` statements."""
        tokens = range(len(self.source.tokens) - 1)
        opened = (i + 1 for i in tokens if self.source.text(i) == "for" and self.source.text(i + 1) == "(")
        return frozenset(inside for start in opened for inside in range(start + 1, self.source.partners[start]))

    def _ends_before(self, index: int) -> bool:
        """Whether something that precedes a statement ends right before this token."""
        before = self.source.text(index - 1)
        if before in (";", "{", "}", "else", "do"):
            return True
        if before == ":":
            return not self._is_conditional(index - 1)
        return before == ")" and self.source.text(self._opening(index - 1) - 1) in BRANCHING

    def _is_conditional(self, colon: int) -> bool:
        index = colon - 1
        while index >= 0 and self.source.text(index) not in (";", "{", "}"):
            if self.source.text(index) == "?":
                return True
            index -= 1
        return False

    def _opening(self, close: int) -> int:
        depth, index = 0, close
        while index > 0:
            if self.source.text(index) in (")", "]"):
                depth += 1
            elif self.source.text(index) in ("(", "["):
                depth -= 1
                if depth == 0:
                    return index
            index -= 1
        return index

    def call_end(self, name: str, position: Position) -> int | None:
        """The right parenthesis of the call of `name` at a position, or of the only one on its line."""
        calls = [i for i in self.on_line(position) if self.source.text(i) == name and self.source.is_call(i)]
        calls = [i for i in calls if self.source.tokens[i].column == position.column] or calls
        if len(calls) != 1:
            return None
        end = self.source.partners[calls[0] + 1]
        return end if end < len(self.source.tokens) else None

    def is_visible(self, name: str, place: Place) -> bool:
        """Whether a name may be in scope: at top level before the place, or in its function outside ended blocks."""
        if self._top_level_names.get(name, place.index) < place.index:
            return True
        definition = self.definition(place.function) if place.function else None
        return definition is not None and name in self._open_names(definition, place.index)

    @cached_property
    def _top_level_names(self) -> Mapping[str, int]:
        """Names outside braces (but those of enumerations) and parameter lists, with their first occurrence."""
        names: dict[str, int] = {}
        index = 0
        while index < len(self.source.tokens):
            token = self.source.tokens[index]
            if token.is_name:
                names.setdefault(token.text, index)
            if self._hides_names(index):
                index = self.source.partners[index]
            index += 1
        return names

    def _hides_names(self, index: int) -> bool:
        """Whether a bracket at top level opens a body, an initialiser or a parameter list."""
        before = self.source.text(index - 1)
        if self.source.text(index) == "(":
            return self.source.text(index + 1) != "*"
        return self.source.text(index) == "{" and "enum" not in (before, self.source.text(index - 2))

    def _open_names(self, definition: DefinedFunction, end: int) -> frozenset[str]:
        return frozenset(self.source.text(index) for index in self._open_region(definition, end))

    def _open_region(self, definition: DefinedFunction, end: int) -> Iterator[int]:
        """The tokens of a function before a place that are in no block, and no `for`, that has ended."""
        index = definition.open
        while index < end:
            token = self.source.tokens[index]
            after_for = self._end_of_for(index) if token.text == "for" else None
            if after_for is not None and after_for < end:
                index = after_for
            elif token.text == "{" and self.source.partners[index] < end:
                index = self.source.partners[index]
            elif token.is_name:
                yield index
            index += 1

    def _end_of_for(self, index: int) -> int | None:
        """The last token of a `for` statement; None when its body is no block."""
        if self.source.text(index + 1) != "(":
            return None
        body = self.source.partners[index + 1] + 1
        return self.source.partners[body] if self.source.text(body) == "{" else None
