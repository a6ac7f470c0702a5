"""What a mistyped word may have meant."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from itertools import islice
from pathlib import Path

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
