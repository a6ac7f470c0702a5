"""The page of a real server in a real browser: what a user chooses, types, sees and steps through."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from tests.browser.chromium import Page, chromium, chromium_path

pytestmark = pytest.mark.skipif(chromium_path() is None, reason="needs Chromium (apt-get install chromium)")

EVIL = '<img src=x onerror="document.title = 1">'
HOSTILE = f"""\
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {{ int x = __VERIFIER_nondet_int(); assert(x != 3 && {json.dumps(EVIL)}); return 0; }}
"""
ENDLESS = """\
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    unsigned i = 0;
    while (__VERIFIER_nondet_int()) {
        i = (i * 1103515245u + 12345u) ^ i >> 7;
        assert(i != 12345678u);
    }
    return 0;
}
"""
STATUS = "document.getElementById('status').textContent"
IDLE = f"document.getElementById('cancel').disabled && !/^(sent|waiting|running)/.test({STATUS})"


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    command = [sys.executable, "-m", "pincer.cli", "serve", "--port", "0", "--jobs", "1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        yield server.stdout.readline().split()[-1]
        server.terminate()
        assert server.wait(timeout=30) == 0


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with chromium(tmp_path_factory.mktemp("profile")) as page:
        yield page


@pytest.fixture
def page(browser: Page, address: str) -> Iterator[Page]:
    """The page as it comes up for the first time; no test may leave an error in the console."""
    opened(browser, address)
    browser.evaluate("sessionStorage.clear()")
    opened(browser, address)
    yield browser
    assert browser.problems == []


def opened(page: Page, address: str, **window: Any) -> None:
    page.open(address, **window)
    page.await_("(document.getElementById('example')?.options.length ?? 0) > 5")


def choose(page: Page, example: str) -> None:
    put(page, "example", example, "change")


def put(page: Page, field: str, value: str, event: str = "input") -> None:
    """Give a field a value as if it was chosen or typed."""
    if field == "text":
        page.evaluate(f"editor.text = {json.dumps(value)}")
        return
    page.evaluate(
        f"(field => {{ field.value = {json.dumps(value)}; field.dispatchEvent(new Event({json.dumps(event)})); }})"
        f"(document.getElementById({json.dumps(field)}))"
    )


def value(page: Page, field: str, member: str = "value") -> Any:
    if (field, member) == ("text", "value"):
        return page.evaluate("editor.text")
    return page.evaluate(f"document.getElementById({json.dumps(field)}).{member}")


def text(page: Page, selector: str) -> str:
    return str(page.evaluate(f"document.querySelector({json.dumps(selector)})?.textContent ?? '(nothing)'"))


def check(page: Page) -> str:
    """Press the button; what the page says in the end."""
    page.click("#check")
    page.await_(IDLE)
    return text(page, "#status")


@pytest.mark.parametrize(
    ("engine", "example", "chosen", "verdict"),
    [
        ("ase", "2-ticket.gcl", "auto", "HOLDS  mutex"),
        ("ur", "5-deadlock.gcl", "ur", "VIOLATED  live"),
        ("dash", "7-lock.c", "auto", "VIOLATED  assertions"),
        ("agse|exhaustive", "10-transfer.c", "agse", "VIOLATED  deadlock"),
        ("dse", "11-cooler.m", "auto", "VIOLATED  property"),
    ],
)
def test_each_engine_has_an_example_whose_report_opens_beside_it(
    page: Page, engine: str, example: str, chosen: str, verdict: str
) -> None:
    choose(page, example)
    put(page, "engine", chosen)
    assert verdict in check(page)
    with page.frame("#report"):
        assert re.search(engine, text(page, ".summary"))
        if "VIOLATED" in verdict:
            page.await_("document.querySelector('.position')?.textContent")
            page.click('[aria-label="First step"]')
            page.click('[aria-label^="Step (right"]')
            assert re.match("Step [12] of", text(page, ".position"))
            page.press("ArrowRight")
            assert re.match("Step [23] of", text(page, ".position"))
        else:
            page.evaluate("[...document.querySelectorAll('[role=tab]')].find(e => e.textContent == 'Graphs').click()")
            page.await_("document.querySelector('.box rect')")
            page.click(".box rect")
            assert text(page, ".details") not in ("", "(nothing)")


def test_a_mistake_is_shown_with_its_line_marked_in_the_editor(page: Page) -> None:
    put(page, "name", "mine.c")
    put(page, "text", "/* a\n   b */\n" + "\n" * 200 + "int main(void) { int x = ; return 0; }\n")
    page.click("#text")
    page.press("Enter", control=True)
    page.await_(IDLE)
    assert text(page, "#status") == "expected an expression before `;` line 203"
    assert text(page, ".cm-gutterElement.marked") == "203"
    assert text(page, ".remark.unsafe") == "✗ expected an expression before `;`"
    page.await_("document.querySelector('.cm-scroller').scrollTop > 1000")
    assert value(page, "report", "hidden")
    page.click("#status button")
    assert page.evaluate("document.activeElement.id") == "text"
    chosen = page.evaluate("editor.view.state.selection.main.from")
    assert str(value(page, "text"))[chosen:].startswith("; return 0;")


def test_a_long_check_shows_its_progress_and_can_be_cancelled(page: Page) -> None:
    put(page, "name", "mine.c")
    put(page, "text", ENDLESS)
    page.click("#check")
    page.await_(f"/^running .* MB.*dash/.test({STATUS})")
    page.click("#cancel")
    assert text(page, "#status") == "cancelled"
    choose(page, "7-lock.c")
    assert check(page).startswith("VIOLATED  assertions: assertion !locked fails at 7-lock.c:24:5 line 24")


def test_changes_survive_another_example_and_a_reload(page: Page, address: str) -> None:
    choose(page, "7-lock.c")
    original = value(page, "text")
    assert value(page, "revert", "disabled")
    page.write("#text", "/* mine */")
    changed = value(page, "text")
    assert changed != original
    choose(page, "1-mutex.gcl")
    assert "mutual" in value(page, "text")
    choose(page, "7-lock.c")
    assert value(page, "text") == changed
    opened(page, address)
    assert (value(page, "example"), value(page, "text")) == ("7-lock.c", changed)
    page.click("#revert")
    assert value(page, "text") == original


def test_the_tab_key_leaves_the_editor(page: Page) -> None:
    page.evaluate("document.getElementById('example').focus()")
    visited = []
    while "text" not in visited:
        visited.append(page.evaluate("document.activeElement.id"))
        page.press("Tab")
    assert visited == ["example", "name", "engine", "property", "seconds", "check", "share", "text"]
    assert page.evaluate("document.activeElement.id") != "text"


@pytest.mark.parametrize("width", [1280, 400])
def test_nothing_is_wider_than_the_window(page: Page, address: str, width: int) -> None:
    opened(page, address, width=width)
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_hostile_program_is_text_and_its_report_cannot_reach_the_server(page: Page) -> None:
    put(page, "name", "mine.c")
    put(page, "text", HOSTILE)
    assert EVIL in check(page).replace("\\", "")
    assert page.evaluate("document.querySelectorAll('#status img').length") == 0
    with page.frame("#report"):
        assert "onerror" in text(page, ".summary")
        assert page.evaluate("document.querySelectorAll('img').length") == 0
        for request in ("fetch('/api/setup')", "fetch(new URL('../../setup', location.href))"):
            assert page.evaluate(f"{request}.then(() => 'answered', () => 'refused')") == "refused"
        assert (
            page.evaluate("(() => { try { return parent.document.title; } catch { return 'refused'; } })()")
            == "refused"
        )


def test_the_failing_line_is_marked_and_stepping_shows_lines_in_the_editor(page: Page) -> None:
    choose(page, "7-lock.c")
    check(page)
    assert text(page, ".cm-line.marked.unsafe").strip() == "assert(!locked);"
    assert "assertion !locked fails" in text(page, ".remark.unsafe")
    page.await_("document.querySelector('.current-step')")
    with page.frame("#report"):
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight"), "the result fits its frame"
        assert page.evaluate(
            "document.querySelector('.values .variable').getBoundingClientRect().bottom <= innerHeight"
        )
        page.click('[aria-label="First step"]')
    page.await_("document.querySelector('.current-step')?.textContent.includes('int first')")


def test_properties_can_be_ticked(page: Page) -> None:
    choose(page, "9-memory.c")
    page.click("#choices summary")
    put(page, "property", "memory")
    page.click("#properties [name=leaks]")
    page.click("#properties [name=assertions]")
    assert value(page, "property") == "assertions,memory,leaks"
    put(page, "property", "race")
    assert page.evaluate("[...document.querySelectorAll('#properties :checked')].map(e => e.name)") == ["race"]
    choose(page, "1-mutex.gcl")
    assert value(page, "choices", "hidden")


def test_a_shared_address_holds_the_program(page: Page, address: str) -> None:
    put(page, "name", "mine.c")
    put(page, "text", "int main(void) { return 0; } // grün <b>")
    page.click("#share")
    page.await_("location.hash.startsWith('#program=')")
    shared = page.evaluate("location.hash")
    page.evaluate("sessionStorage.clear()")
    opened(page, address + shared)
    page.evaluate(f"location.hash = {json.dumps(shared)}")
    page.await_("document.getElementById('name').value === 'mine.c'")
    assert (value(page, "name"), value(page, "text")) == ("mine.c", "int main(void) { return 0; } // grün <b>")
    page.evaluate("location.hash = '#program=***'")
    page.await_(f"{STATUS}.includes('no program')")


def test_violations_are_told_first_and_what_is_said_alike_once(page: Page) -> None:
    choose(page, "7-lock.c")
    put(page, "property", "memory,overflow,assertions")
    check(page)
    lines = page.evaluate("[...document.getElementById('status').children].map(one => one.textContent)")
    assert [line.split(":")[0] for line in lines] == ["VIOLATED  assertions", "HOLDS  memory, overflow"]


def test_what_an_example_is_about_is_told_as_long_as_it_has_its_name(page: Page) -> None:
    choose(page, "7-lock.c")
    assert text(page, "#about") == "A lock that is sometimes kept."
    put(page, "name", "mine.c")
    assert text(page, "#about") == ""


def test_report_and_test_can_be_downloaded(page: Page) -> None:
    choose(page, "7-lock.c")
    check(page)
    kind = "async (id) => (await fetch(document.getElementById(id).href)).headers.get('content-type')"
    assert page.evaluate(f"Promise.all(['get-report', 'get-test'].map({kind}))") == [
        "text/html; charset=utf-8",
        "application/zip",
    ]


def test_the_gallery_tells_what_each_example_shows(page: Page) -> None:
    assert text(page, "#gallery p:nth-child(7)") == "7-lock.c A lock that is sometimes kept."
    page.click("#gallery p:nth-child(3) button")
    page.await_(IDLE)
    assert text(page, "#status").startswith("VIOLATED  mutex")
