"""C source as the parser wants it: macros expanded, our own headers included."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from pincer.frontends.c.predefined import predefined
from pincer.frontends.c.source import spliced

HEADERS = Path(__file__).parent / "headers"

# Directives that only the parser cares for (line markers, pragmas, idents) need no preprocessor.
_DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*(?!line\b|pragma\b|ident\b)[a-z]", re.MULTILINE)
_PREDEFINED_NAME = re.compile(
    r"\b__(?!FUNCTION__|PRETTY_FUNCTION__)[A-Z][A-Z0-9_]*__\b|\b__(?:x86_64|i386|linux|unix)__\b"
)


def preprocess(text: str, path: Path, layout_bits: Literal[32, 64] = 64, include: Sequence[Path] = ()) -> str:
    """Expand includes and macros; text without directives, and text that is preprocessed already, stays as it is.

    Files are looked for beside the including file, in the `include` folders, and then among our own headers. Positions
    survive as `#line` directives.
    """
    text = spliced(text)
    if not _needs_preprocessor(text, path):
        return text
    from pincer.frontends.c.macros import expand

    return expand(text, path, predefined(layout_bits), include, HEADERS)


def _needs_preprocessor(text: str, path: Path) -> bool:
    if _DIRECTIVE.search(text):
        return True
    return path.suffix != ".i" and _PREDEFINED_NAME.search(text) is not None
