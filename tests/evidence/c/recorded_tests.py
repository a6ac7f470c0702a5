"""Hand-made tests of small C programs, for the tests of confirmation, suites and witnesses."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from pincer.errors import Position
from pincer.evidence.c.compiler import find_compiler
from pincer.evidence.c.execution import confirm
from pincer.evidence.c.trace import CStep, CTest, Failure, InputKind, InputValue
from pincer.program.property import DataModel, PropertyKind

_FAILING = re.compile(r"\b(?:reach_error|assert)\(|\bERROR:")
NONDET = "extern int __VERIFIER_nondet_int(void);\n"
needs_compiler = pytest.mark.skipif(find_compiler() is None, reason="there is no C compiler on the PATH")


def value(source: str, number: int, kind: InputKind = "nondet", line: int = 1, width: int = 32) -> InputValue:
    """An input; negative numbers are given as such."""
    return InputValue(source, kind, width, number % (1 << width), Position("program.c", line, 1))


def integer(number: int, line: int = 1) -> InputValue:
    return value("__VERIFIER_nondet_int", number, line=line)


def recorded(
    *inputs: InputValue,
    kind: PropertyKind = "assertions",
    line: int = 0,
    entry: str = "main",
    data_model: DataModel = "LP64",
    steps: tuple[CStep, ...] = (),
) -> CTest:
    """A test that claims a violation at a line of program.c; without one, where its text fails (see `failing`)."""
    failure = Failure(Position("program.c", line, 1), "claimed by the test")
    return CTest("program.c", kind, kind, inputs, steps, failure, data_model, entry)


def failing(test: CTest, text: str) -> CTest:
    """A test with the last line of a text that calls something that fails, if it claims no line."""
    if test.failure.position.line:
        return test
    lines = [number for number, line in enumerate(text.splitlines(), 1) if _FAILING.search(line)]
    position = Position("program.c", lines[-1] if lines else 1, 1)
    return replace(test, failure=replace(test.failure, position=position))


def written(folder: Path, text: str) -> Path:
    """The program as a file, its first line being line 1."""
    path = folder / "program.c"
    path.write_text(text, encoding="utf-8")
    return path


def status_and_detail(folder: Path, text: str, test: CTest, timeout: float = 10) -> tuple[str, str]:
    """What running a test of a program says about its claim."""
    answer = confirm(failing(test, text), written(folder, text), timeout=timeout)
    return answer.status, answer.detail
