"""From a C file to a control-flow program."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

from msgspec.structs import replace
from pycparser import c_ast

from pincer.errors import PincerError, Position
from pincer.frontends.c.library.bodies import (
    ASSUMED,
    FORMATS,
    PRINTERS,
    leaner_bodies,
    library_functions,
    library_parts,
    library_source,
)
from pincer.frontends.c.library.exchanged_pointers import with_exchanges_judged
from pincer.frontends.c.library.functions import FUNCTIONS, RESULTS
from pincer.frontends.c.library.memory_orders import with_orders_judged
from pincer.frontends.c.library.threads import without_idle_assumption
from pincer.frontends.c.library_names import of_other_meaning
from pincer.frontends.c.lowering.hooks import Hook
from pincer.frontends.c.lowering.program import handlers, lower_program, means
from pincer.frontends.c.lowering.unit import Observers
from pincer.frontends.c.semantics.analysis import Library, typed_program
from pincer.frontends.c.semantics.context import TypedProgram
from pincer.frontends.c.semantics.inline_copies import without_inline_copies
from pincer.frontends.c.semantics.internal_names import separate
from pincer.frontends.c.semantics.symbols import plain_name
from pincer.frontends.c.semantics.types import Target
from pincer.frontends.c.semantics.usage import EXIT_HANDLERS, Usage, analyse, settle
from pincer.frontends.c.semantics.wrapped_names import wrap
from pincer.frontends.c.syntax.parse import parse
from pincer.program.c_file import CFile
from pincer.program.control_flow import ControlFlowProgram
from pincer.program.property import DataModel

_RECURSION_LIMIT = 50_000


def load(
    files: Path | CFile | Sequence[CFile],
    *,
    data_model: DataModel = "LP64",
    entry: str = "main",
    hooks: Mapping[str, Hook] | None = None,
    extra: str = "",
    observers: Observers | None = None,
) -> ControlFlowProgram:
    """Read, parse and lower a file, or the files of one program.

    `extra` is C text added to the first file, such as the handlers that `hooks` name, or the functions that look at the
    states a formula speaks about, which `observers` names.

    Functions of the C library that the program calls and does not define come along with their bodies.
    """
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, _RECURSION_LIMIT))
    try:
        roots = (entry, *sorted(observers.functions if observers else ()))
        program = read(files, data_model=data_model, roots=roots, hooks=hooks, extra=extra)
        program.malloc_may_fail = any(file.flags.malloc_may_fail for file in _named(files))
        program.externals_write = any(file.flags.externals == "havoc" for file in _named(files))
        lowered = lower_program(program, means(FUNCTIONS, ASSUMED), entry, hooks or {}, observers)
        return with_exchanges_judged(with_orders_judged(without_idle_assumption(lowered)))
    except RecursionError:
        message = "statements or expressions are nested too deeply; split them up"
        raise PincerError(message, Position(_named(files)[0].path, 1, 1)) from None
    finally:
        sys.setrecursionlimit(limit)


def _named(files: Path | CFile | Sequence[CFile]) -> Sequence[CFile]:
    if isinstance(files, Path):
        return [CFile(str(files))]
    return [files] if isinstance(files, CFile) else files


def _own_objects(trees: Sequence[c_ast.FileAST]) -> frozenset[str]:
    """The variables that files define themselves."""
    declared = (item for tree in trees for item in tree.ext if isinstance(item, c_ast.Decl) and item.name is not None)
    objects = (item for item in declared if not isinstance(item.type, c_ast.FuncDecl))
    return frozenset(item.name for item in objects if "extern" not in item.storage or item.init is not None)


def _is_known(name: str) -> bool:
    return name in FUNCTIONS or name in library_functions()


def read(
    files: Path | CFile | Sequence[CFile],
    *,
    data_model: DataModel = "LP64",
    roots: Sequence[str] = ("main",),
    hooks: Mapping[str, Hook] | None = None,
    extra: str = "",
) -> TypedProgram:
    """Read and parse files, and give types to their declarations; arguments as for `load`. The entry is the first of
    the functions that are wanted."""
    bits: Literal[32, 64] = 64 if data_model == "LP64" else 32
    first, *others = _named(files)
    units = [parse(Path(first.path), layout_bits=bits, extra=first.added + extra, flags=first.flags)]
    units += [parse(Path(other.path), layout_bits=bits, flags=other.flags) for other in others]
    spellings = separate([(unit.file, unit.ast) for unit in units]) if others else {}
    wrapped = wrap([unit.ast for unit in units])
    usage = Usage()
    for unit in units:
        without_inline_copies(unit.ast, _is_known)
        analyse(unit.ast, usage)
    own = [*usage.functions]
    foreign = of_other_meaning([unit.ast for unit in units], _is_known)
    needed = frozenset(map(plain_name, usage.missing())) - usage.functions.keys() - foreign
    waits = frozenset({"atexit", EXIT_HANDLERS} if usage.waits_for_end else ()) - usage.functions.keys()
    library = Library(library_parts(needed - _own_objects([unit.ast for unit in units]), usage.literals) | waits)
    usage.lean(FORMATS, library.functions.intersection(PRINTERS))
    if library.functions:
        text = library_source(library.functions)
        library = replace(library, trees=(parse(Path("<library>"), text=text, layout_bits=bits).ast,))
        analyse(library.trees[0], usage)
    entry = roots[0]
    if entry not in usage.functions:
        hint = f"start in another one, for example with --entry {own[0]}" if own else "there is none at all"
        raise PincerError(f"there is no function `{entry}` with a body; {hint}", Position(first.path, 1, 1))
    around = handlers(hooks or {})
    leaner = leaner_bodies(library.functions)
    settle(usage, [*roots, *leaner, *(name for names in around.values() for name in names)], around)
    program = typed_program(units, library, Target(data_model), usage, RESULTS)
    program.spellings, program.wrapped, program.foreign = spellings, wrapped, foreign
    program.static_names.update(spellings)
    return program
