"""Pictures of every page: reports of an example of each engine, the index of many files, the page of `pincer serve`.

Run from the top folder, with Chromium installed: `python -m tests.browser.screenshots` makes those of the
documentation anew; `python -m tests.browser.screenshots FOLDER` puts all pages there, wide and narrow, light and
dark, to be looked at.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from tests.browser.chromium import Page, chromium


class Shown(NamedTuple):
    """A page: what is checked for it, and the place in the report."""

    arguments: list[str]
    place: str


IMAGES = Path("docs/images")
DOCUMENTED = {
    "ase": Shown(["examples/2-ticket.gcl"], "tab=graphs"),
    "ur": Shown(["examples/5-deadlock.gcl", "--engine", "ur"], "tab=counterexample"),
    "dash": Shown(["examples/8-loop.c"], "tab=graphs"),
    "first": Shown(["examples/7-lock.c"], "tab=counterexample"),
    "agse": Shown(["examples/10-transfer.c", "--property", "deadlock"], "tab=counterexample"),
    "dse": Shown(["examples/11-cooler.m"], "tab=graphs"),
}
FURTHER = {
    "index": Shown(["examples/"], ""),
    "lasso": Shown(["examples/12-waiting.gcl", "--property", "busy"], "tab=counterexample"),
    "lasso-drawn": Shown(["examples/12-waiting.gcl", "--property", "busy"], "tab=graphs"),
    "outline": Shown(["benchmarks/threads/clock.c", "--property", "assertions"], "tab=graphs"),
    "memory": Shown(["examples/9-memory.c", "--property", "memory"], "tab=counterexample"),
    "statistics": Shown(["examples/8-loop.c", "--property", "assertions"], "tab=statistics"),
    "schedules": Shown(["examples/10-transfer.c", "--property", "deadlock"], "tab=statistics"),
    "undecided": Shown(["examples/8-loop.c", "--property", "assertions", "--timeout", "0.4"], ""),
}
WINDOWS = {"": (1280, False), "-narrow": (400, False), "-dark": (1280, True)}
ALL_WINDOWS = {**WINDOWS, "-narrow-dark": (400, True)}
CHOOSE = """(select => {
  select.value = "7-lock.c";
  select.dispatchEvent(new Event("change"));
})(document.getElementById("example"))"""


def main(arguments: list[str]) -> None:
    looked_at = Path(arguments[0]) if arguments else None
    with tempfile.TemporaryDirectory() as folder, chromium(Path(folder, "profile")) as page:
        if looked_at is None:
            take_all(page, Path(folder), DOCUMENTED, WINDOWS, str(IMAGES / "{}.webp"))
        else:
            looked_at.mkdir(parents=True, exist_ok=True)
            take_all(page, Path(folder), DOCUMENTED | FURTHER, ALL_WINDOWS, str(looked_at / "{}.png"))


def take_all(
    page: Page, folder: Path, pages: Mapping[str, Shown], windows: Mapping[str, tuple[int, bool]], name: str
) -> None:
    """Pictures of reports and of the page of `pincer serve`; `name` has a place for that of the picture."""
    for kind, shown in pages.items():
        report = folder / f"{kind}.html"
        command = [sys.executable, "-m", "pincer.cli", "check", *shown.arguments, "--quiet", "--report", str(report)]
        subprocess.run(command, check=False, stdout=subprocess.DEVNULL)
        for suffix, (width, dark) in windows.items():
            take(page, f"{report.as_uri()}#{shown.place}", width, dark, Path(name.format(f"report-{kind}{suffix}")))
    command = [sys.executable, "-m", "pincer.cli", "serve", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        address = server.stdout.readline().split()[-1]
        try:
            for suffix, (width, dark) in windows.items():
                take_served(page, address, width, dark, Path(name.format(f"serve{suffix}")))
        finally:
            server.terminate()


def take(page: Page, url: str, width: int, dark: bool, path: Path) -> None:
    """In a narrow window the views stand below the summary: scroll to them."""
    page.open(url, width=width, height=800, dark=dark)
    if width < 1000:
        page.evaluate("document.querySelector('.panel')?.scrollIntoView()")
    page.picture(path)


def take_served(page: Page, address: str, width: int, dark: bool, path: Path) -> None:
    """An example with its report beside it."""
    page.open(address, width=width, height=800, dark=dark)
    page.await_("document.getElementById('example')?.options.length > 5")
    page.evaluate(CHOOSE)
    page.click("#check")
    page.await_("document.getElementById('status').textContent.startsWith('VIOLATED')")
    with page.frame("#report"):
        page.await_("document.querySelector('.panel')")
        time.sleep(1)  # What comes into view is drawn a little later.
    page.picture(path)


if __name__ == "__main__":
    main(sys.argv[1:])
