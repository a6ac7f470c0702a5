"""The page is one file that loads nothing, runs only its own scripts, and cannot be broken by text."""

from __future__ import annotations

import base64
import hashlib
import importlib.metadata
import json
import re
from typing import Any

import pytest

from pincer.errors import PincerError
from pincer.report.page import document, prepared, render
from tests.report.page.report_samples import EVIL, chain, edge, file, graph, grid, hostile, node, report, safe


def scripts(page: str) -> list[str]:
    return re.findall(r"<script>(.*?)</script>", page, flags=re.DOTALL)


def data_of(page: str) -> Any:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, flags=re.DOTALL)
    assert found
    return json.loads(found.group(1))


def policy_of(page: str) -> str:
    found = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    assert found
    return found.group(1)


def hash_of(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def test_the_data_arrive_unchanged_whatever_is_in_them() -> None:
    assert data_of(render(hostile())) == json.loads(json.dumps(prepared(hostile())))


def test_hostile_text_adds_no_element() -> None:
    def tags(page: str) -> list[str]:
        outside = page.replace(page[page.index("<script>") : page.rindex("</script>")], "")
        return re.findall(r"</?[a-z]+", re.sub(r"<style>.*?</style>", "", outside, flags=re.DOTALL))

    assert tags(render(hostile())) == tags(render(report(file(safe()))))


def test_the_title_is_escaped() -> None:
    title = re.search(r"<title>(.*?)</title>", render(hostile()))
    assert title and "<" not in title.group(1)


def test_the_policy_allows_the_scripts_and_the_style_of_the_page_and_nothing_else() -> None:
    page = render(report(file(safe())))
    style = re.search(r"<style>(.*?)</style>", page, flags=re.DOTALL)
    assert style
    parts = dict(part.split(" ", 1) for part in policy_of(page).split("; "))
    assert parts["default-src"] == "'none'"
    assert parts["script-src"].split() == [hash_of(script) for script in scripts(page)]
    assert parts["style-src"] == hash_of(style.group(1))


def test_scripts_of_the_page_never_parse_markup() -> None:
    ours = "".join(scripts(render(report()))[1:])
    for name in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", ".html(", "eval("):
        assert name not in ours


def test_five_thousand_states_stay_under_five_megabytes() -> None:
    assert len(render(report(file({**safe(), "graphs": [grid(71)]}))).encode()) < 5_000_000


def test_the_same_data_give_the_same_page() -> None:
    assert render(report(file(safe()))) == render(report(file(safe())))


@pytest.mark.parametrize(
    "data", [{}, {"files": []}, report({}), report({"properties": [{}]}), report(file({"graphs": [{}]}))]
)
def test_members_may_be_absent(data: dict[str, Any]) -> None:
    assert "files" in data_of(render(data))


def test_numbers_that_json_cannot_say_become_text() -> None:
    page = render(report(file({**safe(), "statistics": {"ratio": float("inf")}})))
    assert data_of(page)["files"][0]["properties"][0]["statistics"] == {"ratio": "inf"}


def test_a_missing_drawing_library_is_a_mistake_with_a_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(document, "distribution", missing)
    with pytest.raises(PincerError, match="gravis"):
        render(report())


def test_the_drawing_library_keeps_its_licence() -> None:
    assert "Permission to use, copy, modify" in document.drawing_library()[:1000]


def test_what_cannot_be_seen_is_spelled_out() -> None:
    shown = prepared(report(file(name=EVIL, source="a\r\n\tb\x1b[0m\u202e")))["files"][0]
    assert shown["source"] == "a\n\tb\\x1b[0m\\u202e"
    assert "\x1b" not in shown["file"]


def test_a_text_that_repeats_is_stored_once() -> None:
    shown = prepared(report(file({**safe(), "graphs": [chain(70)]})))["files"][0]
    assert shown["graphs"][0]["texts"].count("y > 0") == 1


def test_properties_share_the_graphs_they_have_in_common() -> None:
    shown = prepared(report(file({**safe(), "graphs": [chain(3)]}, {**safe(), "graphs": [chain(4), chain(3)]})))[
        "files"
    ][0]
    assert [len(graph["nodes"]) for graph in shown["graphs"]] == [3, 4]
    assert [found["graphs"] for found in shown["properties"]] == [[0], [1, 0]]


def test_an_arrow_for_edges_of_different_kinds_is_plain() -> None:
    edges = [edge("a", "b", kind="must"), edge("a", "b", kind="may"), edge("b", "a", kind="may"), edge("a", "nowhere")]
    drawn = graph([node("a"), node("b")], edges)
    (shown,) = prepared(report(file({**safe(), "graphs": [drawn]})))["files"][0]["graphs"]
    assert [arrow["kind"] for arrow in shown["views"][0]["arrows"]] == ["step", "may"]
    assert len(shown["edges"]) == 3


def test_text_that_is_no_unicode_can_be_written() -> None:
    broken = "\udcff"
    drawn = graph([node(broken), node("b")], [edge(broken, "b", broken, broken)], title=broken)
    render(report(file({**safe(), "name": broken, "graphs": [drawn]}, name=broken, source=broken))).encode("utf-8")
