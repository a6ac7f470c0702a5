"""Property blocks: `</ define p: x = 1; define q: y > 2; alw(p -> som(q)) />`.

The formula is parsed here. What a `define` says about program variables is left as text with its position, for the
front end that knows the expressions of the program.
"""

from __future__ import annotations

import re

from msgspec import Struct

from pincer.errors import PincerError, Position
from pincer.temporal.formula import Formula
from pincer.temporal.limits import DEFAULT_LIMITS, TemporalLimits
from pincer.temporal.parser import parse_formula

_QUOTED = r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\''
_SKIPPED = re.compile(rf"{_QUOTED}|//[^\n]*|/\*.*?\*/", re.DOTALL)
_DEFINE = re.compile(r"\s*define\b\s*")
_NAME = re.compile(r"([A-Za-z_$][A-Za-z0-9_$]*)\s*:")


class Define(Struct, frozen=True):
    """`name` stands for the expression `text`, which begins at `position`."""

    name: str
    text: str
    position: Position


class Property(Struct, frozen=True):
    """A formula over the defined propositions; `text` is the formula as written, at `position`."""

    formula: Formula
    defines: tuple[Define, ...]
    text: str
    position: Position
    warnings: tuple[str, ...] = ()


def blank_comments(text: str) -> str:
    """The text with its comments turned to blanks, so that every other character keeps its position."""

    def blanked(match: re.Match[str]) -> str:
        found = match[0]
        return found if found[0] in "\"'" else re.sub(r"[^\n]", " ", found)

    return _SKIPPED.sub(blanked, text)


def property_blocks(text: str, file: str) -> list[tuple[int, int]]:
    """Where the contents of the blocks begin and end. Comments must have been blanked."""
    blocks = []
    start = _find(text, "</", 0)
    while start >= 0:
        end = _find(text, "/>", start + 2)
        if end < 0:
            raise PincerError("this property block is not closed; end it with `/>`", _position(text, file, start))
        blocks.append((start + 2, end))
        start = _find(text, "</", end + 2)
    return blocks


def parse_properties(text: str, file: str, limits: TemporalLimits = DEFAULT_LIMITS) -> tuple[Property, ...]:
    """The properties in the blocks of a program text, in order."""
    clean = blank_comments(text)
    return tuple(_property(clean, file, start, end, limits) for start, end in property_blocks(clean, file))


def parse_property_file(text: str, file: str, limits: TemporalLimits = DEFAULT_LIMITS) -> tuple[Property, ...]:
    """The properties of a file of their own: its blocks, or the whole text when it has none."""
    clean = blank_comments(text)
    blocks = property_blocks(clean, file) or [(0, len(clean))]
    return tuple(_property(clean, file, start, end, limits) for start, end in blocks)


class Stated(Struct, frozen=True):
    """The text of a formula, not parsed yet, and what was defined before it."""

    defines: tuple[Define, ...]
    text: str
    position: Position


def stated_blocks(text: str, file: str) -> tuple[Stated, ...]:
    """The blocks of a property file as they are written, or the whole text when it has none."""
    clean = blank_comments(text)
    blocks = property_blocks(clean, file) or [(0, len(clean))]
    return tuple(_stated(clean, file, start, end) for start, end in blocks)


def _stated(text: str, file: str, start: int, end: int) -> Stated:
    defines: dict[str, Define] = {}
    while (word := _DEFINE.match(text, start, end)) is not None:
        define, start = _define(text, file, word.end(), end)
        if define.name in defines:
            raise PincerError(f"`{define.name}` is defined twice; rename one of them", define.position)
        defines[define.name] = define
    start += len(text[start:end]) - len(text[start:end].lstrip())
    return Stated(tuple(defines.values()), text[start:end].rstrip(), _position(text, file, start))


def _property(text: str, file: str, start: int, end: int, limits: TemporalLimits) -> Property:
    stated = _stated(text, file, start, end)
    defines = {define.name: define for define in stated.defines}
    position, written = stated.position, stated.text
    parsed = parse_formula(written, file, (position.line, position.column), limits)
    for name, where in parsed.propositions.items():
        if name not in defines:
            raise PincerError(
                f"`{name}` has no meaning yet; add `define {name}: <expression>;` before the formula", where
            )
    unused = tuple(
        f"{define.position}: `{define.name}` is defined but not used in the formula"
        for define in defines.values()
        if define.name not in parsed.propositions
    )
    return Property(parsed.formula, tuple(defines.values()), written, position, (*parsed.warnings, *unused))


def _define(text: str, file: str, start: int, end: int) -> tuple[Define, int]:
    name = _NAME.match(text, start, end)
    if name is None:
        raise PincerError("write a name and a colon here, as in `define p: x = 1;`", _position(text, file, start))
    stop = _find(text, ";", name.end(), end)
    if stop < 0:
        raise PincerError("this definition has no end; close it with `;`", _position(text, file, start))
    expression = text[name.end() : stop]
    begin = name.end() + len(expression) - len(expression.lstrip())
    position = _position(text, file, begin)
    if not expression.strip():
        raise PincerError(f"`{name[1]}` needs an expression over program variables, such as `x = 1`", position)
    return Define(name[1], _without_braces(expression.strip()), position), stop + 1


def _without_braces(expression: str) -> str:
    """What a definition says, which may stand in braces as in formulas; places in the text stay what they are."""
    inner = expression.removeprefix("{").removesuffix("}")
    braced = len(inner) == len(expression) - 2 and "{" not in inner and "}" not in inner
    return f" {inner}".rstrip() if braced else expression


def _find(text: str, wanted: str, start: int, end: int | None = None) -> int:
    """The first occurrence outside of string and character literals, or -1."""
    either = re.compile(rf"{_QUOTED}|({re.escape(wanted)})", re.DOTALL)
    for match in either.finditer(text, start, len(text) if end is None else end):
        if match[1] is not None:
            return match.start()
    return -1


def _position(text: str, file: str, offset: int) -> Position:
    return Position(file, text.count("\n", 0, offset) + 1, offset - (text.rfind("\n", 0, offset) + 1) + 1)
