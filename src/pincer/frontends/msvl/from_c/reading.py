"""A C file read by the C front end: its trees, its declarations, the functions that `main` reaches."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pycparser import c_ast

from pincer.errors import PincerError, Position, UnsupportedError
from pincer.frontends.c.library import (  # noqa: F401  (they register functions)
    allocation,
    atomics,
    blocks,
    builtins,
    library_functions,
    library_source,
    machine,
)
from pincer.frontends.c.lowering.globals import declare_all
from pincer.frontends.c.lowering.initialisers import static_contents
from pincer.frontends.c.lowering.unit import Addresses, Definition, Unit
from pincer.frontends.c.semantics.types import Target
from pincer.frontends.c.semantics.usage import Usage, analyse, settle
from pincer.frontends.c.syntax.parse import parse
from pincer.program.control_flow import Layout
from pincer.program.graphs import reachable

ENTRY = "main"
_SLOT_BITS = 40
_STATIC_BITS = 20


@dataclass(frozen=True)
class Read:
    """`functions` are those to be translated, in the order of the text."""

    unit: Unit
    trees: tuple[c_ast.FileAST, ...]
    functions: tuple[Definition, ...]

    def names_and_tags(self) -> tuple[frozenset[str], frozenset[str]]:
        """Everything that is declared anywhere by name, and all tags of structures."""
        names, tags = set(self.unit.scope.names), set()
        pending: list[Any] = list(self.trees)
        while pending:
            node = pending.pop()
            if isinstance(node, c_ast.Decl) and node.name is not None:
                names.add(node.name)
            elif isinstance(node, c_ast.Struct) and node.name is not None:
                tags.add(node.name)
            pending.extend(node)
        return frozenset(names), frozenset(tags)


def read(path: Path) -> Read:
    """Parse the file and enter its declarations; library functions that it needs come along with their bodies."""
    parsed = parse(path)
    usage = Usage()
    analyse(parsed.ast, usage)
    trees = [parsed.ast]
    library = (usage.missing() - usage.functions.keys()) & library_functions()
    if library:
        trees.append(parse(Path("<library>"), text=library_source(library)).ast)
        analyse(trees[1], usage)
    if ENTRY not in usage.functions:
        message = "there is no function `main` with a body; the translation begins there"
        raise PincerError(message, Position(str(path), 1, 1))
    settle(usage, [ENTRY], {})
    unit = _unit(str(path), usage, parsed.noreturn)
    unit.library, unit.encoding = library, parsed.encoding
    for tree in trees:
        declare_all(unit, tree)
    for what, position in unit.unsupported:
        raise UnsupportedError(f"{what}: this has no exact translation to MSVL", position)
    reached = _reached(usage)
    return Read(unit, tuple(trees), tuple(one for name, one in unit.definitions.items() if name in reached))


def _unit(file: str, usage: Usage, noreturn: frozenset[str]) -> Unit:
    target = Target("LP64")
    layout = Layout("LP64", target.pointer_bits, _SLOT_BITS)
    read_only = usage.strings + len(usage.variables)
    addresses = Addresses(layout, read_only, _STATIC_BITS)
    return Unit(file, target, layout, addresses, usage, noreturn, {}, static_contents)


def _reached(usage: Usage) -> frozenset[str]:
    """The functions that direct calls reach from the entry."""
    known = usage.functions
    return frozenset(reachable({ENTRY} & known.keys(), lambda name: known[name].calls & known.keys()))
