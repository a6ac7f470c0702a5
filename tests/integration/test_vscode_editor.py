"""The extension in the editor itself: Visual Studio Code as code-server gives it to a browser.

code-server comes from npm and compiles parts of itself, which takes minutes: the test runs where the command is
(`npm install -g code-server`), with Chromium beside it.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.chromium import Page, chromium, chromium_path
from tests.browser.npm import installed

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "editors" / "vscode"
pytestmark = [
    pytest.mark.skipif(not FOLDER.is_dir(), reason="needs the folder of the repository"),
    pytest.mark.skipif(chromium_path() is None, reason="needs Chromium (apt-get install chromium)"),
    pytest.mark.skipif(shutil.which("code-server") is None, reason="needs code-server (npm install -g code-server)"),
]
SETTINGS = {
    "security.workspace.trust.enabled": False,
    "workbench.startupEditor": "none",
    "telemetry.telemetryLevel": "off",
}
OPENED = ".explorer-folders-view .monaco-list-row[aria-label^='7-lock.c']"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of an editor that has the extension, with an example in its folder."""
    folder = tmp_path_factory.mktemp("editor")
    extension = folder / "vscode"
    shutil.copytree(FOLDER, extension, ignore=shutil.ignore_patterns("node_modules", "out", "*.vsix"))
    installed(extension)
    subprocess.run(["npm", "run", "package"], cwd=extension, check=True, capture_output=True)
    (folder / "work").mkdir()
    shutil.copy(ROOT / "examples" / "7-lock.c", folder / "work")
    (folder / "data" / "User").mkdir(parents=True)
    pincer = str(Path(sys.executable).with_name("pincer"))
    settings = json.dumps(SETTINGS | {"pincer.command": pincer})
    (folder / "data" / "User" / "settings.json").write_text(settings, encoding="utf-8")
    command = ["code-server", "--extensions-dir", str(folder / "ext"), "--user-data-dir", str(folder / "data")]
    environment = {**os.environ, "XDG_CONFIG_HOME": str(folder / "config")}
    packed = str(extension / "pincer.vsix")
    subprocess.run([*command, "--install-extension", packed], check=True, capture_output=True, env=environment)
    serving = [*command, "--auth", "none", "--bind-addr", "127.0.0.1:0", "--disable-telemetry", str(folder / "work")]
    with subprocess.Popen(serving, stdout=subprocess.PIPE, text=True, env=environment) as server:
        assert server.stdout is not None
        try:
            said = next(line for line in server.stdout if "listening on http" in line)
            yield f"{said.split()[-1].rstrip('/')}/?folder={folder / 'work'}"
        finally:
            server.terminate()


@pytest.fixture(scope="module")
def editor(address: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with chromium(tmp_path_factory.mktemp("profile")) as page:
        page.open(address)
        page.await_(f"document.querySelector({json.dumps(OPENED)})")
        page.click(OPENED)
        page.await_("document.querySelector('.squiggly-error')")
        yield page


def test_the_failing_line_is_marked_and_verdicts_stand_above_the_program(editor: Page) -> None:
    editor.await_("document.querySelector('.codelens-decoration')")
    verdicts = editor.evaluate("document.querySelector('.codelens-decoration').textContent")
    assert [part.split()[0] for part in verdicts.split("|")] == ["VIOLATED", "HOLDS", "HOLDS"]
    assert editor.evaluate("document.querySelectorAll('.squiggly-error').length") == 1


def test_the_failing_line_offers_to_write_the_test(editor: Page) -> None:
    marked = "[...document.querySelectorAll('.view-line')].find(line => line.textContent.includes('assert(!locked)'))"
    editor.evaluate(f"{marked}.setAttribute('data-wanted', '')")
    editor.click("[data-wanted] span span")
    editor.press(".", control=True)
    editor.await_("document.querySelector('.action-widget .monaco-list-row.action')")
    offered = editor.evaluate("document.querySelector('.action-widget').textContent")
    assert "test" in offered
    editor.press("Escape")
