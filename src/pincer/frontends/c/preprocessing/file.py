"""A source file that is being preprocessed: a place in its text, and the lines that are said of it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from msgspec import Struct

from pincer.frontends.c.preprocessing.definitions import BadMacro
from pincer.frontends.c.preprocessing.tokens import BLANK, END, LITERAL, NAME, NUMBER, Token, scan

_DIRECTIVE = rf"^{BLANK}*+(?:\#|%:(?!%:))(?!\#)"
_COMMENT = r"/\*(?s:.*?)\*/|//[^\n]*|(?P<unclosed>/\*)"
# What decides about a text: names, directives, and whatever may contain characters that look like them.
POINTS = re.compile(rf"(?P<directive>{_DIRECTIVE})|{LITERAL}|(?P<name>{NAME})|{NUMBER}|{_COMMENT}", re.MULTILINE)
DIRECTIVES = re.compile(rf"(?P<directive>{_DIRECTIVE})|{LITERAL}|{_COMMENT}", re.MULTILINE)
_AT_DIRECTIVE = re.compile(_DIRECTIVE, re.MULTILINE)
_OPENS = re.compile(rf"(?:{BLANK}|\n)*+\(")
_NO_MORE = re.compile(rf"(?:{BLANK}|\n)*+\Z")
_WORD = re.compile(rf"{BLANK}*+({NAME}|\d+)?")
_HEADER = re.compile(rf'{BLANK}*+(<[^>\n]+>|"[^"\n]+")')


class ConditionalGroup(Struct):
    """An open `#if`: where it is, whether one of its branches was taken, and whether its `#else` was there."""

    line: int
    directive: str
    taken: bool
    last: bool = False


@dataclass(eq=False, repr=False)
class SourceFile:
    """The text of a file, read from `at` on. Its lines were joined at `joints`.

    `shown` and `line` are what the user calls a place: the name and number of the last `#line`. `folder` is the number
    of the folder in which an included file was found. `on_directive` is called for directives among the arguments of a
    macro.
    """

    text: str
    path: Path
    shown: str
    joints: Sequence[int] = ()
    parent: SourceFile | None = None
    folder: int = -1

    def __post_init__(self) -> None:
        self.at = 0
        self.groups: list[ConditionalGroup] = []
        self.on_directive: Callable[[], None] = lambda: None
        self._line = 1
        self._counted = 0

    @property
    def depth(self) -> int:
        return 0 if self.parent is None else self.parent.depth + 1

    def line(self, at: int) -> int:
        """The number of the line of a place that is not before those asked for earlier."""
        self._line += self.text.count("\n", self._counted, at)
        self._counted = at
        return self._line

    def spelled_line(self, at: int) -> int:
        """The same, counting the joined lines before the place: this is what `__LINE__` gives."""
        line = self.line(at)
        if self.joints:
            start = self.text.rfind("\n", 0, at)
            line += bisect_right(self.joints, at) - bisect_right(self.joints, start)
        return line

    def renumber(self, next_line: int) -> None:
        """Give the line behind the current one another number."""
        self.line(self.at)
        self._line = next_line - 1

    def take(self) -> Token:
        """The next token, over the ends of lines; directives on the way are obeyed."""
        space = False
        while found := scan(self.text, self.at):
            kind = found.lastgroup
            if kind == "newline" or kind == "blank":
                space = True
                self.at = found.end()
                if kind == "newline" and (directive := _AT_DIRECTIVE.match(self.text, self.at)):
                    self.at = directive.end()
                    self.on_directive()
                continue
            line = self.spelled_line(self.at)
            self.at = found.end()
            return Token(kind, found.group(), space, line)  # type: ignore[arg-type]
        return END

    def opens(self) -> bool:
        """Whether a parenthesis comes next, which is then taken."""
        found = _OPENS.match(self.text, self.at)
        if found is not None:
            self.at = found.end()
            return True
        if self.parent is not None and _NO_MORE.match(self.text, self.at):
            above = self.parent
            if _OPENS.match(above.text, above.at):
                raise BadMacro("a macro at the end of a header has its arguments in another file; put them together")
        return False

    def word(self) -> str:
        """The word or number that names a directive, taken; empty if there is none."""
        found = _WORD.match(self.text, self.at)
        if found is None or found.group(1) is None:
            return ""
        self.at = found.end()
        return found.group(1)

    def header(self) -> str | None:
        """The name of a header in its quotes or brackets, if one comes next; taken."""
        found = _HEADER.match(self.text, self.at)
        if found is None:
            return None
        self.at = found.end()
        return found.group(1)

    def rest(self) -> list[Token]:
        """The tokens up to the end of the line, which itself is not taken."""
        line, space = self.spelled_line(self.at), False
        tokens: list[Token] = []
        while (found := scan(self.text, self.at)) and found.lastgroup != "newline":
            if found.lastgroup == "blank":
                space = True
            else:
                if found.group() == "/" and self.text.startswith("*", found.end()):
                    raise BadMacro("a comment has no end; close it with */")
                tokens.append(Token(found.lastgroup, found.group(), space, line))  # type: ignore[arg-type]
                space = False
            self.at = found.end()
        return tokens


class TokenLine:
    """The tokens of one directive as a text to expand."""

    def __init__(self, tokens: list[Token]) -> None:
        self._tokens = tokens
        self._at = 0

    def take(self) -> Token:
        if self._at == len(self._tokens):
            return END
        self._at += 1
        return self._tokens[self._at - 1]

    def opens(self) -> bool:
        found = self._at < len(self._tokens) and self._tokens[self._at].text == "("
        self._at += found
        return found
