"""Fair cycles of a graph of states, as runs."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping

from pincer.engines.live.components import LiveEdge, LiveGraph, Stuck
from pincer.engines.live.question import Question
from pincer.engines.live.states import StateGraph
from pincer.evidence.gcl.trace import Step, Trace
from pincer.evidence.live.trace import LiveTrace, RunKind
from pincer.program.transition_system import State, TransitionSystem


def fair_cycle(graph: LiveGraph, component: Stuck) -> list[LiveEdge]:
    """A cycle through an accepting node that is fair to all groups; the component is one that nothing discharges.

    It begins with the node of the lowest number, which is the nearest where nodes are numbered as they are reached."""
    leaving: dict[int, list[LiveEdge]] = {}
    for edge in component.edges:
        leaving.setdefault(edge.source, []).append(edge)
    start = min(node for node in component.nodes if graph.accepting[node])
    path: list[LiveEdge] = []
    here = start
    for wanted in _owed(graph, component):
        if not any(map(wanted, path)):
            path += _shortest(leaving, here, wanted)
            here = path[-1].target
    if here != start or not path:
        path += _shortest(leaving, here, lambda edge: edge.target == start)
    first = min(range(len(path)), key=lambda place: path[place].source)
    return path[first:] + path[:first]


def _owed(graph: LiveGraph, component: Stuck) -> list[Callable[[LiveEdge], bool]]:
    """What the cycle must pass for each group: a step of it, or a node where it is disabled."""
    steps = {edge.transition for edge in component.edges}
    found: list[Callable[[LiveEdge], bool]] = []
    for number, members in enumerate(graph.groups):
        if not members.isdisjoint(steps):
            found.append(lambda edge, members=members: edge.transition in members)  # type: ignore[misc]
        else:
            found.append(lambda edge, number=number: not graph.enables(number, edge.source))  # type: ignore[misc]
    return found


def _shortest(leaving: Mapping[int, list[LiveEdge]], start: int, wanted: Callable[[LiveEdge], bool]) -> list[LiveEdge]:
    """A shortest path of one edge or more whose last edge is a wanted one."""
    came_from: dict[int, LiveEdge] = {}
    queue = deque([start])
    seen = {start}
    while queue:
        for edge in leaving[queue.popleft()]:
            if wanted(edge):
                return [*_back(came_from, start, edge.source), edge]
            if edge.target not in seen:
                seen.add(edge.target)
                came_from[edge.target] = edge
                queue.append(edge.target)
    raise AssertionError("a strongly connected component has a path to each of its edges")


def _back(came_from: Mapping[int, LiveEdge], start: int, node: int) -> list[LiveEdge]:
    found: list[LiveEdge] = []
    while node != start:
        found.append(came_from[node])
        node = found[-1].source
    return found[::-1]


def run_of(
    question: Question, system: TransitionSystem, graph: StateGraph, kind: RunKind, node: int, loop: list[LiveEdge]
) -> LiveTrace:
    """The run to a node of the graph and, if it goes on in a loop, once round it."""
    stem = graph.path(node)
    edges = [*stem, *loop]
    names = [str(variable) for variable in system.variables]
    order = [variable.name for variable in question.program.variables]

    def values(state: State) -> dict[str, int]:
        known = dict(zip(names, state, strict=True))
        return {name: known[name] for name in order}

    first = edges[0].source if edges else node
    steps = tuple(
        Step(question.program.transitions[edge.transition].name, values(graph.nodes[edge.target][0])) for edge in edges
    )
    trace = Trace(question.wanted.name, values(graph.nodes[first][0]), steps)
    return LiveTrace(kind, trace, len(stem) if kind == "lasso" else None)
