"""What an engine explored becomes a drawing, box for box."""

from __future__ import annotations

from dataclasses import dataclass

from pincer.frontends.gcl import parse_program
from pincer.report.drawing import Edge, Node
from pincer.report.explored import drawing_of

PROGRAM = parse_program("program counter; var x : int = 0; safety ok: x = 0;", "p.gcl")


@dataclass
class State:
    lines: list[str]
    condition: list[str]
    initial: bool = False
    bad: bool = False
    fragment: bool = False


@dataclass
class Step:
    source: int
    target: int
    transition: str
    exact: bool


@dataclass
class Graph:
    states: list[State]
    edges: list[Step]


@dataclass
class Model:
    iteration: int
    abstract: Graph
    tree: Graph


MODEL = Model(
    3,
    Graph([State(["x <= 0"], [], initial=True), State(["!(x <= 0)"], [], bad=True)], [Step(0, 1, "up", False)]),
    Graph([State(["x = X"], ["X <= 0"], initial=True)], []),
)


def test_abstract_states_are_rounded_boxes() -> None:
    drawing = drawing_of(PROGRAM, MODEL, "abstract")
    assert drawing.title == "counter: abstract states, iteration 3"
    assert drawing.rounded
    assert drawing.nodes == (Node("0", ("x <= 0",), initial=True), Node("1", ("!(x <= 0)",), bad=True))
    assert drawing.edges == (Edge("0", "1", "up", exact=False),)


def test_symbolic_states_carry_their_path_condition() -> None:
    drawing = drawing_of(PROGRAM, MODEL, "tree")
    assert not drawing.rounded
    assert drawing.nodes == (Node("0", ("x = X",), ("X <= 0",), initial=True),)
