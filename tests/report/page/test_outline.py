"""Large graphs are shown in parts: small enough to read, and together the whole graph."""

from __future__ import annotations

import pytest

from pincer.report.page.outline import LIMIT, View, legible, outline
from tests.report.page.report_samples import Json, chain, edge, graph, grid, node


def ends(drawn: Json) -> list[tuple[int, int]]:
    numbers = {item["id"]: index for index, item in enumerate(drawn["nodes"])}
    return [(numbers[item["from"]], numbers[item["to"]]) for item in drawn["edges"]]


def views_of(drawn: Json, tree: bool = False) -> list[View]:
    return outline(drawn["nodes"], ends(drawn), tree)


GRAPHS = [
    chain(5),
    chain(300),
    grid(30),
    graph([node(str(n), line=n, group=f"g{n}") for n in range(500)], []),
    grid(71),
]


@pytest.mark.parametrize("drawn", GRAPHS, ids=lambda drawn: f"{len(drawn['nodes'])} nodes")
def test_every_node_has_its_own_box_in_exactly_one_view(drawn: Json) -> None:
    alone = [item.members[0] for view in views_of(drawn) for item in view.items if item.view is None]
    assert sorted(alone) == list(range(len(drawn["nodes"])))


@pytest.mark.parametrize("drawn", GRAPHS, ids=lambda drawn: f"{len(drawn['nodes'])} nodes")
def test_no_view_shows_more_than_can_be_read(drawn: Json) -> None:
    assert max(len(view.items) for view in views_of(drawn)) <= LIMIT


@pytest.mark.parametrize("drawn", GRAPHS, ids=lambda drawn: f"{len(drawn['nodes'])} nodes")
def test_every_edge_stands_behind_exactly_one_arrow(drawn: Json) -> None:
    behind = [index for view in views_of(drawn) for edges in view.arrows.values() for index in edges]
    assert sorted(behind) == list(range(len(drawn["edges"])))


def test_an_arrow_joins_the_boxes_that_hold_the_ends_of_its_edges() -> None:
    drawn = grid(30)
    for view in views_of(drawn):
        for (tail, head), behind in view.arrows.items():
            for source, target in (ends(drawn)[index] for index in behind):
                assert source in view.items[tail].members
                assert target in view.items[head].members


def test_a_step_of_a_node_to_itself_is_drawn_at_the_node() -> None:
    drawn = chain(200)
    drawn["edges"].append(edge("s7", "s7"))
    loops = [view.items[tail] for view in views_of(drawn) for tail, head in view.arrows if tail == head]
    assert [loop.members for loop in loops] == [(7,)]


def test_parts_are_groups_first_and_lines_next() -> None:
    nodes = [node(str(n), group=f"g{n % 2}", line=n % 4) for n in range(400)]
    views = views_of(graph(nodes, []))
    assert [views[item.view].title for item in views[0].items if item.view] == ["g0", "g1"]
    inner = views[views[0].items[1].view or 0]
    assert [views[item.view].title for item in inner.items if item.view] == ["line 1", "line 3"]


def test_a_tree_is_divided_along_its_branches() -> None:
    views = views_of(chain(200), tree=True)
    assert [item.members for item in views[0].items] == [
        tuple(range(67)),
        tuple(range(67, 134)),
        tuple(range(134, 200)),
    ]


def test_the_views_lead_back_to_the_whole() -> None:
    views = views_of(grid(71))
    assert views[0].parent is None
    for number, view in enumerate(views):
        for item in view.items:
            if item.view is not None:
                assert views[item.view].parent == number


def test_a_thicket_keeps_one_arrow_to_each_box() -> None:
    count = 40
    nodes = [node(str(n)) for n in range(count)]
    dense = graph(nodes, [edge(str(a), str(b)) for a in range(count) for b in range(count) if a != b])
    (view,) = views_of(dense)
    kept = legible(view)
    assert sorted(head for _, head in kept) == list(range(1, count))
    assert kept.items() <= view.arrows.items()
    assert legible(views_of(chain(40))[0]) == views_of(chain(40))[0].arrows


def test_regions_of_a_function_open_by_their_lines() -> None:
    nodes = [node(str(n), line=n // 3 + 1, group="main") for n in range(27)] + [node("error")]
    drawn = graph(nodes, [edge(str(n), str(n + 1)) for n in range(26)] + [edge("26", "error")])
    first = views_of(drawn)[0]
    assert [len(item.members) for item in first.items] == [3] * 9 + [1]
    assert outline(drawn["nodes"], ends(drawn), easy=40)[0].items[0].view is None


def test_parts_that_would_be_hardly_fewer_are_not_made() -> None:
    drawn = graph([node(str(n), line=n, group="main") for n in range(20)], [])
    assert len(views_of(drawn)) == 1
