"""C source to a syntax tree: reading, preprocessing and parsing one translation unit."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from msgspec import Struct
from pycparser import c_ast

from pincer.errors import PincerError, Position
from pincer.frontends.c.preprocessing.preprocess import preprocess
from pincer.frontends.c.preprocessing.pruning import without_unused
from pincer.frontends.c.preprocessing.source import read_source
from pincer.frontends.c.syntax.grammar import Grammar
from pincer.program.c_file import NO_FLAGS, CFlags

_RECURSION_LIMIT = 50_000


class TranslationUnit(Struct, frozen=True):
    """The tree of one file and what declarations say beyond it.

    Attributes that change meaning are in the tree (`nodes.Attribute`); thread-local objects have `_Thread_local` among
    their `storage`. `encoding` is that of the file: characters of string literals have the bytes they have there.
    `weak` holds the names that pragmas make weak.
    """

    ast: c_ast.FileAST
    file: str
    noreturn: frozenset[str]
    encoding: Literal["utf-8", "latin-1"] = "utf-8"
    weak: frozenset[str] = frozenset()


def parse(
    path: Path,
    text: str | None = None,
    layout_bits: Literal[32, 64] = 64,
    extra: str = "",
    flags: CFlags = NO_FLAGS,
) -> TranslationUnit:
    """Parse the file, or `text` in its place. `extra` is C without directives that follows the file's own text."""
    encoding: Literal["utf-8", "latin-1"] = "utf-8"
    if text is None:
        text, encoding = read_source(path)
    expanded = preprocess(text, path, layout_bits, flags)
    if extra:
        expanded = f'{expanded}\n# 1 "<added>"\n{extra}\n'
    expanded = without_unused(expanded)
    grammar = Grammar()
    with _room_to_recurse(path):
        try:
            tree = grammar.parse(expanded, str(path))
            grammar.check_all_placed()
        except PincerError as error:
            raise _with_excerpt(error, path, text) from None
    return TranslationUnit(tree, str(path), frozenset(grammar.noreturn), encoding, frozenset(grammar.clex.weak))


@contextmanager
def _room_to_recurse(path: Path) -> Iterator[None]:
    """The parser recurses from Python function to Python function: depth costs heap, not C stack."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, _RECURSION_LIMIT))
    try:
        yield
    except RecursionError:
        place = Position(str(path), 1, 1)
        raise PincerError("statements or expressions are nested too deeply; split them up", place) from None
    finally:
        sys.setrecursionlimit(limit)


def _with_excerpt(error: PincerError, path: Path, text: str) -> PincerError:
    """Show the line of the source itself: the preprocessed line may look different."""
    lines = text.splitlines()
    place = error.position
    if error.excerpt is None and place is not None and place.file == str(path) and 0 < place.line <= len(lines):
        return type(error)(error.message, place, lines[place.line - 1])
    return error
