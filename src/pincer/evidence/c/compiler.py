"""The system's C compiler: which one there is, and what it can build."""

from __future__ import annotations

import os
import shlex
import shutil
import tempfile
from functools import cache
from pathlib import Path

from pincer.runtime.commands import run

COMPILE_TIMEOUT = 60.0


def find_compiler() -> tuple[str, ...] | None:
    """The command of the first compiler there is: $CC, cc, gcc, clang."""
    for candidate in (os.environ.get("CC", ""), "cc", "gcc", "clang"):
        words = shlex.split(candidate)
        if words and shutil.which(words[0]):
            return tuple(words)
    return None


@cache
def understands(compiler: tuple[str, ...], flag: str) -> bool:
    """Whether a compiler knows a flag that concerns no linker and no library."""
    with tempfile.TemporaryDirectory(prefix="pincer-") as name:
        return run((*compiler, flag, "-E", "-x", "c", os.devnull), Path(name), COMPILE_TIMEOUT).status == 0


@cache
def can_build(compiler: tuple[str, ...], flags: tuple[str, ...]) -> bool:
    """Whether a program built with these flags links and runs here."""
    with tempfile.TemporaryDirectory(prefix="pincer-") as name:
        directory = Path(name)
        (directory / "probe.c").write_text("int main(void) { return 0; }\n", encoding="utf-8")
        built = run((*compiler, *flags, "-o", "probe", "probe.c"), directory, COMPILE_TIMEOUT)
        return built.status == 0 and run(("./probe",), directory, 10.0).status == 0
