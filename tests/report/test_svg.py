"""Drawings are well-formed whatever the names in them, and stay legible."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from pincer.report.graph import EdgeKind, Graph, GraphEdge, GraphKind, GraphNode, kinds
from pincer.report.svg import drawn, to_svg

SVG = "{http://www.w3.org/2000/svg}"


def texts(svg: str) -> list[str]:
    return ["".join(item.itertext()) for item in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def drawing(nodes: tuple[GraphNode, ...], edges: tuple[GraphEdge, ...] = (), title: str = "d") -> Graph:
    return Graph(title, GraphKind.ABSTRACT, nodes, edges)


def chain(length: int) -> Graph:
    nodes = tuple(GraphNode(str(n), (f"x = {n}",), kinds(initial=n == 0)) for n in range(length))
    edges = tuple(GraphEdge(str(n), str(n + 1), "up") for n in range(length - 1))
    return drawing(nodes, edges, "chain")


def test_hostile_text_is_drawn_as_it_is() -> None:
    evil = ["<b>bold</b>", '"quoted" & \\N \\l', "]]></svg>"]
    drawn = drawing((GraphNode("<id>", tuple(evil)),), (GraphEdge("<id>", "<id>", "a < b && c > d"),), "<title>")
    shown = [text.strip() for text in texts(to_svg(drawn, "<p>"))]
    for text in [*evil, "<p>: <title>", "a < b && c > d"]:
        assert text in shown, shown


def test_exact_edges_are_solid_and_others_dotted() -> None:
    nodes = (GraphNode("a", ("a",)), GraphNode("b", ("b",)))
    dotted = {
        kind
        for kind in EdgeKind
        if "stroke-dasharray" in to_svg(drawing(nodes, (GraphEdge("a", "b", "t", kind),)), "p")
    }
    assert dotted == {EdgeKind.MAY, EdgeKind.BACK}


def test_bad_and_marked_boxes_have_colours_of_their_own() -> None:
    def colours(**marks: bool) -> set[str]:
        return set(re.findall('fill="(#[0-9a-f]+)"', to_svg(drawing((GraphNode("a", ("a",), kinds(**marks)),)), "p")))

    assert colours(error=True, marked=True) == colours(error=True) != colours(marked=True)


def test_values_and_path_condition_are_both_shown() -> None:
    shown = texts(to_svg(drawing((GraphNode("a", ("x = X0 + 1",), predicates=("X0 <= Y0",)),)), "p"))
    assert "x = X0 + 1" in shown
    assert "X0 <= Y0" in shown


def test_parallel_edges_that_look_alike_share_one_arrow() -> None:
    nodes = (GraphNode("a", ("a",)), GraphNode("b", ("b",)))
    edges = (GraphEdge("a", "b", "t1"), GraphEdge("a", "b", "t2"), GraphEdge("a", "b", "t3", EdgeKind.MAY))
    svg = to_svg(drawing(nodes, edges), "p")
    assert svg.count('class="edge"') == 2
    assert "t1, t2" in " ".join(texts(svg))


def test_a_large_drawing_is_cut_and_says_so() -> None:
    answer = drawn(chain(10), "p", 4)
    assert (answer.states, answer.note) == (4, "only the first 4 of 10 states are shown")
    assert answer.note in texts(answer.svg)


def test_the_same_drawing_is_the_same_text() -> None:
    assert to_svg(chain(5), "p") == to_svg(chain(5), "p")
