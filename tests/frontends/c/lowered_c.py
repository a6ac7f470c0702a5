"""C text lowered, and run by the interpreter, for the tests beside this module."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from pincer.frontends.c.load import load
from pincer.frontends.c.lowering.hooks import Hook
from pincer.program.control_flow import ControlFlowProgram
from pincer.program.property import DataModel
from tests.execution.interpreted import Outcome, interpret

LabelKind = TypeVar("LabelKind")


def lowered(
    folder: Path,
    text: str,
    data_model: DataModel = "LP64",
    entry: str = "main",
    hooks: Mapping[str, Hook] | None = None,
) -> ControlFlowProgram:
    """The program of a file with this text."""
    file = folder / "program.c"
    file.write_text(text)
    return load(file, data_model=data_model, entry=entry, hooks=hooks)


def labels(program: ControlFlowProgram, kind: type[LabelKind], procedure: str | None = None) -> list[LabelKind]:
    """The labels of one kind, of one procedure or of all."""
    edges = program.edges() if procedure is None else program.procedures[procedure].edges
    return [edge.label for edge in edges if isinstance(edge.label, kind)]


def outcome(folder: Path, text: str, **options: Any) -> Outcome:
    """How the program ends."""
    return interpret(lowered(folder, text, **options))


def result_of(folder: Path, text: str, **options: Any) -> int:
    """The global variable `result`, a signed 64-bit number, when the program has ended."""
    value = outcome(folder, text, **options).global_value("result")
    return value - (1 << 64) if value >> 63 else value
