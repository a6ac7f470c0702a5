"""C programs of several files, lowered and compiled, for tests that hold one against the other."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path

from pincer.frontends.c.load import load, read
from pincer.frontends.c.semantics.context import TypedProgram
from pincer.program.c_file import CFile
from pincer.program.control_flow import ControlFlowProgram
from tests.execution.interpreted import interpret

_SHOW = """
extern long long result; int printf(const char *, ...);
__attribute__((destructor)) static void show(void) { printf("%lld", result); }
"""


def files_in(folder: Path, texts: Mapping[str, str]) -> list[CFile]:
    """The C files among texts that are written to a folder, the others being headers."""
    for name, text in texts.items():
        (folder / name).write_text(text)
    return [CFile(str(folder / name)) for name in texts if name.endswith(".c")]


def linked(folder: Path, texts: Mapping[str, str]) -> ControlFlowProgram:
    return load(files_in(folder, texts))


def typed(folder: Path, texts: Mapping[str, str]) -> TypedProgram:
    return read(files_in(folder, texts))


def assert_same_result(folder: Path, texts: Mapping[str, str]) -> None:
    """The interpreter computes the `result` that code does which gcc compiled and linked."""
    files = [file.path for file in files_in(folder, texts)]
    show, binary = folder / "show-result", folder / "binary"
    show.write_text(_SHOW)
    command = ["gcc", "-w", "-fcommon", "-o", str(binary), *files, "-x", "c", str(show)]
    subprocess.run(command, check=True, timeout=60)
    done = subprocess.run([str(binary)], capture_output=True, text=True, timeout=60)
    outcome = interpret(linked(folder, texts))
    assert outcome.stop.kind == "halt", outcome.stop.message
    value = outcome.global_value("result")
    assert value is not None
    assert (value ^ 1 << 63) - (1 << 63) == int(done.stdout)
