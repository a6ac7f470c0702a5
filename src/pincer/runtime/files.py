"""Reading files once, so that what is hashed, parsed and shown is one content; what is said where a name is wrong."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from functools import lru_cache
from itertools import islice
from pathlib import Path

_MOST_FILES = 512
"""A program of several hundred files with their headers stays in memory; source files are small."""


def content_of(path: Path) -> bytes:
    """The bytes of a file, which is opened again only when it has changed; errors are those of the system."""
    state = path.stat()
    return _read(str(path.absolute()), state.st_mtime_ns, state.st_size, state.st_ino)


@lru_cache(maxsize=_MOST_FILES)
def _read(path: str, changed: int, size: int, number: int) -> bytes:
    return Path(path).read_bytes()


_MOST_NEIGHBOURS = 2_000


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """The end of a sentence that names the known word most like another one; empty if none is like it."""
    near = get_close_matches(word, list(known), n=1)
    return f"; did you mean `{near[0]}`?" if near else ""


def no_such_file(path: Path, problem: str | None) -> str:
    """That a file cannot be read; where there is none, which one of its folder may be meant."""
    said = f"cannot read {path}: {problem}"
    if path.exists():
        return f"{said}; check the permissions"
    try:
        names = [item.name for item in islice(path.parent.iterdir(), _MOST_NEIGHBOURS)]
    except OSError:
        names = []
    near = get_close_matches(path.name, names, n=1)
    return f"{said}; did you mean `{path.parent / near[0]}`?" if near else f"{said}; check the name"
