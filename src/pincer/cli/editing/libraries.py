"""Programs of several C files in an editor, which shows one of them: which others belong to it."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from pincer.checking.programs import grouped, is_c
from pincer.checking.task import Source
from pincer.program.c_file import CFile

_MOST_FILES = 100
"""A folder with more files is not searched for what belongs together: editors wait for an answer."""


class EditedFile(Struct, frozen=True):
    """A file with the `others` that its program needs; a `note` where it is no program by itself."""

    others: tuple[str, ...] = ()
    note: str = ""


def edited_file(path: Path, entry: str | None = None) -> EditedFile:
    """What belongs to a file of C beside it: files that define what it lacks, or the programs that use it."""
    if not is_c(str(path)) or not path.is_file():
        return EditedFile()
    like = Source(str(path), entry=entry)
    alone = grouped([CFile(str(path))], like, False)
    beside = sorted(file for file in path.parent.iterdir() if is_c(file.name))
    together = grouped([CFile(str(file)) for file in beside], like, False) if len(beside) <= _MOST_FILES else alone
    for source in together.sources:
        if source.file == str(path):
            return EditedFile(tuple(other.path for other in source.others))
    if alone.sources or not alone.libraries:
        return EditedFile()
    users = [Path(source.file).name for source in together.sources if _has(source, path)]
    if users:
        return EditedFile(
            note=f"no `main` here: this file is checked with the program that uses it ({', '.join(users)})"
        )
    functions = alone.libraries[0].functions
    hint = f"; `pincer check {path.name} --entry {functions[0]}` starts in a function" if functions else ""
    return EditedFile(note=f"no `main` here: nothing is checked{hint}")


def _has(source: Source, path: Path) -> bool:
    return any(other.path == str(path) for other in source.others)
