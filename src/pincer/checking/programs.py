"""Which programs there are among files of C: those with an entry, each with the files that it needs.

With one entry among files that were named one by one, all of them are that program, as with a compiler. Otherwise every
file with an entry is a program, to which the files without one are linked that define what it needs. A file without an
entry that nobody needs is a library.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from pincer.checking.task import Source
from pincer.errors import PincerError
from pincer.program.c_file import CFile
from pincer.runtime.files import content_of

if TYPE_CHECKING:
    from pincer.frontends.c.exports import Exports

_C = (".c", ".i")
_MOST_NAMES = 3


class LibraryFile(Struct, frozen=True):
    """A file that no program needs, with functions that a check could start in."""

    path: str
    functions: tuple[str, ...] = ()


class Programs(Struct, frozen=True):
    """The programs among some files, and the files that belong to none."""

    sources: tuple[Source, ...]
    libraries: tuple[LibraryFile, ...] = ()

    def __add__(self, other: Programs) -> Programs:
        return Programs((*self.sources, *other.sources), (*self.libraries, *other.libraries))


def grouped(files: Sequence[CFile], like: Source, together: bool) -> Programs:
    """The programs among files; `like` says how they are read, and that all files of one entry are linked if they are
    `together`."""
    entry = function_of(like.entry or "main")
    if (together and len(files) < 2) or (entry == "main" and all(map(_clearly_has_main, files))):
        return Programs(tuple(_source(like, file) for file in files))
    tables = {file: _exports(file, like) for file in files}
    entries = [file for file, table in tables.items() if table is None or entry in table.functions]
    if together and len(entries) == 1:
        return Programs((_source(like, entries[0], [file for file in files if file != entries[0]]),))
    if together and not entries:
        return Programs(tuple(_source(like, file) for file in files))
    known = {file: table for file, table in tables.items() if table is not None and file not in entries}
    needs = {file: _needed(tables[file], known) for file in entries}
    used = {other for others in needs.values() for other in others}
    libraries = tuple(_library(file, table) for file, table in known.items() if file not in used)
    return Programs(tuple(_source(like, file, needs[file]) for file in entries), libraries)


def function_of(entry: str) -> str:
    """The function that an entry names, with or without arguments."""
    return entry.partition("(")[0].strip()


def _source(like: Source, file: CFile, others: Sequence[CFile] = ()) -> Source:
    """A program; a data model that was asked for counts for all its files."""
    asked = like.data_model
    whole = tuple(others) if asked is None else tuple(replace(other, data_model=None) for other in others)
    return replace(like, file=file.path, flags=file.flags, others=whole, data_model=asked or file.data_model)


def is_c(path: str) -> bool:
    return Path(path).suffix in _C


def _clearly_has_main(file: CFile) -> bool:
    """Whether the text itself has what can hardly be anything but a definition of `main`, whatever is defined."""
    try:
        text = content_of(Path(file.path)).decode("utf-8", "replace")
    except OSError:
        return True  # That it cannot be read is said when it is checked.
    found = re.search(r"^[\w \t*]*\bmain[ \t]*\([^;{]*\)\s*\{", text, re.MULTILINE)
    return found is not None and not _is_conditional(text[: found.start()])


def _is_conditional(before: str) -> bool:
    """Whether a part of a text whose beginning this is may be left out by the preprocessor."""
    directives = re.findall(r"^[ \t]*#[ \t]*(if|endif)", before, re.MULTILINE)
    return directives.count("if") > directives.count("endif")


def _exports(file: CFile, like: Source) -> Exports | None:
    """What a file has; None if it cannot be read, which is said when it is checked."""
    from pincer.frontends.c.exports import exports

    try:
        return exports(file, like.data_model or file.data_model or "LP64")
    except PincerError:
        return None


def _needed(table: Exports | None, known: Mapping[CFile, Exports]) -> list[CFile]:
    """The files that define what a program lacks, in the order of all files."""
    if table is None:
        return []
    defined, pending = set(table.defined | table.functions), set(table.needed)
    chosen: set[CFile] = set()
    while pending - defined:
        missing = pending - defined
        found = [file for file, other in known.items() if file not in chosen and other.defined & missing]
        if not found:
            break
        for file in found:
            chosen.add(file)
            defined |= known[file].defined
            pending |= known[file].needed
    return [file for file in known if file in chosen]


def _library(file: CFile, table: Exports) -> LibraryFile:
    return LibraryFile(file.path, tuple(sorted(table.functions & table.defined)[:_MOST_NAMES]))


def without_entry(libraries: Iterable[LibraryFile], entry: str) -> str:
    """That nothing can be checked, and what could be."""
    listed = list(libraries)
    names = [name for library in listed for name in library.functions][:_MOST_NAMES]
    hint = f"; start in another function, for example with --entry {names[0]}" if names else ""
    files = ", ".join(library.path for library in listed[:_MOST_NAMES]) + (", ..." if len(listed) > _MOST_NAMES else "")
    return f"nothing to check: there is no function `{entry}` with a body in {files}{hint}"
