"""C text run by the system's compiler and by our interpreter, for tests that hold one against the other."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from pincer.program.property import DataModel
from tests.frontends.c.lowered_c import result_of

COMPILER = shutil.which("gcc")
needs_compiler = pytest.mark.skipif(COMPILER is None, reason="there is no gcc")

_SHOW = """
extern long long result; int printf(const char *, ...);
__attribute__((destructor)) static void show(void) { printf("%lld", result); }
"""


def compiled_result(folder: Path, text: str, *flags: str) -> int:
    """The global variable `result` when the compiled program has ended."""
    assert COMPILER is not None
    program, show, binary = folder / "compiled.c", folder / "show.c", folder / "compiled"
    program.write_text(text)
    show.write_text(_SHOW)
    subprocess.run([COMPILER, "-w", *flags, "-o", binary, program, show], check=True, timeout=60)
    done = subprocess.run([binary], capture_output=True, text=True, timeout=60)
    return int(done.stdout)


def assert_same_result(folder: Path, text: str, data_model: DataModel = "LP64") -> None:
    """The interpreter computes the `result` that compiled code does."""
    assert result_of(folder, text, data_model=data_model) == compiled_result(folder, text)
