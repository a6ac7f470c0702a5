"""Drawings are well-formed whatever the names in them, and stay legible."""

from __future__ import annotations

from xml.etree import ElementTree

from pincer.report.drawing import Drawing, Edge, Node, limited, to_svg

SVG = "{http://www.w3.org/2000/svg}"


def texts(svg: str) -> list[str]:
    return ["".join(item.itertext()) for item in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def chain(length: int) -> Drawing:
    nodes = tuple(Node(str(n), (f"x = {n}",), initial=n == 0) for n in range(length))
    edges = tuple(Edge(str(n), str(n + 1), "up") for n in range(length - 1))
    return Drawing("chain", nodes, edges)


def test_hostile_text_is_drawn_as_it_is() -> None:
    evil = ["<b>bold</b>", '"quoted" & \\N \\l', "]]></svg>"]
    drawing = Drawing("<title>", (Node("<id>", tuple(evil)),), (Edge("<id>", "<id>", "a < b && c > d"),))
    shown = [text.strip() for text in texts(to_svg(drawing))]
    for text in [*evil, "<title>", "a < b && c > d"]:
        assert text in shown, shown


def test_exact_edges_are_solid_and_others_dotted() -> None:
    nodes = (Node("a", ("a",)), Node("b", ("b",)))

    def dotted(exact: bool) -> bool:
        return "stroke-dasharray" in to_svg(Drawing("d", nodes, (Edge("a", "b", "t", exact),)))

    assert dotted(exact=False)
    assert not dotted(exact=True)


def test_values_and_path_condition_are_both_shown() -> None:
    shown = texts(to_svg(Drawing("tree", (Node("a", ("x = X0 + 1",), ("X0 <= Y0",)),), ())))
    assert "x = X0 + 1" in shown
    assert "X0 <= Y0" in shown


def test_parallel_edges_that_look_alike_share_one_arrow() -> None:
    nodes = (Node("a", ("a",)), Node("b", ("b",)))
    edges = (Edge("a", "b", "t1"), Edge("a", "b", "t2"), Edge("a", "b", "t3", exact=False))
    svg = to_svg(Drawing("d", nodes, edges))
    assert svg.count('class="edge"') == 2
    assert "t1, t2" in " ".join(texts(svg))


def test_a_large_drawing_is_cut_and_says_so() -> None:
    cut = limited(chain(10), 4)
    assert [node.id for node in cut.nodes] == ["0", "1", "2", "3"]
    assert [edge.target for edge in cut.edges] == ["1", "2", "3"]
    assert "only the first 4 of 10 states are shown" in texts(to_svg(cut))
    assert limited(chain(4), 4) == chain(4)


def test_the_same_drawing_is_the_same_text() -> None:
    assert to_svg(chain(5)) == to_svg(chain(5))
