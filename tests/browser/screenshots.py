"""Pictures for the documentation, in a wide and in a narrow window: the report of one example of each engine, and the
page of `pincer serve`.

Run from the top folder, with Chromium installed: `python -m tests.browser.screenshots`.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.browser.chromium import Page, chromium

IMAGES = Path("docs/images")
EXAMPLES = {
    "ase": (["examples/2-ticket.gcl"], "graphs"),
    "ur": (["examples/5-deadlock.gcl", "--engine", "ur"], "counterexample"),
    "dash": (["examples/8-loop.c"], "graphs"),
    "first": (["examples/7-lock.c"], "counterexample"),
    "agse": (["examples/10-transfer.c", "--property", "deadlock"], "counterexample"),
    "dse": (["examples/11-cooler.m"], "graphs"),
}
WINDOWS = {"": (1280, False), "-narrow": (400, False), "-dark": (1280, True)}
CHOOSE = """(select => {
  select.value = "7-lock.c";
  select.dispatchEvent(new Event("change"));
})(document.getElementById("example"))"""


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, chromium(Path(folder, "profile")) as page:
        for engine, (arguments, tab) in EXAMPLES.items():
            report = Path(folder, f"{engine}.html")
            command = [sys.executable, "-m", "pincer.cli", "check", *arguments, "--quiet", "--report", str(report)]
            subprocess.run(command, check=False, stdout=subprocess.DEVNULL)
            for suffix, (width, dark) in WINDOWS.items():
                take(page, f"{report.as_uri()}#tab={tab}", width, dark, IMAGES / f"report-{engine}{suffix}.webp")
        command = [sys.executable, "-m", "pincer.cli", "serve", "--port", "0"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout is not None
            address = server.stdout.readline().split()[-1]
            try:
                for suffix, (width, dark) in WINDOWS.items():
                    take_served(page, address, width, dark, IMAGES / f"serve{suffix}.webp")
            finally:
                server.terminate()


def take(page: Page, url: str, width: int, dark: bool, path: Path) -> None:
    """In a narrow window the views stand below the summary: scroll to them."""
    page.open(url, width=width, height=800, dark=dark)
    if width < 1000:
        page.evaluate("document.querySelector('.panel').scrollIntoView()")
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
    main()
