"""From what an engine explored to a drawing of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol

from pincer.program.guarded import GuardedProgram
from pincer.report.drawing import Drawing, Edge, Node

What = Literal["abstract", "tree"]


class ExploredState(Protocol):
    """An abstract state (values, predicates) or a symbolic one (values, path condition), as text."""

    @property
    def lines(self) -> Sequence[str]: ...
    @property
    def condition(self) -> Sequence[str]: ...
    @property
    def initial(self) -> bool: ...
    @property
    def bad(self) -> bool: ...
    @property
    def fragment(self) -> bool: ...


class ExploredEdge(Protocol):
    """`source` and `target` are indices into the states."""

    @property
    def source(self) -> int: ...
    @property
    def target(self) -> int: ...
    @property
    def transition(self) -> str: ...
    @property
    def exact(self) -> bool | None: ...


class ExploredGraph(Protocol):
    @property
    def states(self) -> Sequence[ExploredState]: ...
    @property
    def edges(self) -> Sequence[ExploredEdge]: ...


class ExploredModel(Protocol):
    """The last iteration of an analysis, seen from above and from below."""

    @property
    def iteration(self) -> int: ...
    @property
    def abstract(self) -> ExploredGraph: ...
    @property
    def tree(self) -> ExploredGraph: ...


def drawing_of(program: GuardedProgram, model: ExploredModel, what: What) -> Drawing:
    """The abstract states as rounded boxes, or the execution tree as plain ones."""
    graph = model.abstract if what == "abstract" else model.tree
    kind = "abstract states" if what == "abstract" else "symbolic execution"
    nodes = tuple(
        Node(str(index), tuple(state.lines), tuple(state.condition), state.initial, state.bad, state.fragment)
        for index, state in enumerate(graph.states)
    )
    edges = tuple(Edge(str(edge.source), str(edge.target), edge.transition, bool(edge.exact)) for edge in graph.edges)
    title = f"{program.name}: {kind}, iteration {model.iteration}"
    return Drawing(title, nodes, edges, rounded=what == "abstract")
