"""Large graphs in parts: what is shown at once stays small, and every part can be opened.

A part is a procedure or thread, a source line, or else a run of nodes that are close to each other. Parts nest until
each shows at most `LIMIT` boxes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from msgspec import Struct

LIMIT = 80
EASY = 12
"""So many boxes are taken in at a glance; a graph with more opens in parts, where it has some that mean something."""
_THICKET = 3
_Node = Mapping[str, Any]


class Part(Struct, frozen=True):
    """Some nodes, by number, under a title; `children` are the parts they are shown as (none: one by one)."""

    title: str
    members: tuple[int, ...]
    children: tuple[Part, ...] = ()


class OutlineItem(Struct, frozen=True):
    """A box of a view: a node, or (`view`) a part that can be opened."""

    members: tuple[int, ...]
    view: int | None = None


@dataclass(slots=True)
class View:
    """What is drawn at once. Each arrow between two items stands for the numbered edges behind it."""

    title: str
    parent: int | None
    items: list[OutlineItem] = field(default_factory=list)
    arrows: dict[tuple[int, int], list[int]] = field(default_factory=dict)


def outline(
    nodes: Sequence[_Node], edges: Sequence[tuple[int, int]], tree: bool = False, easy: int = EASY
) -> list[View]:
    """The views of a graph; the first one shows the whole graph, its parts collapsed.

    A tree is divided along its branches only: its lines recur on every path. Up to `easy` nodes stay whole.
    """
    order = _depth_first(nodes, edges)
    part = _divided("all", order, nodes, [] if tree else [_by_group, _by_line], easy)
    views: list[View] = []
    _collect(part, None, views)
    _connect(views, len(nodes), edges)
    return views


def legible(view: View) -> dict[tuple[int, int], list[int]]:
    """The arrows to draw: all of them, or of a thicket only those by which each box is reached first."""
    if len(view.arrows) <= _THICKET * len(view.items) + LIMIT // 4:
        return view.arrows
    reached: set[int] = set()
    kept: dict[tuple[int, int], list[int]] = {}
    for (tail, head), edges in sorted(view.arrows.items()):
        if tail < head and head not in reached:
            reached.add(head)
            kept[tail, head] = edges
    return kept


def _by_group(node: _Node) -> str:
    return str(node.get("group") or "")


def _by_line(node: _Node) -> str:
    line = node.get("line")
    return f"line {line}" if line else ""


def _divided(
    title: str, members: Sequence[int], nodes: Sequence[_Node], keys: list[Callable[[_Node], str]], easy: int = LIMIT
) -> Part:
    """Parts by the first key that makes some; of a graph that could be shown as it is, only if they are far fewer."""
    if len(members) <= easy:
        return Part(title, tuple(members))
    for index, key in enumerate(keys):
        found: dict[str, list[int]] = {}
        for member in members:
            found.setdefault(key(nodes[member]), []).append(member)
        if (
            sum(map(bool, found)) > 1
            and len(found) <= LIMIT
            and (len(members) > LIMIT or 2 * len(found) <= len(members))
        ):
            rest = keys[index + 1 :]
            children = [_divided(name or "others", group, nodes, rest, easy) for name, group in found.items()]
            return Part(title, tuple(members), tuple(children))
    if len(members) <= LIMIT:
        return Part(title, tuple(members))
    return Part(title, tuple(members), tuple(_runs(members, nodes)))


def _runs(members: Sequence[int], nodes: Sequence[_Node]) -> Iterable[Part]:
    """Neighbours together, at most `LIMIT` runs; a run that is itself too long is divided again."""
    runs = min(-(-len(members) // LIMIT), LIMIT)
    size = -(-len(members) // runs)
    for number, start in enumerate(range(0, len(members), size), start=1):
        run = members[start : start + size]
        yield _divided(f"part {number}: {nodes[run[0]].get('label', '')}", run, nodes, [])


def _depth_first(nodes: Sequence[_Node], edges: Sequence[tuple[int, int]]) -> list[int]:
    """All nodes, those reached from one another close together, so that runs of them are connected."""
    following: list[list[int]] = [[] for _ in nodes]
    for source, target in edges:
        following[source].append(target)
    initial = [index for index, node in enumerate(nodes) if node.get("kind") == "initial"]
    seen: dict[int, None] = {}
    stack = [*range(len(nodes) - 1, -1, -1), *reversed(initial)]
    while stack:
        node = stack.pop()
        if node not in seen:
            seen[node] = None
            stack.extend(reversed(following[node]))
    return list(seen)


def _collect(part: Part, parent: int | None, views: list[View]) -> int:
    """Number the parts that are views of their own; a part of one node is shown as that node."""
    number = len(views)
    view = View(part.title, parent)
    views.append(view)
    if not part.children:
        view.items = [OutlineItem((member,)) for member in part.members]
    for child in part.children:
        opened = _collect(child, number, views) if len(child.members) > 1 else None
        view.items.append(OutlineItem(child.members, opened))
    return number


def _connect(views: Sequence[View], count: int, edges: Sequence[tuple[int, int]]) -> None:
    """Draw each edge in the one view where its two ends are different boxes (or the same node)."""
    places: list[list[tuple[int, int]]] = [[] for _ in range(count)]
    for number, view in enumerate(views):
        for position, item in enumerate(view.items):
            for member in item.members:
                places[member].append((number, position))
    for index, (source, target) in enumerate(edges):
        shared = [(a[0], a[1], b[1]) for a, b in zip(places[source], places[target], strict=False) if a[0] == b[0]]
        number, tail, head = next((place for place in shared if place[1] != place[2]), shared[-1])
        views[number].arrows.setdefault((tail, head), []).append(index)
