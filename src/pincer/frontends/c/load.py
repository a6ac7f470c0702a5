"""From a C file to a control-flow program."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from msgspec.structs import replace

from pincer.errors import PincerError, Position
from pincer.frontends.c.library.bodies import ASSUMED, library_functions, library_source
from pincer.frontends.c.library.functions import FUNCTIONS, RESULTS
from pincer.frontends.c.lowering.hooks import Hook
from pincer.frontends.c.lowering.program import handlers, lower_program
from pincer.frontends.c.semantics.analysis import Library, typed_program
from pincer.frontends.c.semantics.context import TypedProgram
from pincer.frontends.c.semantics.types import Target
from pincer.frontends.c.semantics.usage import Usage, analyse, settle
from pincer.frontends.c.syntax.parse import parse
from pincer.program.c_file import CFile
from pincer.program.control_flow import ControlFlowProgram
from pincer.program.property import DataModel

_RECURSION_LIMIT = 50_000


def load(
    file: Path | CFile,
    *,
    data_model: DataModel = "LP64",
    entry: str = "main",
    hooks: Mapping[str, Hook] | None = None,
    extra: str = "",
) -> ControlFlowProgram:
    """Read, parse and lower a file. `extra` is C text added to the program, such as the handlers that `hooks` name.

    Functions of the C library that the program calls and does not define come along with their bodies.
    """
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, _RECURSION_LIMIT))
    try:
        program = read(file, data_model=data_model, entry=entry, hooks=hooks, extra=extra)
        return lower_program(program, FUNCTIONS, ASSUMED, entry, hooks or {})
    except RecursionError:
        message = "statements or expressions are nested too deeply; split them up"
        raise PincerError(message, Position(_named(file).path, 1, 1)) from None
    finally:
        sys.setrecursionlimit(limit)


def _named(file: Path | CFile) -> CFile:
    return file if isinstance(file, CFile) else CFile(str(file))


def read(
    file: Path | CFile,
    *,
    data_model: DataModel = "LP64",
    entry: str = "main",
    hooks: Mapping[str, Hook] | None = None,
    extra: str = "",
) -> TypedProgram:
    """Read and parse a file, and give types to its declarations; arguments as for `load`."""
    bits: Literal[32, 64] = 64 if data_model == "LP64" else 32
    named = _named(file)
    unit, usage = parse(Path(named.path), layout_bits=bits, extra=extra, flags=named.flags), Usage()
    analyse(unit.ast, usage)
    needed = frozenset(name.removeprefix("__builtin_") for name in usage.missing()) - usage.functions.keys()
    library = Library(needed & library_functions())
    if library.functions:
        text = library_source(library.functions)
        library = replace(library, trees=(parse(Path("<library>"), text=text, layout_bits=bits).ast,))
        analyse(library.trees[0], usage)
    if entry not in usage.functions:
        message = f"there is no function `{entry}` with a body; name another one with --entry"
        raise PincerError(message, Position(unit.file, 1, 1))
    around = handlers(hooks or {})
    settle(usage, [entry, *(name for names in around.values() for name in names)], around)
    return typed_program(unit, library, Target(data_model), usage, RESULTS)
