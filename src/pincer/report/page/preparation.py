"""Report data as the page wants it: safe to look at, graphs divided into views and laid out."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from pincer.report.page.layout import Arrow, Box, folded, placed
from pincer.report.page.outline import EASY, OutlineItem, View, legible, outline
from pincer.report.terminal import escape

_SYMBOLS = {"initial": "▶ ", "error": "✗ ", "final": "◎ ", "closed": "■ "}
_PLAIN = "step"
_MOST_LABELLED = 60
_IN_ORDER = 40
"""What is read from top to bottom is not divided before it has more boxes."""
_LABEL_LENGTH = 24
_Json = dict[str, Any]


def prepared(data: Mapping[str, Any]) -> _Json:
    """The data for the page's script. Everything in it is text to show, numbers, or positions."""
    page: _Json = visible({key: value for key, value in data.items() if key != "files"})
    page["files"] = [_file(file) for file in data.get("files", ())]
    return page


def _file(file: Mapping[str, Any]) -> _Json:
    """Graphs are stored with the file: properties that were decided together share them, by number."""
    graphs: dict[str, _Json] = {}
    properties = [_property(found, graphs) for found in file.get("properties", ())]
    cleaned = visible({key: value for key, value in file.items() if key != "properties"})
    return {**cleaned, "properties": properties, "graphs": list(graphs.values())}


def _property(found: Mapping[str, Any], graphs: dict[str, _Json]) -> _Json:
    numbers = []
    for graph in found.get("graphs", ()):
        if graph.get("nodes"):
            text = json.dumps(graph, sort_keys=True)
            if text not in graphs:
                graphs[text] = _graph(graph)
            numbers.append(list(graphs).index(text))
    return {**visible({key: value for key, value in found.items() if key != "graphs"}), "graphs": numbers}


def _graph(graph: Mapping[str, Any]) -> _Json:
    """Nodes by number; texts that repeat (predicates, labels) once, in a table."""
    numbers = {node.get("id"): index for index, node in enumerate(graph["nodes"])}
    edges = [edge for edge in graph.get("edges", ()) if edge.get("from") in numbers and edge.get("to") in numbers]
    ends = [(numbers[edge["from"]], numbers[edge["to"]]) for edge in edges]
    texts: dict[str, int] = {}
    nodes = [_node(node, texts) for node in graph["nodes"]]
    labels = [visible_text(str(edge.get("label") or "")) for edge in edges]
    kinds = [visible_text(str(edge.get("kind") or _PLAIN)) for edge in edges]
    kind = graph.get("kind")
    views = outline(nodes, ends, tree=kind == "tree", easy=_IN_ORDER if kind in ("outline", "lasso") else EASY)
    return {
        "title": visible_text(str(graph.get("title") or "Graph")),
        "note": visible_text(str(graph.get("note") or "")),
        "nodes": nodes,
        "edges": [[*pair, _number(label, texts), kind] for pair, label, kind in zip(ends, labels, kinds, strict=True)],
        "views": [_view(view, views, nodes, labels, kinds) for view in views],
        "texts": list(texts),
    }


def _node(node: Mapping[str, Any], texts: dict[str, int]) -> _Json:
    kept = visible({key: value for key, value in node.items() if key not in ("id", "predicates")})
    if node.get("predicates"):
        kept["predicates"] = [_number(visible_text(str(text)), texts) for text in node["predicates"]]
    return dict(kept)


def _number(text: str, texts: dict[str, int]) -> int:
    return texts.setdefault(text, len(texts))


def _view(
    view: View, views: Sequence[View], nodes: Sequence[_Json], labels: Sequence[str], kinds: Sequence[str]
) -> _Json:
    """One drawing. Labels of arrows are left out where they would be a thicket; the page lists them on demand."""
    boxes = [Box(_lines(item, views, nodes)) for item in view.items]
    shown = legible(view)
    labelled = len(shown) <= _MOST_LABELLED
    arrows = [
        Arrow(*ends, _arrow_lines([labels[edge] for edge in behind]) if labelled else ())
        for ends, behind in shown.items()
    ]
    drawing = placed(boxes, arrows)
    drawn_kinds = [_common({kinds[edge] for edge in behind}) for behind in shown.values()]
    return {
        "title": view.title,
        "parent": view.parent,
        "width": drawing.width,
        "height": drawing.height,
        "hidden": len(view.arrows) - len(shown),
        "items": [_item(*parts) for parts in zip(view.items, boxes, drawing.boxes, strict=True)],
        "arrows": [_arrow(*parts) for parts in zip(arrows, drawn_kinds, drawing.arrows, strict=True)],
    }


def _item(item: OutlineItem, box: Box, centre: tuple[int, int]) -> _Json:
    what = {"node": item.members[0]} if item.view is None else {"view": item.view}
    return {**what, "x": centre[0], "y": centre[1], "w": box.width, "h": box.height, "lines": box.lines}


def _arrow(arrow: Arrow, kind: str, curve: tuple[str, tuple[int, int] | None]) -> _Json:
    path, centre = curve
    label = {"x": centre[0], "y": centre[1], "lines": arrow.lines} if centre else {}
    return {"from": arrow.source, "to": arrow.target, "kind": kind, "path": path, **label}


def _lines(item: OutlineItem, views: Sequence[View], nodes: Sequence[_Json]) -> tuple[str, ...]:
    if item.view is not None:
        return (*folded(views[item.view].title, most=2), f"{len(item.members)} nodes")
    node = nodes[item.members[0]]
    return folded(_SYMBOLS.get(str(node.get("kind")), "") + str(node.get("label") or ""))


def _arrow_lines(labels: Sequence[str]) -> tuple[str, ...]:
    """The labels of the edges behind an arrow: the first two, and how many more there are."""
    different = [label for label in dict.fromkeys(labels) if label]
    shown = [line for label in different[:2] for line in folded(label, _LABEL_LENGTH, 2)]
    return (*shown, *([f"and {len(different) - 2} more"] if len(different) > 2 else ()))


def _common(kinds: set[str]) -> str:
    """How an arrow for several edges looks: plain, unless they are all of one kind."""
    return next(iter(kinds)) if len(kinds) == 1 else _PLAIN


def visible(value: Any) -> Any:
    """A copy of JSON data in which control characters, text direction marks and the like are spelled out.

    Browsers would swallow them or, worse, reorder the line around them; a reader must see what a program contains.
    """
    if isinstance(value, str):
        return visible_text(value)
    if isinstance(value, Mapping):
        return {visible_text(str(key)): visible(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [visible(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value


def visible_text(text: str) -> str:
    """The text with everything unprintable escaped, except line ends and tabs."""
    if text.isprintable():
        return text
    lines = text.replace("\r\n", "\n").split("\n")
    return "\n".join("\t".join(map(_spelled_out, line.split("\t"))) for line in lines)


def _spelled_out(part: str) -> str:
    return part if part.isprintable() else escape(part)
