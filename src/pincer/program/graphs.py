"""Algorithms on graphs, each once; nodes are any hashable values, all walks are without recursion."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)
Successors = Callable[[Node], Iterable[Node]]


def reachable(roots: Iterable[Node], successors: Successors[Node]) -> set[Node]:
    """All nodes on paths from the roots, themselves included."""
    found = set(roots)
    waiting = list(found)
    while waiting:
        for following in successors(waiting.pop()):
            if following not in found:
                found.add(following)
                waiting.append(following)
    return found


def components(nodes: Iterable[Node], successors: Successors[Node]) -> Iterator[tuple[Node, ...]]:
    """Strongly connected components, each after those it leads to (Tarjan)."""
    order: dict[Node, int] = {}
    low: dict[Node, int] = {}
    stack: list[Node] = []
    work: list[tuple[Node, Iterator[Node]]] = []

    def enter(node: Node) -> None:
        order[node] = low[node] = len(order)
        stack.append(node)
        work.append((node, iter(tuple(successors(node)))))

    waiting: set[Node] = set()
    for root in nodes:
        if root not in order:
            enter(root)
            waiting.add(root)
        while work:
            node, rest = work[-1]
            for following in rest:
                if following not in order:
                    enter(following)
                    waiting.add(following)
                    break
                if following in waiting:
                    low[node] = min(low[node], order[following])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == order[node]:
                    yield _taken(stack, waiting, node)


def _taken(stack: list[Node], waiting: set[Node], first: Node) -> tuple[Node, ...]:
    """The end of the stack from a node on, which leaves it."""
    members: list[Node] = []
    while not members or members[-1] != first:
        members.append(stack.pop())
    waiting.difference_update(members)
    return tuple(reversed(members))


def cycles(nodes: Iterable[Node], successors: Successors[Node]) -> Iterator[tuple[Node, ...]]:
    """The strongly connected components in which paths lead back to where they began."""
    for members in components(nodes, successors):
        if len(members) > 1 or members[0] in successors(members[0]):
            yield members


def on_cycles(nodes: Iterable[Node], successors: Successors[Node]) -> set[Node]:
    """The nodes from which a path leads back to themselves."""
    return {node for members in cycles(nodes, successors) for node in members}


def immediate_dominators(root: Node, successors: Mapping[Node, Iterable[Node]]) -> dict[Node, Node]:
    """For each node that the root reaches, the last other node on all paths to it (Cooper, Harvey, Kennedy)."""
    order = postorder(root, lambda node: successors.get(node, ()))[::-1]
    number = {node: i for i, node in enumerate(order)}
    predecessors: dict[Node, list[Node]] = {}
    for node in order:
        for following in successors.get(node, ()):
            predecessors.setdefault(following, []).append(node)
    dominator = {root: root}
    changed = True
    while changed:
        changed = False
        for node in order[1:]:
            known = [before for before in predecessors[node] if before in dominator]
            best = known[0]
            for other in known[1:]:
                best = _meet(best, other, dominator, number)
            if dominator.get(node) != best:
                dominator[node], changed = best, True
    return dominator


def _meet(left: Node, right: Node, dominator: Mapping[Node, Node], number: Mapping[Node, int]) -> Node:
    while left != right:
        while number[left] > number[right]:
            left = dominator[left]
        while number[right] > number[left]:
            right = dominator[right]
    return left


def postorder(root: Node, successors: Successors[Node]) -> list[Node]:
    """The nodes that the root reaches, each after those that are first reached from it."""
    seen = {root}
    order: list[Node] = []
    work: list[tuple[Node, Iterator[Node]]] = [(root, iter(successors(root)))]
    while work:
        node, rest = work[-1]
        for following in rest:
            if following not in seen:
                seen.add(following)
                work.append((following, iter(successors(following))))
                break
        else:
            work.pop()
            order.append(node)
    return order
