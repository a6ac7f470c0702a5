"""Making a failing program small: leave out blocks, lines and parts of expressions while it still fails."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator

Lines = list[str]


def reduced(text: str, fails: Callable[[str], bool], seconds: float) -> str:
    """The smallest program found in the time that still fails; the text itself is taken to fail."""
    deadline = time.monotonic() + seconds
    lines = text.splitlines()
    shrinking = True
    while shrinking and time.monotonic() < deadline:
        before = lines
        for variants in (_without_blocks, _without_lines, _without_braces, _simpler_expressions):
            lines = _descend(lines, variants, fails, deadline)
        shrinking = lines != before
    return "\n".join(lines) + "\n"


def _descend(
    lines: Lines, variants: Callable[[Lines], Iterator[Lines]], fails: Callable[[str], bool], deadline: float
) -> Lines:
    """Take variants that still fail, until a whole round brings none."""
    found = True
    while found:
        found, skip = False, 0
        progress = True
        while progress:
            progress = False
            for position, variant in enumerate(variants(lines)):
                if time.monotonic() > deadline:
                    return lines
                if position >= skip and fails("\n".join(variant) + "\n"):
                    lines, skip, found, progress = variant, position, True, True
                    break
    return lines


def _blocks(lines: Lines) -> list[tuple[int, int]]:
    """First and last lines of brace-balanced regions of more than one line, large ones first."""
    open_lines: list[int] = []
    regions: list[tuple[int, int]] = []
    for number, line in enumerate(lines):
        balance = line.count("{") - line.count("}")
        if balance > 0:
            open_lines += [number] * balance
        else:
            regions += [(open_lines.pop(), number) for _ in range(min(-balance, len(open_lines)))]
    return sorted(regions, key=lambda region: region[0] - region[1])


def _without_blocks(lines: Lines) -> Iterator[Lines]:
    for first, last in _blocks(lines):
        yield lines[:first] + lines[last + 1 :]


def _without_braces(lines: Lines) -> Iterator[Lines]:
    for first, last in _blocks(lines):
        yield lines[:first] + lines[first + 1 : last] + lines[last + 1 :]


def _without_lines(lines: Lines) -> Iterator[Lines]:
    size = len(lines) // 4
    while size >= 1:
        for start in range(0, len(lines), size):
            yield lines[:start] + lines[start + size :]
        size //= 2


def _simpler_expressions(lines: Lines) -> Iterator[Lines]:
    """Bracketed parts, operands and initialisers replaced by constants."""
    for number, line in enumerate(lines):
        for replacement in _simpler_lines(line):
            yield [*lines[:number], replacement, *lines[number + 1 :]]


def _simpler_lines(line: str) -> Iterator[str]:
    for match in re.finditer(r"\(", line):
        end = _closing(line, match.start())
        if end is not None and end - match.start() > 2:
            inside = line[match.start() + 1 : end]
            for constant in ("0", "1"):
                yield f"{line[: match.start()]}({constant}){line[end + 1 :]}"
            yield line[: match.start()] + inside + line[end + 1 :]
    for match in re.finditer(r" (?:[-+*/%&|^]|<<|>>|&&|\|\||[<>=!]=|<|>) [\w.\[\]]+", line):
        yield line[: match.start()] + line[match.end() :]
    for match in re.finditer(r"[\w.\[\]>-]+ (?:[-+*/%&|^]|<<|>>|&&|\|\||[<>=!]=|<|>) ", line):
        yield line[: match.start()] + line[match.end() :]
    for match in re.finditer(r"= (?![01];)[^;{]+;", line):
        yield f"{line[: match.start()]}= 1;{line[match.end() :]}"


def _closing(line: str, start: int) -> int | None:
    depth = 0
    for position in range(start, len(line)):
        depth += {"(": 1, ")": -1}.get(line[position], 0)
        if depth == 0:
            return position
    return None
