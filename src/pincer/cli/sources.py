"""The programs a call names: files, SV-COMP tasks, and everything below a folder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pincer.checking.task import LANGUAGES, TASKS
from pincer.errors import PincerError


def input_files(paths: Sequence[str]) -> list[str]:
    """The programs named in the call; a folder stands for all programs and tasks below it, in alphabetical order."""
    files: list[str] = []
    for text in paths:
        files += _below(Path(text)) if Path(text).is_dir() else [_known(text)]
    return list(dict.fromkeys(files))


def _known(text: str) -> str:
    """A file as it was named; its ending says in which language it is written."""
    if Path(text).is_file() and Path(text).suffix not in LANGUAGES:
        raise PincerError(f"{text} is no program that can be checked: .c, .i, .gcl and .m are, and .yml tasks")
    return text


def _below(folder: Path) -> list[str]:
    """The programs of a folder. A task stands for the file it names; other YAML files are passed over."""
    files = sorted(item for item in folder.rglob("*") if item.suffix in LANGUAGES and item.is_file())
    inputs = {item: named for item in files if item.suffix in TASKS and (named := _named_by(item)) is not None}
    covered = {named.resolve() for named in inputs.values()}
    found = [
        str(item)
        for item in files
        if (item in inputs if item.suffix in TASKS else item.resolve() not in covered)
    ]  # fmt: skip
    if not found:
        raise PincerError(f"there is no .gcl, .m, .c or .i file and no task below {folder}")
    return found


def _named_by(path: Path) -> Path | None:
    """The program of a task file, None when the file is no task for a C program."""
    from pincer.frontends.svcomp import load_task

    try:
        return load_task(path).source
    except PincerError:
        return None
