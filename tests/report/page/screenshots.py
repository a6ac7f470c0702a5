"""Pictures of the report for the documentation: one example of each engine, in a wide and in a narrow window.

Run from the top folder, with Chromium installed: `python tests/report/page/screenshots.py`.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from chromium import Page, chromium

IMAGES = Path("docs/images")
EXAMPLES = {
    "ase": (["examples/2-ticket.gcl"], "graphs"),
    "ur": (["examples/5-deadlock.gcl", "--engine", "ur"], "counterexample"),
    "dash": (["examples/8-loop.c"], "graphs"),
    "agse": (["examples/10-transfer.c", "--property", "deadlock"], "counterexample"),
    "dse": (["examples/11-cooler.m"], "graphs"),
}
WINDOWS = {"": 1280, "-narrow": 400}


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, chromium(Path(folder, "profile")) as page:
        for engine, (arguments, tab) in EXAMPLES.items():
            report = Path(folder, f"{engine}.html")
            command = [sys.executable, "-m", "pincer.cli", "check", *arguments, "--quiet", "--report", str(report)]
            subprocess.run(command, check=False, stdout=subprocess.DEVNULL)
            for suffix, width in WINDOWS.items():
                take(page, f"{report.as_uri()}#tab={tab}", width, IMAGES / f"report-{engine}{suffix}.webp")


def take(page: Page, url: str, width: int, path: Path) -> None:
    """In a narrow window the views stand below the summary: scroll to them."""
    page.open(url, width=width, height=800)
    if width < 1000:
        page.evaluate("document.querySelector('.panel').scrollIntoView()")
    page.picture(path)


if __name__ == "__main__":
    main()
