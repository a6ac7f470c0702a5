"""The page in a real browser: what a user sees, clicks and types."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pincer.report.page import render
from pincer.report.page.preparation import visible_text
from tests.browser.chromium import Page, chromium, chromium_path
from tests.report.page.report_samples import (
    EVIL,
    Json,
    edge,
    file,
    graph,
    grid,
    hostile,
    lasso,
    node,
    numbered,
    regions,
    report,
    safe,
    threads,
    undecided,
    unsafe,
)

pytestmark = pytest.mark.skipif(chromium_path() is None, reason="needs Chromium (apt-get install chromium)")
Show = Callable[..., Page]


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with chromium(tmp_path_factory.mktemp("profile")) as page:
        yield page


@pytest.fixture
def show(browser: Page, tmp_path: Path) -> Show:
    """Open the page of some data and demand that it comes up without an error and without the network."""

    def opened(data: Json, place: str = "", **window: Any) -> Page:
        path = tmp_path / "report.html"
        path.write_text(render(data), encoding="utf-8")
        browser.open(f"{path.as_uri()}#{place}", **window)
        assert browser.problems == []
        assert browser.requests == [path.as_uri() + f"#{place}"] or browser.requests == [path.as_uri()]
        return browser

    return opened


def text(page: Page, selector: str) -> str:
    found = page.evaluate(f"document.querySelector({json.dumps(selector)})?.textContent ?? '(nothing)'")
    return str(found)


def texts(page: Page, selector: str) -> list[str]:
    found = page.evaluate(f"[...document.querySelectorAll({json.dumps(selector)})].map(e => e.textContent)")
    return [str(item) for item in found]


def count(page: Page, selector: str) -> int:
    return int(page.evaluate(f"document.querySelectorAll({json.dumps(selector)}).length"))


def current_line(page: Page) -> str:
    return text(page, ".code .current .number")


def test_the_summary_answers_at_a_glance(show: Show) -> None:
    page = show(report(file(safe())))
    shown = text(page, ".summary")
    for part in (
        "HOLDS",
        "no test reaches the error",
        "proof accepted",
        "sequential consistency",
        "vacuously",
        "0.25 s",
    ):
        assert part in shown
    assert "✓" in text(page, ".badge")


def test_lines_are_marked_by_what_covers_them(show: Show) -> None:
    page = show(report(file(safe())))
    marks = {line: text(page, f'[data-line="{line}"] .gutter') for line in (1, 3, 4, 7, 8)}
    assert marks == {1: "", 3: "●", 4: "●■", 7: "■", 8: "○"}
    assert "executed (3 of 5 lines)" in text(page, ".legend")
    assert "x <= 3" in text(page, '[data-line="4"] + .invariant')


def test_arrow_keys_step_through_the_counterexample(show: Show) -> None:
    page = show(report(file(unsafe())))
    assert (text(page, ".position"), current_line(page)) == ("Step 5 of 5, line 7", "7")
    page.press("Home")
    assert (text(page, ".position"), current_line(page)) == ("Step 1 of 5, line 3", "3")
    page.press("ArrowRight")
    page.press("ArrowRight")
    assert (text(page, ".position"), current_line(page)) == ("Step 3 of 5, line 5", "5")
    assert texts(page, ".values .changed") == ["●x2 was 1"]
    page.press("ArrowLeft")
    assert texts(page, ".values .variable") == ["●x1 was 0"]
    page.press("End")
    assert current_line(page) == "7"
    page.press("ArrowRight")
    assert text(page, ".position") == "Step 5 of 5, line 7"


def test_buttons_and_rows_step_too(show: Show) -> None:
    page = show(report(file(unsafe())))
    page.click('[aria-label^="Step back"]')
    assert text(page, ".position") == "Step 4 of 5, line 5"
    page.click('[aria-label="First step"]')
    page.click('[aria-label^="Step (right"]')
    assert text(page, ".position") == "Step 2 of 5, line 5"
    page.click(".steps tbody tr:nth-child(4)")
    assert text(page, ".steps .current .number") == "4"


def test_threads_run_in_lanes_side_by_side(show: Show) -> None:
    page = show(report(file(threads())))
    assert texts(page, ".steps th") == ["Step", "thread 1", "thread 2"]
    assert texts(page, ".steps tbody tr:nth-child(2) td") == ["2", "", "lock(b)line 5b = thread 2"]
    assert "blocked on a" in text(page, ".steps tbody tr:nth-child(4)")


def test_values_of_threads_stand_by_thread_and_call(show: Show) -> None:
    def step(lane: int, function: str, value: str) -> dict[str, Any]:
        changes = [{"name": "n", "value": value, "scope": function}]
        return {"lane": lane, "line": 3, "text": "n++;", "function": function, "changes": changes}

    steps = [step(0, "main", "1"), step(1, "work", "2"), {**step(1, "add", "3"), "depth": 1}]
    page = show(report(file({**unsafe(), "timeline": {"lanes": ["main", "thread 1"], "steps": numbered(steps)}})))
    assert texts(page, ".values .call-name") == ["add, thread 1", "work, thread 1", "main"]
    assert texts(page, ".values .variable .value") == ["3", "2", "1"]


def test_elements_that_change_together_stand_together_in_a_step_and_apart_among_the_values(show: Show) -> None:
    changes = [{"name": f"a[{i}]", "value": "0"} for i in range(8)]
    steps = [{"lane": 0, "line": 3, "text": "fill();", "changes": changes, "gathered": ["a[0..7] = 0"]}]
    page = show(report(file({**unsafe(), "timeline": {"lanes": ["main"], "steps": numbered(steps)}})))
    assert texts(page, ".steps .changes span") == ["a[0..7] = 0"]
    assert count(page, ".values .variable") == 9


def test_a_lasso_goes_round(show: Show) -> None:
    page = show(report(file(lasso())))
    assert "goes back to step 1" in text(page, ".steps tbody tr:last-child")
    page.press("End")
    page.press("ArrowRight")
    assert text(page, ".position").startswith("Step 1 of 2")


def test_a_long_run_is_shown_in_pieces(show: Show) -> None:
    steps = numbered([{"lane": 0, "line": 5, "text": f"step {number}"} for number in range(1, 2001)])
    page = show(report(file({**unsafe(), "timeline": {"lanes": ["main"], "steps": steps}})))
    assert count(page, ".steps tbody tr") < 400
    assert text(page, ".steps .current .lane") == "step 2000line 5"
    page.press("Home")
    assert text(page, ".steps tbody tr:last-child") == "… 1700 later rows"
    page.press("End")
    page.click(".steps tbody tr:first-child")
    assert text(page, ".position") == "Step 1700 of 2000, line 5"


def test_lines_of_callees_are_indented(show: Show) -> None:
    steps = numbered([{"lane": 0, "line": 3, "text": "f();"}, {"lane": 0, "line": 5, "text": "x++;", "depth": 2}])
    page = show(report(file({**unsafe(), "timeline": {"lanes": ["main"], "steps": steps}})))
    outer, inner = page.evaluate("[...document.querySelectorAll('.step code')].map(e => e.getBoundingClientRect().x)")
    assert inner > outer + 20


def test_the_current_line_of_a_long_file_comes_into_view(show: Show) -> None:
    source = "\n".join(f"line {number}" for number in range(1, 3001))
    timeline = {"steps": [{"line": 1, "text": "first"}, {"line": 2345, "text": "far"}]}
    page = show(report(file({**unsafe(), "timeline": timeline}, source=source)))
    page.press("ArrowRight")
    inside = page.evaluate(
        "(() => { const box = document.querySelector('.code-box').getBoundingClientRect();"
        " const row = document.querySelector('.code .current').getBoundingClientRect();"
        " return box.top <= row.top && row.bottom <= box.bottom; })()"
    )
    assert (current_line(page), inside) == ("2345", True)


def test_a_node_shows_its_facts_and_leads_to_its_line(show: Show) -> None:
    page = show(report(file(safe())))
    page.evaluate("[...document.querySelectorAll('.box')].find(b => b.textContent === 'loop').focus()")
    page.press("Enter")
    shown = text(page, ".details")
    for part in ("x <= 3", "x >= 0", "Tests2", "reached bytest 1", "error by leave", "entry by enter"):
        assert part in shown
    page.click(".details .link")
    assert current_line(page) == "4"


def test_a_click_selects_the_box_under_the_pointer(show: Show) -> None:
    page = show(report(file(safe())))
    page.click(".box.error rect")
    assert text(page, ".details h4") == "error"
    assert count(page, ".box.chosen") == 1


def test_the_keyboard_moves_between_boxes(show: Show) -> None:
    page = show(report(file(safe())))
    page.evaluate("document.querySelector('.canvas').focus()")
    for key in ("ArrowDown", "ArrowDown", "Enter"):
        page.press(key)
    assert text(page, ".details h4") == "loop"


def test_zoom_buttons_and_keys_change_the_size(show: Show) -> None:
    page = show(report(file(safe())))

    def scale() -> float:
        return float(page.evaluate("document.querySelector('.canvas').__zoom.k"))

    before = scale()
    page.click('[aria-label="Zoom in"]')
    assert scale() > before
    page.click('[aria-label="Zoom out"]')
    assert scale() == pytest.approx(before)


def test_another_graph_can_be_chosen(show: Show) -> None:
    page = show(report(file(safe())))
    page.evaluate(
        "(() => { const s = document.querySelector('.graphs select'); s.value = '1';"
        " s.dispatchEvent(new Event('change')); })()"
    )
    assert texts(page, ".box text") == ["s0", "s1", "s2"]


def test_search_finds_nodes_by_their_predicates_and_opens_them(show: Show) -> None:
    page = show(report(file({**safe(), "graphs": [grid(71)]})))
    page.write('[aria-label="Search nodes"]', "x = 70, y = 69")
    assert text(page, ".results p") == "1 node matches"
    assert count(page, ".box.match") == 1
    page.click(".results .link")
    assert text(page, ".box.chosen") == "x = 70, y = 69"


def test_a_large_graph_opens_collapsed_and_part_by_part(show: Show) -> None:
    page = show(report(file({**safe(), "graphs": [grid(71)]})))
    assert 0 < count(page, ".box") <= 80
    page.click(".box.part rect:last-of-type")
    assert count(page, ".box.part") == 0
    assert count(page, ".box") > 10
    page.press("Escape")
    assert count(page, ".box.part") > 10


def test_statistics_are_drawn(show: Show) -> None:
    page = show(report(file(safe())), "tab=statistics")
    assert texts(page, ".queries tr") == ["extend frontier0.20 s, 12 questions", "template0.01 s, 3 questions"]
    assert texts(page, ".charts figcaption") == ["predicates"]
    assert "solver: calls15" in text(page, ".numbers")


MANY = report(
    file(safe(), undecided(), name="a.c"), file(unsafe(), name="b.c"), {"file": "c.c", "error": {"message": "no"}}
)


def test_many_files_have_an_index_with_counts_and_a_filter(show: Show) -> None:
    page = show(MANY)
    assert texts(page, ".toggle") == ["✗ VIOLATED 1", "? UNDECIDED 1", "✓ HOLDS 1", "! NOT CHECKED 1"]
    page.write(".index input", "b.c")
    assert texts(page, ".index tbody tr:not([hidden]) .link") == ["b.c"]
    page.evaluate("document.querySelector('.index input').value = ''")
    page.click(".toggle:nth-of-type(2)")
    assert texts(page, ".index tbody tr:not([hidden]) .link") == ["a.c"]


def test_a_row_of_the_index_opens_the_file_and_back_leads_to_the_index(show: Show) -> None:
    page = show(MANY)
    page.evaluate("[...document.querySelectorAll('.index .link')].find(e => e.textContent == 'b.c').click()")
    assert text(page, "h2.file") == "b.c"
    page.evaluate("new Promise(done => { addEventListener('popstate', () => done(1)); history.back(); })")
    assert count(page, ".index") == 1


def test_a_violated_property_is_shown_first_and_others_can_be_chosen(show: Show) -> None:
    page = show(report(file(safe("first"), unsafe("second"))))
    assert "second" in text(page, ".summary summary")
    page.click(".property:nth-of-type(1)")
    assert "first" in text(page, ".summary summary")


@pytest.mark.parametrize("tab", ["counterexample", "graphs", "statistics"])
def test_hostile_text_is_shown_as_text(show: Show, tab: str) -> None:
    page = show(hostile(), f"tab={tab}")
    if tab == "graphs":
        page.click(".box rect")
    assert page.evaluate("typeof hacked") == "undefined"
    assert count(page, "#report img, #report script, #report b") == 0
    shown = visible_text(EVIL)
    for place in ("h1", "h2.file", ".mistake", ".summary", ".code", "header code"):
        assert shown in text(page, place)
    assert shown in text(page, {"counterexample": ".steps", "graphs": ".details", "statistics": ".numbers"}[tab])


def test_the_page_runs_no_other_script_and_loads_nothing(show: Show) -> None:
    page = show(report(file(safe())))
    page.evaluate("document.body.append(Object.assign(document.createElement('script'), {textContent: 'hacked = 1'}))")
    page.evaluate("document.body.append(Object.assign(document.createElement('img'), {src: 'http://localhost:1/'}))")
    assert page.evaluate("typeof hacked") == "undefined"
    assert page.evaluate("fetch('http://localhost:1/').then(() => 'loaded', () => 'refused')") == "refused"
    assert sum("Content Security Policy" in problem for problem in page.problems) >= 3


@pytest.mark.parametrize("width", [1280, 400])
@pytest.mark.parametrize("tab", ["counterexample", "graphs", "statistics"])
def test_nothing_is_cut_off_at_the_side(show: Show, tab: str, width: int) -> None:
    for data in (hostile(), report(file({**threads(), **{key: safe()[key] for key in ("queries", "history")}}))):
        page = show(data, f"tab={tab}", width=width)
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_index_fits_a_narrow_window(show: Show) -> None:
    page = show(report(*(file(safe(), name=f"some/rather/long/path/to/a/file{n}.c") for n in range(3))), width=400)
    assert page.evaluate("document.documentElement.scrollWidth") <= 400


def test_text_fits_into_its_box(show: Show) -> None:
    wide = graph(
        [node("mmmmmmmm wwwwwwww MMMMMMMM WWWWWWWW iiii", kind="initial"), node("漢字漢字")],
        [edge("漢字漢字", "漢字漢字")],
    )
    page = show(report(file({**safe(), "graphs": [wide]})))
    fits = page.evaluate(
        "[...document.querySelectorAll('.box')].map(box => box.querySelector('text').getBBox().width"
        " <= box.querySelector('rect').getBBox().width)"
    )
    assert fits == [True, True]


def test_the_dark_scheme_is_dark(show: Show) -> None:
    colour = "getComputedStyle(document.body).backgroundColor"
    assert show(report(file(safe()))).evaluate(colour) == "rgb(255, 255, 255)"
    assert show(report(file(safe())), dark=True).evaluate(colour) == "rgb(13, 17, 23)"


def test_every_control_can_be_reached_and_has_a_name(show: Show) -> None:
    page = show(report(file(unsafe(), threads())))
    seen = []
    for _ in range(25):
        page.press("Tab")
        seen.append(
            page.evaluate(
                "(() => { const e = document.activeElement; const style = getComputedStyle(e);"
                " return [e.ariaLabel || e.textContent, style.outlineStyle, e.tagName]; })()"
            )
        )
        if seen[-1][2] == "BODY":
            break
    controls = [entry for entry in seen if entry[2] != "BODY"]
    assert len(controls) >= 10
    assert all(name and outline != "none" for name, outline, _ in controls)


def test_an_error_in_a_file_is_shown_with_its_place(show: Show) -> None:
    wrong = {**file(), "error": {"kind": "syntax", "message": "';' is missing", "line": 5, "column": 3}}
    page = show(report(wrong))
    assert "line 5, column 3: ';' is missing" in text(page, ".mistake")
    assert "x = x + 1" in text(page, ".code .wrong")


def test_a_view_can_be_mounted_on_data_that_come_later(show: Show) -> None:
    page = show(report())
    data = json.dumps(report(file({**unsafe(), "graphs": []}, name="later.c")))
    page.evaluate(f"pincer.mountReport(document.getElementById('report'), {data}).show()")
    assert text(page, "h2.file") == "later.c"
    page.press("Home")
    page.press("ArrowRight")
    assert text(page, ".position") == "Step 2 of 5, line 5"


def test_graphs_of_every_kind_are_drawn(show: Show) -> None:
    kinds = [
        {**regions(), "kind": kind} for kind in ("abstract", "regions", "tree", "lnfg", "cfg", "lock-order", "threads")
    ]
    page = show(report(file({**safe(), "graphs": kinds})))
    for number in range(len(kinds)):
        page.evaluate(
            f"(() => {{ const s = document.querySelector('.graphs select'); s.value = '{number}';"
            " s.dispatchEvent(new Event('change')); })()"
        )
        assert texts(page, ".box") == ["▶ entry", "loop", "✗ error"]


def calling_run() -> dict[str, Any]:
    """A run that calls `f` twice and goes round a loop in it, with the middle rounds folded."""
    steps: list[dict[str, Any]] = [{"lane": 0, "line": 3, "text": "f(2);", "function": "main"}]
    for value in range(1, 7):
        change = {"name": "s.part[1]", "value": str(value), "scope": "f"}
        steps.append({"lane": 0, "line": 5, "text": "g++;", "depth": 1, "function": "f", "changes": [change]})
    steps.append(
        {"lane": 0, "line": 7, "text": "h();", "function": "main", "changes": [{"name": "total", "value": "9"}]}
    )
    rounds = [{"at": 2, "steps": 4, "rounds": 4}]
    return {**unsafe(), "timeline": {"lanes": ["main"], "steps": numbered(steps), "rounds": rounds}}


def test_the_rounds_of_a_loop_are_folded_until_they_are_asked_for(show: Show) -> None:
    page = show(report(file(calling_run())))
    assert texts(page, ".steps tbody .number") == ["1", "2", "⋮", "7", "8"]
    assert text(page, ".steps .fold .link") == "4 more rounds"
    page.click(".steps .fold .link")
    assert count(page, ".steps tbody tr") == 8
    assert text(page, ".position").startswith("Step 3 of 8")


def test_stepping_passes_over_what_is_folded_and_the_slider_opens_it(show: Show) -> None:
    page = show(report(file(calling_run())))
    page.press("ArrowLeft")
    page.press("ArrowLeft")
    assert text(page, ".position").startswith("Step 2 of 8")
    page.evaluate(
        "(e => { e.value = '4'; e.dispatchEvent(new Event('input')); })(document.querySelector('[type=range]'))"
    )
    assert text(page, ".position").startswith("Step 4 of 8")
    assert count(page, ".steps .fold") == 0


def test_a_call_folds_and_opens(show: Show) -> None:
    page = show(report(file(calling_run())))
    page.click('[aria-label="Fold the steps of this call"]')
    assert texts(page, ".steps tbody .number") == ["1", "8"]
    assert "6 steps folded" in text(page, ".steps tbody tr")
    page.click('[aria-label="Show the steps of this call"]')
    assert count(page, ".steps tbody tr") == 5


def test_values_belong_to_calls_and_nest(show: Show) -> None:
    page = show(report(file(calling_run())))
    page.press("ArrowLeft")
    assert texts(page, ".values .call-name") == ["f"]
    assert texts(page, ".values .name") == ["s", ".part", "[1]"]
    page.click('.values [aria-label="Fold s"]')
    assert texts(page, ".values .name") == ["s"]
    page.press("End")
    assert texts(page, ".values .name") == ["total"], "the call is over, and its variables are gone"


@pytest.mark.parametrize("found", [unsafe(), calling_run()], ids=["plain", "calls"])
def test_the_first_screen_shows_verdict_failing_line_and_values_without_scrolling(show: Show, found: Any) -> None:
    page = show(report(file(found)))
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    for selector in (".summary .badge", ".code .current", ".steps .current", ".values .variable"):
        top, bottom = page.evaluate(
            f"(r => [r.top, r.bottom])(document.querySelector('{selector}').getBoundingClientRect())"
        )
        assert 0 <= top < bottom <= 800, selector


def test_the_source_is_searched_and_coloured(show: Show) -> None:
    page = show(report(file(unsafe(), source="int x;\nint y; // x\n")))
    assert texts(page, ".code .keyword") == ["int", "int"]
    assert texts(page, ".code .comment") == ["// x"]
    page.write('[aria-label="Find in the source"]', "X")
    assert (text(page, ".source output"), current_line(page)) == ("1 of 2", "1")
    page.press("Enter")
    assert (text(page, ".source output"), current_line(page)) == ("2 of 2", "2")


def test_a_line_has_an_address(show: Show) -> None:
    page = show(report(file(unsafe())))
    page.evaluate("document.querySelector('.code tr:nth-child(4) .link').click()")
    assert current_line(page) == "4"
    assert "line=4" in page.evaluate("location.hash")
    page.evaluate("new Promise(done => { addEventListener('popstate', () => done(1)); history.back(); })")
    page.evaluate("new Promise(done => { addEventListener('popstate', () => done(1)); history.forward(); })")
    assert current_line(page) == "4"


def test_the_index_is_sorted_with_violations_first_and_keeps_its_filter(show: Show) -> None:
    page = show(MANY)
    assert text(page, ".index tbody tr .badge") == "✗ VIOLATED"
    page.evaluate("[...document.querySelectorAll('.sort')].find(e => e.textContent == 'File').click()")
    assert texts(page, ".index tbody .link") == sorted(texts(page, ".index tbody .link"))
    page.click(".toggle:nth-of-type(2)")
    page.click(".index tbody tr:not([hidden]) .link")
    page.evaluate("document.querySelector('.heading .link').click()")
    assert text(page, '.toggle[aria-pressed="true"]') == "? UNDECIDED 1"
    assert count(page, ".index tbody tr:not([hidden])") == 1


def test_what_holds_up_to_something_does_not_look_as_if_it_held(show: Show) -> None:
    rests = {**safe("assertions"), "rests_on": ["up to undefined behaviour at a.c:6"]}
    page = show(report(file(rests)))
    assert "HOLDS assertions up to undefined behaviour at a.c:6" in text(page, ".summary summary")
    assert count(page, ".summary .badge.safe") == 0


def test_strategies_tell_what_came_of_them(show: Show) -> None:
    work = {"turns": 2, "time_s": 0.5, "outcome": "decided the question"}
    page = show(report(file(safe() | {"strategies": {"merged": work, "paths": {"turns": 1}}})), "tab=statistics")
    assert texts(page, ".queries")[0] == (
        "all paths at oncedecided the question0.50 s, 2 turnspath by pathnot decided by it0.00 s"
    )


def test_places_behind_pointers_are_values_of_one_step_only(show: Show) -> None:
    found = unsafe()
    found["timeline"]["steps"][3]["changes"] = [{"name": "p->next", "value": "NULL"}]
    page = show(report(file(found)))
    assert "p->next" not in text(page, ".values")
    page.press("ArrowLeft")
    assert "p->nextNULL" in text(page, ".values")


def test_the_index_names_files_from_their_common_folder_on(show: Show) -> None:
    data = report(file(safe(), name="src/net/a.c"), file(unsafe(), name="src/b.c"))
    page = show(data | {"call": "pincer check " + "x" * 500})
    assert text(page, ".index h2") == "2 files in src/"
    assert texts(page, ".index .link") == ["b.c", "net/a.c"]
    assert page.evaluate("document.querySelector('header').getBoundingClientRect().height") < 60


def test_the_numbers_of_steps_stay_in_view_beside_lanes(show: Show) -> None:
    page = show(report(file(threads())), "tab=counterexample", width=400)
    page.evaluate("document.querySelector('.steps-box').scrollLeft = 1000")
    left = "document.querySelector({}).getBoundingClientRect().left"
    box, number = (page.evaluate(left.format(f"'{part}'")) for part in (".steps-box", ".steps .current .number"))
    assert abs(number - box) <= 2
    covered = "document.elementFromPoint(head.getBoundingClientRect().left + 8, head.getBoundingClientRect().top + 8)"
    assert page.evaluate(f"(head => {covered} === head)(document.querySelector('.steps thead th'))")
