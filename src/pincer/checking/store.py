"""A folder that remembers: texts by the hash of what they answer, and by names the hash that was answered last.

Nothing in it is believed: whoever reads an entry checks its evidence again. So all that matters here is that no entry
is half of one. An entry is written beside its place and moved there, and begins with the hash of what follows; several
processes may read, write and tidy up at once. What cannot be read is as good as absent.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

FORMAT = "pincer-store-1"
"""Entries of another form lie in another folder, and are never looked at."""
FOLDER = ".pincer"
MOST_MB = 500
"""To which a store grows unless the user says otherwise."""
_KEPT_SHARE = 0.8
"""Of the limit, what is left after tidying up: so that not every run has to."""
_UNFINISHED = "unfinished-"
_OLD_SECONDS = 3600.0
"""A file that is still unfinished after so long was left by a process that is gone."""


class StoreSettings(Struct, frozen=True):
    """Where answers are kept, and whether those that are found are believed without a look at their evidence."""

    folder: str
    trust: bool = False
    most_mb: int = MOST_MB


class Damaged(Exception):
    """An entry is not what was written."""


class AnswerStore:
    """The entries of one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._place = folder / FORMAT

    def read(self, kind: str, key: str) -> bytes | None:
        """An entry, None if there is none; `Damaged` if there is something else in its place."""
        path = self._path(kind, key)
        try:
            content = path.read_bytes()
        except OSError:
            return None
        head, _, text = content.partition(b"\n")
        if head.decode("ascii", "replace") != _hash(text):
            raise Damaged(str(path))
        with contextlib.suppress(OSError):
            os.utime(path)
        return text

    def write(self, kind: str, key: str, text: bytes) -> None:
        """Keep an entry; errors are those of the system."""
        path = self._path(kind, key)
        self._begin()
        path.parent.mkdir(parents=True, exist_ok=True)
        number, unfinished = tempfile.mkstemp(prefix=_UNFINISHED, dir=path.parent)
        try:
            with os.fdopen(number, "wb") as file:
                file.write(_hash(text).encode("ascii") + b"\n" + text)
            Path(unfinished).replace(path)
        except OSError:
            with contextlib.suppress(OSError):
                Path(unfinished).unlink()
            raise

    def tidy(self, most_mb: int, now: float) -> None:
        """Let go of the entries that nobody has asked for longest, until the rest is well below the limit."""
        entries = sorted(self._entries(now))
        size = sum(entry[1] for entry in entries)
        if size <= most_mb * 1e6:
            return
        for _, bytes_, path in entries:
            if size <= _KEPT_SHARE * most_mb * 1e6:
                return
            with contextlib.suppress(OSError):
                path.unlink()
            size -= bytes_

    def _entries(self, now: float) -> Iterator[tuple[float, int, Path]]:
        """When each entry was used last, and its size; what was never finished goes on the way."""
        for path in self._place.glob("*/*/*"):
            with contextlib.suppress(OSError):
                state = path.stat()
                if not path.name.startswith(_UNFINISHED):
                    yield state.st_mtime, state.st_size, path
                elif now - state.st_mtime > _OLD_SECONDS:
                    path.unlink()

    def _begin(self) -> None:
        """A folder that other tools leave alone: version control, backups."""
        if self._place.is_dir():
            return
        self._place.mkdir(parents=True, exist_ok=True)
        (self.folder / ".gitignore").write_text("*\n", encoding="ascii")
        tag = "Signature: 8a477f597d28d172789f06886806bc55\n# What pincer has decided, with its evidence.\n"
        (self.folder / "CACHEDIR.TAG").write_text(tag, encoding="ascii")

    def _path(self, kind: str, key: str) -> Path:
        return self._place / kind / key[:2] / key


def _hash(text: bytes) -> str:
    return hashlib.sha256(text).hexdigest()
