"""Where statements begin and end in C text, found without parsing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePath

from pincer.errors import Position
from pincer.evidence.c.tokens import CText, DefinedFunction

_HEADS = ("if", "while", "for", "switch")
_NO_START = ("}", "else", "case", "default", ";", ")", "]", ",")


@dataclass
class _Bracket:
    """An open bracket; `block` if it is a brace around statements, `loop` if that is the body of a `do`."""

    index: int
    block: bool
    loop: bool


def statement_span(source: CText, index: int) -> tuple[int, int]:
    """The first and the last token of the statement around a token."""
    start = end = index
    while start > 0 and source.text(start - 1) not in (";", "{", "}"):
        start -= 1
    while source.text(end) not in (";", "{", "}", ""):
        end += 1
    return start, min(end, len(source.tokens) - 1)


def statement_lines(source: CText, position: Position) -> tuple[int, int]:
    """The first and the last line of the statement around a position: compilers place its accesses anywhere there."""
    name = PurePath(position.file).name
    here = [
        index
        for index, token in enumerate(source.tokens)
        if token.line == position.line and PurePath(token.file).name == name
    ]
    if not here:
        return position.line, position.line
    before = [index for index in here if source.tokens[index].column <= position.column]
    start, end = statement_span(source, before[-1] if before else here[0])
    return min(source.tokens[start].line, position.line), max(source.tokens[end].line, position.line)


def before_statement(source: CText, line: Position, call: str) -> tuple[int, str] | None:
    """The insertion that runs a call before the first statement that begins on a line; None if none does."""
    name = PurePath(line.file).name
    for definition in source.definitions.values():
        for index in _starts(source, definition):
            token = source.tokens[index]
            if token.line == line.line and PurePath(token.file).name == name:
                whole = source.text(index - 1) in ("{", "}", ";")
                return token.start, f" {call}; " if whole else f" if ({call}, 0) ; else "
    return None


def _starts(source: CText, definition: DefinedFunction) -> Iterator[int]:
    """The first tokens of the statements and declarations of a function."""
    brackets: list[_Bracket] = []
    closed = _Bracket(definition.body, True, False)
    for index in range(definition.body, min(definition.end, len(source.tokens))):
        text, before = source.text(index), source.text(index - 1)
        if brackets and brackets[-1].block and _begins(source, index, closed):
            yield index
        if text in ("(", "[", "{"):
            block = text == "{" and before in (")", "else", "do", "{", "}", ";", ":")
            brackets.append(_Bracket(index, block, before == "do"))
        elif text in (")", "]", "}") and brackets:
            closed = brackets.pop()


def _begins(source: CText, index: int, closed: _Bracket) -> bool:
    """Whether a token directly inside a block begins a statement; `closed` is the bracket that was closed last."""
    text, before = source.text(index), source.text(index - 1)
    if text in _NO_START or source.text(index + 1) == ":" or (text == "{" and before == ")"):
        return False
    if before == "}":
        return not (closed.loop and text == "while")
    if before == ")":
        return source.text(closed.index - 1) in _HEADS
    if before == ":":
        return _is_label(source, index - 1)
    return before in ("{", ";", "else", "do")


def _is_label(source: CText, colon: int) -> bool:
    """Whether a colon ends a label, not the first half of a conditional expression."""
    start = colon - 1
    while source.text(start) not in ("{", "}", ";", ":", "?", "case", ""):
        start -= 1
    return source.text(start) == "case" or (source.text(start) != "?" and start == colon - 2)
