"""C source as the parser wants it: macros expanded, our own headers included."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from pincer.frontends.c.preprocessing.definitions import BUILTINS
from pincer.frontends.c.preprocessing.file import DIRECTIVES, SourceFile
from pincer.frontends.c.preprocessing.predefined import predefined
from pincer.frontends.c.preprocessing.source import spliced
from pincer.program.c_file import NO_FLAGS, CFlags

HEADERS = Path(__file__).parent.parent / "headers"

# Directives that only the parser cares for (line markers, pragmas, idents) need no preprocessor.
_WORD = re.compile(r"(?:[ \t\f\v]|/\*(?s:.*?)\*/)*+(?!line\b|pragma\b|ident\b)[a-z]")
_DIRECTIVE = re.compile(rf"(?:\#|%:){_WORD.pattern}")
_LIKELY_MACRO = re.compile(r"\b_\w+|\b(?:linux|unix)\b")


def preprocess(text: str, path: Path, layout_bits: Literal[32, 64] = 64, flags: CFlags = NO_FLAGS) -> str:
    """Expand includes and macros; text without directives, and text that is preprocessed already, stays as it is.

    Files are looked for beside the including file, in the folders of the flags, and then among our own headers.
    Positions survive as `#line` directives.
    """
    text, joints = spliced(text)
    defined = predefined(layout_bits)
    changed = bool(flags.macros or flags.forced)
    if not _has_directives(text) and (path.suffix == ".i" or not (changed or _uses(text, defined))):
        return text
    from pincer.frontends.c.preprocessing.directives import expand

    return expand(SourceFile(text, path, str(path), joints), defined, flags, HEADERS)


def _has_directives(text: str) -> bool:
    """Whether there are directives for the preprocessor, outside of comments and literals."""
    if not _DIRECTIVE.search(text):
        return False
    found = (point for point in DIRECTIVES.finditer(text) if point.lastgroup == "directive")
    return any(_WORD.match(text, point.end()) for point in found)


def _uses(text: str, defined: Mapping[str, str]) -> bool:
    """Whether a text spells a macro that is there before the first line."""
    names = {*BUILTINS, *(head.partition("(")[0] for head in defined)}
    return not names.isdisjoint(_LIKELY_MACRO.findall(text))
