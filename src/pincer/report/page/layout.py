"""Where the boxes and arrows of a view stand: laid out by Graphviz's `dot` when the report is written.

Sizes are given in pixels and come from the text itself, so that labels fit and do not overlap in any browser.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

_CHARACTER, _LINE, _MARGIN = 7.4, 16, 10
_LONGEST, _MOST_LINES = 28, 3
_POINTS_PER_INCH = 72


class Box(Struct, frozen=True):
    """A box to place, as large as its lines of text."""

    lines: tuple[str, ...]

    @property
    def width(self) -> int:
        return _text_width(self.lines) + 2 * _MARGIN

    @property
    def height(self) -> int:
        return _LINE * max(len(self.lines), 1) + _MARGIN


class Arrow(Struct, frozen=True):
    """An arrow to draw between two boxes, by number; without lines it has no label."""

    source: int
    target: int
    lines: tuple[str, ...] = ()


class Placed(Struct, frozen=True):
    """Centres of boxes; for each arrow an SVG path and the centre of its label."""

    width: int
    height: int
    boxes: tuple[tuple[int, int], ...]
    arrows: tuple[tuple[str, tuple[int, int] | None], ...]


def folded(text: str, longest: int = _LONGEST, most: int = _MOST_LINES) -> tuple[str, ...]:
    """The text in a few short lines, broken at spaces where possible, or else behind an opening parenthesis; what does
    not fit ends in an ellipsis."""
    lines = [""]
    for word in text.split():
        joined = f"{lines[-1]} {word}".strip()
        if lines[-1] and len(joined) > longest:
            lines.append(word)
        else:
            lines[-1] = joined
    pieces = [piece for line in lines for piece in _cut(line, longest)]
    if len(pieces) <= most:
        return tuple(pieces)
    return (*pieces[: most - 1], f"{pieces[most - 1][: longest - 1]}…")


def _cut(line: str, longest: int) -> list[str]:
    """A line in pieces that are short enough."""
    pieces = []
    while len(line) > longest:
        end = line.rfind("(", 1, longest) + 1 or longest
        pieces.append(line[:end])
        line = line[end:]
    return [*pieces, line]


def placed(boxes: Sequence[Box], arrows: Sequence[Arrow]) -> Placed:
    """Boxes in layers from top to bottom, arrows as curves around them."""
    import pygraphviz

    graph = pygraphviz.AGraph(string=_dot_text(boxes, arrows))
    return _read(json.loads(graph.draw(format="json0", prog="dot")), len(boxes), len(arrows))


def _dot_text(boxes: Sequence[Box], arrows: Sequence[Arrow]) -> str:
    """The graph for Graphviz: numbers and sizes, none of the text."""
    lines = ['digraph { graph [nodesep=0.3, ranksep=0.45, margin=0]; node [shape=box, fixedsize=true, label=""];']
    lines += [f"b{n} [width={_inches(box.width)}, height={_inches(box.height)}];" for n, box in enumerate(boxes)]
    for number, arrow in enumerate(arrows):
        label = f", label={_spacer(arrow.lines)}" if arrow.lines else ""
        lines.append(f"b{arrow.source} -> b{arrow.target} [id=a{number}{label}];")
    return "\n".join([*lines, "}"])


def _read(drawn: dict[str, Any], boxes: int, arrows: int) -> Placed:
    left, bottom, right, top = map(float, drawn["bb"].split(","))

    def point(text: str) -> tuple[int, int]:
        x, y = text.split(",")
        return round(float(x) - left), round(top - float(y))

    centres = {item["name"]: point(item["pos"]) for item in drawn.get("objects", ())}
    curves = {
        edge["id"]: (_path(edge["pos"], point), point(edge["lp"]) if "lp" in edge else None)
        for edge in drawn.get("edges", ())
    }
    return Placed(
        round(right - left),
        round(top - bottom),
        tuple(centres[f"b{number}"] for number in range(boxes)),
        tuple(curves[f"a{number}"] for number in range(arrows)),
    )


def _path(spline: str, point: Callable[[str], tuple[int, int]]) -> str:
    """Graphviz gives `e,tip start control control end ...`; the line to the tip carries the arrow head."""
    tip, *points = spline.split()
    start, *rest = [" ".join(map(str, point(text))) for text in points]
    end = " ".join(map(str, point(tip.removeprefix("e,"))))
    return f"M{start}C{' '.join(rest)}L{end}"


def _spacer(lines: Sequence[str]) -> str:
    """A label of a certain size without text: the page writes the text itself."""
    size = f'WIDTH="{_text_width(lines) + 8}" HEIGHT="{_LINE * len(lines) + 4}"'
    return f'<<TABLE BORDER="0" CELLPADDING="0" FIXEDSIZE="TRUE" {size}><TR><TD></TD></TR></TABLE>>'


def _text_width(lines: Sequence[str]) -> int:
    return round(_CHARACTER * max((sum(map(_columns, line)) for line in lines), default=1))


def _columns(char: str) -> int:
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def _inches(pixels: int) -> float:
    return round(pixels / _POINTS_PER_INCH, 3)
