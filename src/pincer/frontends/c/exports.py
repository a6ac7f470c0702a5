"""What a file of C offers to other files, and what it needs of them, as a linker sees it."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct
from pycparser import c_ast

from pincer.frontends.c.semantics.internal_names import internal_names
from pincer.frontends.c.semantics.usage import Usage, analyse
from pincer.frontends.c.syntax.parse import parse
from pincer.program.c_file import CFile
from pincer.program.property import DataModel


class Exports(Struct, frozen=True):
    """`functions` are all that have a body, `defined` the names that other files may use, `needed` those that must come
    from elsewhere, be it the C library."""

    functions: frozenset[str] = frozenset()
    defined: frozenset[str] = frozenset()
    needed: frozenset[str] = frozenset()


def exports(file: CFile, data_model: DataModel = "LP64") -> Exports:
    """Read a file; what is no C is a `PincerError`."""
    unit = parse(Path(file.path), layout_bits=64 if data_model == "LP64" else 32, flags=file.flags)
    usage = Usage()
    analyse(unit.ast, usage)
    functions = frozenset(usage.functions)
    variables = frozenset(
        item.name
        for item in unit.ast.ext
        if isinstance(item, c_ast.Decl) and item.name is not None and _defines_variable(item)
    )
    own = internal_names(unit.ast)
    return Exports(functions, (functions | variables) - own, usage.missing() - variables - own)


def _defines_variable(node: c_ast.Decl) -> bool:
    if isinstance(node.type, c_ast.FuncDecl):
        return False
    return "extern" not in node.storage or node.init is not None
