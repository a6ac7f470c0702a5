"""Property files over C variables: the names in `define`s become those of the translated program."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from pincer.errors import PincerError, Position
from pincer.frontends.msvl.from_c.names import RESERVED

_QUOTED = r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\''
_COMMENT = re.compile(rf"({_QUOTED})|//[^\n]*|/\*.*?\*/", re.DOTALL)
_BLOCK = re.compile(r"</.*?/>", re.DOTALL)
_DEFINE = re.compile(rf"(?<![\w$])define\s+[A-Za-z_$][\w$]*\s*:((?:{_QUOTED}|[^;])*);", re.DOTALL)
_WORD = re.compile(rf"{_QUOTED}|(?:\.|->)\s*[A-Za-z_$][\w$]*|(?<![\w$.])[A-Za-z_$][\w$]*", re.DOTALL)


def renamed_blocks(path: Path, globals_: Mapping[str, str], locals_: Mapping[str, tuple[str, ...]]) -> str:
    """The blocks of the file, or its whole text as one; its lines keep their numbers."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise PincerError(f"{path}: there is no such file") from None
    except (OSError, UnicodeDecodeError) as error:
        raise PincerError(f"{path} cannot be read: {error}") from None
    bare = _COMMENT.sub(lambda found: found[1] or re.sub(r"[^\n]", " ", found[0]), text)
    renamer = _Renamer(path, bare, globals_, locals_)
    renamed = _DEFINE.sub(renamer.define, bare)
    return f"{renamed}\n" if _BLOCK.search(renamed) else f"</{renamed}/>\n"


class _Renamer:
    def __init__(
        self, path: Path, text: str, globals_: Mapping[str, str], locals_: Mapping[str, tuple[str, ...]]
    ) -> None:
        self._path, self._text = path, text
        self._globals, self._locals = globals_, locals_
        self._written = {*globals_.values(), *(name for names in locals_.values() for name in names)}

    def define(self, found: re.Match[str]) -> str:
        start = found.start(1)

        def word(inner: re.Match[str]) -> str:
            return self._word(inner[0], start + inner.start())

        head = found[0][: start - found.start()]
        return f"{head}{_WORD.sub(word, found[1])};"

    def _word(self, name: str, at: int) -> str:
        """A global variable first, then the only local one of that name; names of the MSVL text stay."""
        if name[0] in "\"'":
            return name
        if name[0] in ".-":
            field = name.lstrip(".->").strip()
            return name + "$" if field in RESERVED else name
        if name in self._globals:
            return self._globals[name]
        candidates = self._locals.get(name, ())
        if name in self._written or not candidates:
            return name
        if len(candidates) > 1:
            listed = ", ".join(f"`{candidate}`" for candidate in candidates)
            message = f"several variables are called `{name}`; write one of {listed}"
            raise PincerError(message, self._position(at))
        return candidates[0]

    def _position(self, at: int) -> Position:
        line = self._text.count("\n", 0, at) + 1
        return Position(str(self._path), line, at - self._text.rfind("\n", 0, at))
