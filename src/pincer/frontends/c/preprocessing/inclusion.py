"""Which file an `#include` means, and how that file is shown to the user."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from msgspec import Struct

_LEVELS_UP = 4
_MOST_FOLDERS = 2_000
"""How far is looked around for a header that nobody has named a folder for."""


class IncludedFile(Struct, frozen=True):
    """An included file and the number of the folder it was found in, -1 beside the including file."""

    path: Path
    folder: int


class Folders(Struct, frozen=True):
    """The folders of headers in the order of the search; the last has our own headers."""

    given: tuple[Path, ...]
    own: Path

    @classmethod
    def of(cls, given: Sequence[Path], own: Path) -> Folders:
        return cls((*given, own), own)

    def find(self, header: str, includer: Path, after: int = -1) -> IncludedFile | None:
        """The file that `"name"` or `<name>` means; `after` is the folder behind which `#include_next` looks."""
        name = header[1:-1]
        if header.startswith('"') and after < 0 and (includer.parent / name).is_file():
            return IncludedFile(includer.parent / name, -1)
        for number in range(after + 1, len(self.given)):
            if (self.given[number] / name).is_file():
                return IncludedFile(self.given[number] / name, number)
        return None

    def shown(self, path: Path) -> str:
        """Our own headers are shown as `<stdio.h>`, others by the path that led to them."""
        return f"<{path.relative_to(self.own)}>" if path.is_relative_to(self.own) else str(path)


def nearby(name: str, includer: Path) -> Path | None:
    """A folder near a file in which a header of this name lies: what `-I` may be meant to name."""
    folders = islice(_around(includer.parent), _MOST_FOLDERS)
    return next((folder for folder in folders if (folder / name).is_file()), None)


def _around(folder: Path) -> Iterator[Path]:
    """The folders below one, then those below the folders above it; without those that hide."""
    inner: Path | None = None
    for outer in (folder, *folder.parents[:_LEVELS_UP]):
        for path, names, _ in os.walk(outer):
            names[:] = sorted(name for name in names if not name.startswith(".") and Path(path) / name != inner)
            yield Path(path)
        inner = outer
