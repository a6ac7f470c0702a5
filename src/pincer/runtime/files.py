"""Reading files once: what is hashed, parsed and shown of a file is one and the same content."""

from __future__ import annotations

from functools import lru_cache
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
