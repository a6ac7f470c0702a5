"""The programs below a folder: in the order that people count in, without what other tools keep there."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from pincer.checking.task import LANGUAGES, TASKS
from pincer.errors import PincerError

_PASSED_OVER = ("node_modules", "__pycache__")
_FOREIGN = re.compile(rb"\s*(?:#import\b|@\w+|%|function\b|classdef\b)")
"""How files of Objective-C and MATLAB begin, which share the ending `.m` with MSVL."""
_LOOKED_AT = 4096
_MOST_NAMES = 3


class Folder(Struct, frozen=True):
    """Programs and tasks below a folder, and a remark about what was passed over."""

    files: tuple[str, ...]
    remarks: tuple[str, ...] = ()


def programs_below(folder: Path) -> Folder:
    """All programs of a folder. A task stands for the files it names; other YAML files are passed over."""
    skipped: list[str] = []
    files = sorted(_walked(folder, skipped), key=natural)
    inputs = {item: named for item in files if item.suffix in TASKS and (named := _named_by(item)) is not None}
    covered = {file.resolve() for named in inputs.values() for file in named}
    found = tuple(
        str(item)
        for item in files
        if (item in inputs if item.suffix in TASKS else item.resolve() not in covered)
    )  # fmt: skip
    if not found:
        raise PincerError(f"there is no .gcl, .m, .c or .i file and no task below {folder}")
    return Folder(found, (_remark(skipped),) if skipped else ())


def natural(path: Path) -> list[tuple[int, str]]:
    """Names in the order of their numbers: 2 comes before 10."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", str(path)) if part]


def _walked(folder: Path, skipped: list[str]) -> Iterator[Path]:
    for place, folders, names in os.walk(folder):
        here = Path(place)
        for name in sorted(folders):
            if name.startswith(".") or name in _PASSED_OVER or (here / name / "pyvenv.cfg").is_file():
                skipped.append(str(here / name))
                folders.remove(name)
        for item in (here / name for name in names):
            if item.suffix not in LANGUAGES or not item.is_file():
                continue
            if item.suffix == ".m" and _is_foreign(item):
                skipped.append(str(item))
            else:
                yield item


def _is_foreign(path: Path) -> bool:
    try:
        with path.open("rb") as stream:
            return _FOREIGN.match(stream.read(_LOOKED_AT)) is not None
    except OSError:
        return False  # That it cannot be read is said when it is checked.


def _remark(skipped: list[str]) -> str:
    more = len(skipped) - _MOST_NAMES
    return f"passed over: {', '.join(skipped[:_MOST_NAMES])}{f' and {more} more' if more > 0 else ''}"


def _named_by(path: Path) -> tuple[Path, ...] | None:
    """The files of the program of a task, None when the file is no task for a C program."""
    from pincer.frontends.svcomp import load_task

    try:
        task = load_task(path)
        return task.source, *task.others
    except PincerError:
        return None
