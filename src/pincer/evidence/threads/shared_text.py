"""What the text of a program says about data that threads share: its global variables, and who exchanges atomically.

Compilers leave out reads whose values do not matter to them (`u - u`, `u * 0`). Of a volatile variable they leave out
none, so for a schedule that needs them the variables it is about are declared so.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import PurePath

from msgspec import Struct

from pincer.evidence.c.tokens import CText
from pincer.evidence.threads.statements import statement_span

_EXCHANGES = ("compare_exchange", "compare_and_swap")


class Lines(Struct, frozen=True):
    """Lines of a file, which is told by its name without the folder."""

    file: str
    first: int
    last: int


def exchanging_statements(source: CText) -> Iterator[Lines]:
    """The statements in which the program itself exchanges a value if it is as expected."""
    for index, token in enumerate(source.tokens):
        if token.is_name and any(word in token.text for word in _EXCHANGES):
            start, end = statement_span(source, index)
            lines = [source.tokens[start].line, token.line, source.tokens[end].line]
            yield Lines(PurePath(token.file).name, min(lines), max(lines))


def global_variables(source: CText) -> frozenset[str]:
    """The names that are declared outside functions and are neither types nor functions."""
    return frozenset(source.text(name) for _, name in _declared(source))


def volatile_globals(source: CText, names: Collection[str]) -> list[tuple[int, str]]:
    """The insertions that make global variables of these names volatile, pointers themselves as well."""
    places: set[int] = set()
    for start, name in _declared(source):
        if source.text(name) in names:
            places.add(source.tokens[start].start)
            if source.text(name - 1) == "*":
                places.add(source.tokens[name].start)
    return [(place, " volatile ") for place in sorted(places)]


def _declared(source: CText) -> Iterator[tuple[int, int]]:
    """The first token of each declaration outside functions with the names of the objects that it declares."""
    bodies = {definition.name: definition.end for definition in source.definitions.values()}
    index = start = 0
    while index < len(source.tokens):
        token = source.tokens[index]
        if index in bodies:
            index = bodies[index]
            start = index + 1
        elif token.text in ("(", "[", "{"):
            index = source.partners[index]
        elif token.text == ";":
            start = index + 1
        elif index > start and source.text(start) != "typedef" and _is_declared(source, index):
            yield start, index
        index += 1


def _is_declared(source: CText, index: int) -> bool:
    declares = source.tokens[index].is_name and source.text(index + 1) in (";", ",", "=", "[")
    return declares and source.text(index - 1) not in ("struct", "union", "enum")
