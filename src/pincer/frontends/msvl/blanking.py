"""What is read before the program: comments and property blocks become blanks, so that every offset stays."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pincer.frontends.gcl.source import Source
from pincer.frontends.msvl.errors import syntax_error

_SCANNED = re.compile(
    r"""(?P<literal>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\\n])*')
      | (?P<comment>//[^\n]*|/\*.*?\*/)
      | (?P<property></.*?/>)
      | (?P<open>/\*|</|")""",
    re.VERBOSE | re.DOTALL,
)
_OPEN = {
    "/*": "this comment is not closed; end it with `*/`",
    "</": "this property block is not closed; end it with `/>`",
    '"': 'this text is not closed; end it with `"`',
}


@dataclass(frozen=True, slots=True)
class PropertyBlock:
    """The text between `</` and `/>`, comments blanked, and the offset at which it begins."""

    text: str
    at: int


@dataclass(frozen=True, slots=True)
class Blanked:
    """A program text without comments and property blocks; lines and columns are those of the file."""

    text: str
    properties: tuple[PropertyBlock, ...]


def blank(source: Source) -> Blanked:
    """Comments go first: authors switch a property off with `/*</ ... />*/`."""
    bare, _ = _replace(source, source.text, "comment")
    text, blocks = _replace(source, bare, "property")
    return Blanked(text, tuple(PropertyBlock(block[2:-2], at + 2) for at, block in blocks))


def _replace(source: Source, text: str, kind: str) -> tuple[str, list[tuple[int, str]]]:
    """`text` with every piece of the kind blanked, and those pieces with their offsets."""
    found: list[tuple[int, str]] = []
    kept: list[str] = []
    done = 0
    for match in _SCANNED.finditer(text):
        if match.lastgroup == "open" and (kind == "property" or match[0] == "/*"):
            raise syntax_error(source, match.start(), _OPEN[match[0]])
        if match.lastgroup == "property" and kind == "comment":
            piece, _ = _replace(source, match[0][2:-2], "comment")
            kept += (text[done : match.start() + 2], piece, "/>")
        elif match.lastgroup == kind:
            found.append((match.start(), match[0]))
            kept += (text[done : match.start()], re.sub(r"[^\n]", " ", match[0]))
        else:
            continue
        done = match.end()
    return "".join((*kept, text[done:])), found
