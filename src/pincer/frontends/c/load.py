"""From a C file to a control-flow program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

from pincer.frontends.c.hooks import Hook
from pincer.frontends.c.lowering import lower_unit
from pincer.frontends.c.parse import parse
from pincer.frontends.c.types import DataModel
from pincer.program.control_flow import ControlFlowProgram


def load(
    path: Path,
    *,
    data_model: DataModel = "LP64",
    entry: str = "main",
    hooks: Mapping[str, Hook] | None = None,
    extra: str = "",
    include: Sequence[Path] = (),
) -> ControlFlowProgram:
    """Read, parse and lower a file. `extra` is C text added to the program, such as the handlers that `hooks` name."""
    bits: Literal[32, 64] = 64 if data_model == "LP64" else 32
    unit = parse(path, layout_bits=bits, extra=extra, include=include)
    return lower_unit(unit.ast, unit.file, unit.noreturn, data_model, entry, hooks or {}, encoding=unit.encoding)
