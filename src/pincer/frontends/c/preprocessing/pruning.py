"""Our own headers declare much that a program never mentions; the parser is spared those lines.

Only lines that are a declaration by themselves are left out: of a function, of an object, of another name of a type.
Each leaves an empty line, so positions stay.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_MARKER = re.compile(r'#\s*(?:line\s+)?\d+ "(.*)"')
_FUNCTION = re.compile(r"[A-Za-z_][\w *]*?\b(?P<name>\w+)\([^{}]*\);")
_OBJECT = re.compile(r"extern [\w *]*?\b(?P<name>\w+)(?:\[\w*\])?;")
_TYPE = re.compile(r"typedef [\w *]*?\b(?P<name>\w+);")
_WORD = re.compile(r"\w+")
_PRIVATE = ("<added>", "<library>")


def without_unused(text: str) -> str:
    """The text without declarations in our headers that nothing mentions."""
    if '"<' not in text:
        return text
    lines = text.split("\n")
    candidates = dict(_candidates(lines))
    words = {word for number, line in enumerate(lines) if number not in candidates for word in _WORD.findall(line)}
    words |= {word.removeprefix("__builtin_") for word in words if word.startswith("__builtin_")}
    for number in reversed(list(candidates)):
        if candidates[number] in words:
            words.update(_WORD.findall(lines[number]))
        else:
            lines[number] = ""
    return "\n".join(lines)


def _candidates(lines: list[str]) -> Iterator[tuple[int, str]]:
    """The lines of our headers that may be left out, and the name that each declares."""
    ours = False
    for number, line in enumerate(lines):
        marker = _MARKER.match(line)
        if marker is not None:
            ours = marker[1].startswith("<") and marker[1] not in _PRIVATE
        elif ours:
            found = _TYPE.fullmatch(line) or _OBJECT.fullmatch(line) or _FUNCTION.fullmatch(line)
            if found is not None:
                yield number, found["name"]
