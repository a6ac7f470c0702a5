"""Which file an `#include` means, and how that file is shown to the user."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct


class Found(Struct, frozen=True):
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

    def find(self, header: str, includer: Path, after: int = -1) -> Found | None:
        """The file that `"name"` or `<name>` means; `after` is the folder behind which `#include_next` looks."""
        name = header[1:-1]
        if header.startswith('"') and after < 0 and (includer.parent / name).is_file():
            return Found(includer.parent / name, -1)
        for number in range(after + 1, len(self.given)):
            if (self.given[number] / name).is_file():
                return Found(self.given[number] / name, number)
        return None

    def shown(self, path: Path) -> str:
        """Our own headers are shown as `<stdio.h>`, others by the path that led to them."""
        return f"<{path.relative_to(self.own)}>" if path.is_relative_to(self.own) else str(path)
