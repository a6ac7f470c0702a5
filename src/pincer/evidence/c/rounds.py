"""Loops that are watched in compiled code: a call at the head of each counts its rounds and looks whether they go on.

What is inserted stands on the line of the loop, so that all places stay what they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import PurePath
from typing import Literal

from msgspec import Struct

from pincer.errors import PincerError, Position
from pincer.evidence.c.instrument import inserted
from pincer.evidence.c.tokens import CText, read
from pincer.runtime.codec import Natural

GONE_ROUND = 96
"""The status with which a program ends that went as many rounds as were asked for."""
_AT_END = """
static void __pincer_ended(void) {{ {call}; }}
__attribute__((constructor)) static void __pincer_begun(void) {{ __pincer_at_end(__pincer_ended); }}
"""
_LOOPS = ("while", "for", "do")
_BEFORE_STATEMENTS = (";", "{", "}", ":", "else", "do", ")")


class Round(Struct, frozen=True):
    """A place that is watched: where it is, what holds there in the user's own words as far as they can say it, and
    after how many visits. It is the head of a loop, what follows a statement, the end of the program, or the entry of a
    `function`."""

    position: Position
    condition: str
    skipped: Natural
    place: Literal["head", "after", "end", "entry"] = "head"
    function: str = ""


class WatchedRounds(Struct, frozen=True):
    """The loops of a run, that whose rounds are counted first, and how many rounds it goes; or the place where a run
    has gone wrong, with no rounds."""

    loops: tuple[Round, ...]
    count: Natural


def watched(texts: Sequence[str], rounds: WatchedRounds) -> list[str]:
    """Preprocessed files with calls at the heads of loops. A `PincerError` if that of the first is not found."""
    sources = [read(text) for text in texts]
    insertions: list[list[tuple[int, str]]] = [[] for _ in texts]
    for number, loop in enumerate(rounds.loops):
        call = f"__pincer_round({int(number == 0)}, ({loop.condition}), {loop.skipped}ul, {rounds.count}ul)"
        if loop.place == "end":
            insertions[0].append((len(texts[0]), _AT_END.format(call=call)))
            continue
        places = ((i, list(_insertions(source, loop, call))) for i, source in enumerate(sources))
        found = next(((i, made) for i, made in places if made), None)
        if found is not None:
            insertions[found[0]] += found[1]
        elif number == 0:
            what = {"head": "loop", "entry": "function"}.get(loop.place, "statement")
            raise PincerError(f"the {what} at {loop.position} is not found in the program's text")
    return [inserted(text, made) for text, made in zip(texts, insertions, strict=True)]


def _insertions(source: CText, loop: Round, call: str) -> Iterator[tuple[int, str]]:
    if loop.place == "after":
        yield from _after(source, loop.position, call)
        return
    if loop.place == "entry":
        definition = source.definitions.get(loop.function)
        if definition is not None:
            yield source.tokens[definition.body].end, f" {call};"
        return
    found = _insertion(source, loop.position, call)
    if found is not None:
        yield found


def _after(source: CText, position: Position, call: str) -> Iterator[tuple[int, str]]:
    """Braces around a statement, with a call behind it; a declaration stands in braces already, and a loop that nothing
    but its body ends has the call in its head."""
    here = _token_at(source, position)
    if here is not None and _has_no_condition(source, here):
        yield from filter(None, [_insertion(source, position, call)])
        return
    if here is None or source.text(here) in (*_LOOPS, "if", "switch", "return", "{"):
        return
    while here > 0 and source.text(here - 1) not in _BEFORE_STATEMENTS:
        here -= 1
    end = _end(source, here)
    if end >= len(source.tokens) or source.text(end) != ";":
        return
    if any(source.text(i) == "=" and source.tokens[i - 1].is_name and i - here > 1 and source.tokens[i - 2].is_name
           for i in range(here + 2, end)):  # fmt: skip
        yield source.tokens[end].end, f" {call};"
        return
    yield source.tokens[here].start, "{ "
    yield source.tokens[end].end, f" {call}; }}"


def _has_no_condition(source: CText, here: int) -> bool:
    """Whether a loop `for (...; ; ...)` begins here: what follows its decision is what follows its head."""
    first = _first_semicolon(source, here + 1) if source.text(here) == "for" else None
    return first is not None and source.text(first + 1) == ";"


def _insertion(source: CText, position: Position, call: str) -> tuple[int, str] | None:
    """Where a call is executed in every round of a loop, before anything else, and its text."""
    here = _token_at(source, position)
    if here is None:
        return None
    loop = here if source.text(here) in _LOOPS else _around(source, here)
    if loop is None:
        label = _label_before(source, here)
        return None if label is None else (source.tokens[label].end, f" {call};")
    if source.text(loop) == "do":
        return (source.tokens[loop + 1].end, f" {call};") if source.text(loop + 1) == "{" else None
    if source.text(loop) == "while":
        return source.tokens[loop + 1].end, f"{call}, "
    first = _first_semicolon(source, loop + 1)
    if first is None:
        return None
    return source.tokens[first].end, f" {call}, 1" if source.text(first + 1) == ";" else f" {call}, "


def _token_at(source: CText, position: Position) -> int | None:
    """The token at a position; macros move columns, and then the only loop of the line is meant."""
    name = PurePath(position.file).name
    line = [i for i, t in enumerate(source.tokens) if t.line == position.line and PurePath(t.file).name == name]
    exact = [i for i in line if source.tokens[i].column == position.column]
    loops = [i for i in line if source.text(i) in _LOOPS]
    return exact[0] if exact else loops[0] if len(loops) == 1 else None


def _around(source: CText, index: int) -> int | None:
    """The innermost loop around a token."""
    found = None
    for loop in _loops(source, index):
        if loop < index <= _end(source, loop):
            found = loop
    return found


def _loops(source: CText, before: int) -> Iterator[int]:
    """The keywords of loops before a token, without the `while` at the end of a `do`."""
    ends: set[int] = set()
    for i in range(before):
        if source.text(i) == "do":
            ends.add(_end(source, i + 1) + 1)
        if source.text(i) in _LOOPS and i not in ends:
            yield i


def _end(source: CText, index: int) -> int:
    """The last token of the statement that begins at a token."""
    match source.text(index):
        case "{":
            return source.partners[index]
        case "while" | "for" | "switch" | "if" as word if source.text(index + 1) == "(":
            last = _end(source, source.partners[index + 1] + 1)
            return _end(source, last + 2) if word == "if" and source.text(last + 1) == "else" else last
        case "do":
            last = _end(source, index + 1)
            return source.partners.get(last + 2, last + 1) + 1
    while index < len(source.tokens) and source.text(index) not in (";", "}"):
        index = source.partners.get(index, index) + 1
    return index


def _first_semicolon(source: CText, opening: int) -> int | None:
    """The first semicolon between the parentheses of a `for`."""
    index = opening + 1
    while index < source.partners.get(opening, 0):
        if source.text(index) == ";":
            return index
        index = source.partners.get(index, index) + 1
    return None


def _label_before(source: CText, index: int) -> int | None:
    """The colon of a label in front of the statement around a token, if a statement may stand there."""
    while index > 0 and source.text(index - 1) not in _BEFORE_STATEMENTS:
        index -= 1
    is_label = source.text(index - 1) == ":" and source.tokens[index - 2].is_name
    return index - 1 if is_label and source.text(index - 3) in (";", "{", "}", ":") else None
