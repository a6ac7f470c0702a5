"""The extension for Visual Studio Code compiles and packs; what it offers is what the server understands."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from zipfile import ZipFile

import pytest

from pincer.checking.task import ENGINES
from pincer.cli.editing.remarks import CHECK
from pincer.cli.editing.server import CONFIGURED
from tests.browser.npm import installed

FOLDER = Path(__file__).parents[2] / "editors" / "vscode"
pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="needs the folder of the repository")


def test_the_settings_of_the_extension_are_those_of_the_server() -> None:
    package = json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))
    settings = package["contributes"]["configuration"]["properties"]
    names = {name.removeprefix("pincer.") for name in settings} - {"command"}
    assert names <= set(CONFIGURED)
    assert settings["pincer.engine"]["enum"] == list(ENGINES)
    assert f'command: "{CHECK}"' in (FOLDER / "src" / "extension.ts").read_text(encoding="utf-8")


def test_the_extension_is_packed(tmp_path: Path) -> None:
    folder = tmp_path / "vscode"
    shutil.copytree(FOLDER, folder, ignore=shutil.ignore_patterns("node_modules", "out", "*.vsix"))
    installed(folder)
    done = subprocess.run(["npm", "run", "package"], cwd=folder, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    with ZipFile(folder / "pincer.vsix") as packed:
        names = set(packed.namelist())
        assert {"extension/package.json", "extension/out/extension.js", "extension/language.json"} <= names
        assert b"workspace/executeCommand" in packed.read("extension/out/extension.js")
