"""The line of a source file that a message is about."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from pincer.errors import Mistake
from pincer.runtime.files import content_of


def with_excerpt(mistake: Mistake) -> Mistake:
    """The same mistake with the line it names, where it brings none; the beginning of a file stands for the whole."""
    if mistake.excerpt is not None or mistake.line is None or (mistake.line, mistake.column) == (1, 1):
        return mistake
    try:
        lines = content_of(Path(mistake.file)).decode("utf-8", "replace").splitlines()
    except OSError:
        return mistake
    return replace(mistake, excerpt=lines[mistake.line - 1]) if 0 < mistake.line <= len(lines) else mistake
