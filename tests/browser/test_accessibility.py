"""axe-core finds nothing serious on any page, in light and in dark, wide and narrow."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pincer.report.page import render
from tests.browser.chromium import Page, chromium, chromium_path
from tests.browser.npm import installed
from tests.report.page.report_samples import file, report, safe, threads, undecided, unsafe

pytestmark = pytest.mark.skipif(chromium_path() is None, reason="needs Chromium (apt-get install chromium)")

SAMPLES = {
    "violation": report(file(unsafe())),
    "proof": report(file(safe())),
    "threads": report(file(threads())),
    "index": report(file(safe(), undecided(), name="a.c"), file(unsafe(), name="b.c")),
}
SERIOUS = """axe.run().then(found => found.violations
    .filter(one => ["serious", "critical"].includes(one.impact))
    .map(one => one.id + ": " + one.nodes[0].html))"""


@pytest.fixture(scope="module")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = installed(tmp_path_factory.mktemp("axe"), "axe-core@4")
    return (folder / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with chromium(tmp_path_factory.mktemp("profile")) as page:
        yield page


def serious(page: Page, axe: str) -> list[str]:
    page.evaluate(f"{axe};1")
    found: list[str] = page.evaluate(SERIOUS)
    return found


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [1280, 400])
@pytest.mark.parametrize("name", SAMPLES)
def test_the_report_has_no_serious_finding(
    browser: Page, axe: str, tmp_path: Path, name: str, width: int, dark: bool
) -> None:
    (tmp_path / "page.html").write_text(render(SAMPLES[name]), encoding="utf-8")
    tabs = [""] if name == "index" else ["", "#file=0&tab=graphs", "#file=0&tab=statistics"]
    for tab in tabs:
        browser.open((tmp_path / "page.html").as_uri() + tab, width=width, dark=dark)
        assert serious(browser, axe) == [], tab


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_the_playground_has_no_serious_finding(browser: Page, axe: str, dark: bool) -> None:
    command = [sys.executable, "-m", "pincer.cli", "serve", "--port", "0", "--jobs", "1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            browser.open(server.stdout.readline().split()[-1], dark=dark)
            browser.await_("(document.getElementById('example')?.options.length ?? 0) > 5")
            assert serious(browser, axe) == []
            browser.evaluate(f"editor.text = {json.dumps('program p; safety')}")
            browser.click("#check")
            browser.await_("document.querySelector('.remark.unsafe')")
            assert serious(browser, axe) == []
        finally:
            server.terminate()
