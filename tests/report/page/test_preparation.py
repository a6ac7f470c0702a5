"""Report data as the page wants it: safe to look at, graphs stored once, divided and laid out."""

from __future__ import annotations

import pytest

from pincer.report.page.preparation import prepared, visible, visible_text
from tests.report.page.report_samples import Json, edge, file, graph, node, report, safe


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain äöü", "plain äöü"),
        ("a\x1b[2Jb", "a\\x1b[2Jb"),
        ("one\r\ntwo\n\tthree", "one\ntwo\n\tthree"),
        ("\u202egnp", "\\u202egnp"),
    ],
)
def test_what_cannot_be_seen_is_written_out(text: str, shown: str) -> None:
    assert visible_text(text) == shown


def test_names_values_and_numbers_that_json_lacks_are_made_visible_everywhere() -> None:
    data = {"a\x07": ["b\x07", 3, None, float("inf"), ("c\x07",)]}
    assert visible(data) == {"a\\x07": ["b\\x07", 3, None, "inf", ["c\\x07"]]}


def with_graphs(*graphs: Json) -> Json:
    both = [{**safe(name), "graphs": list(graphs)} for name in ("p", "q")]
    [page] = prepared(report(file(*both)))["files"]
    assert isinstance(page, dict)
    return page


def test_a_graph_of_several_properties_is_stored_once() -> None:
    page = with_graphs(graph([node("a")], []))
    assert [found["graphs"] for found in page["properties"]] == [[0], [0]]
    assert len(page["graphs"]) == 1


def test_a_graph_without_nodes_is_left_out() -> None:
    assert with_graphs(graph([], []))["graphs"] == []


def test_nodes_are_numbered_and_edges_to_nobody_are_left_out() -> None:
    [drawn] = with_graphs(graph([node("a"), node("b")], [edge("a", "b", "go"), edge("a", "gone")]))["graphs"]
    assert [(source, target, drawn["texts"][label]) for source, target, label, _ in drawn["edges"]] == [(0, 1, "go")]
    [view] = drawn["views"]
    assert [item["node"] for item in view["items"]] == [0, 1]
    assert all(0 <= item["x"] <= view["width"] for item in view["items"])


def test_texts_that_repeat_are_stored_once() -> None:
    [drawn] = with_graphs(graph([node("a", predicates=["x > 0"]), node("b", predicates=["x > 0"])], []))["graphs"]
    assert drawn["texts"] == ["x > 0"]
    assert [item["predicates"] for item in drawn["nodes"]] == [[0], [0]]
