"""Programs of csmith, a random generator that is installed apart; its runtime headers are found beside it.

Left out of its language: floating point, which is not modelled, and arguments of main, which are inputs. (It leaves out
compiler builtins by itself; it would call them with arguments for which they are undefined.)
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from .compiler import Rejected

CHOICES = ("--no-float", "--no-argc")
HEADERS = ("/usr/include/csmith", "/usr/include/csmith-2.3.0", "/usr/local/include/csmith-2.3.0")


def headers() -> Path | None:
    """The folder with csmith.h: named by CSMITH_INCLUDE, or where packages put it."""
    folders = [Path(folder) for folder in (os.environ.get("CSMITH_INCLUDE", ""), *HEADERS) if folder]
    return next((folder for folder in folders if (folder / "csmith.h").is_file()), None)


def available() -> bool:
    return shutil.which("csmith") is not None and headers() is not None


def generate(seed: int, size: int) -> str:
    """csmith's program of this seed; `size` bounds functions, blocks and expressions."""
    limits = {
        "--max-funcs": 1 + size // 3,
        "--max-block-size": 1 + size // 4,
        "--max-block-depth": 3,
        "--max-expr-complexity": 2 + size // 4,
        "--max-struct-fields": 5,
        "--max-union-fields": 4,
        "--max-array-len-per-dim": 5,
    }
    options = [text for name, value in limits.items() for text in (name, str(value))]
    command = ["csmith", *CHOICES, *options, "--seed", str(seed)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False, cwd=_working_folder())
    except subprocess.TimeoutExpired:
        raise Rejected("csmith takes too long") from None
    if done.returncode or "main" not in done.stdout:
        raise Rejected("csmith gave no program")
    return done.stdout.split("/************************ statistics")[0]


def _working_folder() -> Path:
    """csmith writes `platform.info` where it runs: not into the checkout."""
    folder = Path(tempfile.gettempdir()) / "pincer-csmith"
    folder.mkdir(exist_ok=True)
    return folder
