"""The files that a program is read from: its own, and the headers that these include, at any depth.

Headers are found by the names in the text, without expanding macros: those of the system, which are looked for
elsewhere, are not among them.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from pincer.checking.task import TASKS, Source
from pincer.errors import PincerError
from pincer.program.c_file import CFlags
from pincer.runtime.files import content_of

_INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include(?:_next)?[ \t]*(?:<([^>\n]*)>|"([^"\n]*)"|(\S.*))', re.MULTILINE)


class ReadFiles(Struct, frozen=True):
    """Absolute paths, without links being followed. Where a macro gives the name of a header, it may be any file in
    `anywhere`, the folders that are searched."""

    paths: frozenset[Path]
    anywhere: frozenset[Path] = frozenset()


def files_of(source: Source) -> ReadFiles:
    """What a program is read from, as far as its texts tell."""
    paths, anywhere = set[Path](), set[Path]()
    files = [(Path(source.file), source.flags), *((Path(other.path), other.flags) for other in source.others)]
    if Path(source.file).suffix in TASKS:
        files += ((path, source.flags) for path in _task_files(Path(source.file)))
    for path, flags in files:
        _follow(path, flags, paths, anywhere)
    return ReadFiles(frozenset(paths), frozenset(anywhere))


def _task_files(task: Path) -> Iterator[Path]:
    from pincer.frontends.svcomp import load_task

    try:
        found = load_task(task)
    except (PincerError, OSError):
        return  # That it cannot be read is said when it is checked.
    yield from (found.source, *found.others, *(item.property_file for item in found.properties))


def _follow(file: Path, flags: CFlags, paths: set[Path], anywhere: set[Path]) -> None:
    """Add a file and the headers that it includes."""
    folders = [Path(folder) for folder in flags.include]
    waiting, seen = [file, *map(Path, flags.forced)], set[Path]()
    while waiting:
        path = absolute(waiting.pop())
        if path in seen:
            continue
        seen.add(path)
        for angled, quoted, computed in _INCLUDE.findall(_text(path)):
            near = [path.parent] if quoted or computed else []
            if computed:
                anywhere.update(map(absolute, [*near, *folders]))
            name = (angled or quoted).decode("utf-8", "surrogateescape")
            places = [folder / name for folder in near + folders] if name else []
            waiting += [place for place in places if place.is_file()]
    paths |= seen


def absolute(path: Path) -> Path:
    """The path from the root, without `..` and without following links."""
    return Path(os.path.abspath(path))  # noqa: PTH100 - `Path.resolve` would follow links


def _text(path: Path) -> bytes:
    try:
        return content_of(path)
    except OSError:
        return b""
