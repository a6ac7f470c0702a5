"""Packages from npm for tests; without npm, or where it reaches nothing, such tests are skipped."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

_PATIENCE_S = 300


def installed(folder: Path, *packages: str) -> Path:
    """The folder with the packages that it names itself, or with others."""
    if shutil.which("npm") is None:
        pytest.skip("needs npm")
    command = ["npm", "install", "--silent", "--no-audit", "--no-fund", *packages]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=_PATIENCE_S)
    if done.returncode != 0:
        pytest.skip(f"npm installs nothing here: {done.stderr[-200:]}")
    return folder
