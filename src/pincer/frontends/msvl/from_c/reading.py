"""A C file read by the C front end: its trees, its declarations, the functions that `main` reaches."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pycparser import c_ast

from pincer.errors import PincerError, Position, UnsupportedError
from pincer.frontends.c.library.bodies import library_functions, library_source
from pincer.frontends.c.semantics.analysis import typed_program
from pincer.frontends.c.semantics.context import Definition, TypedProgram
from pincer.frontends.c.semantics.types import Target
from pincer.frontends.c.semantics.usage import Usage, analyse, settle
from pincer.frontends.c.syntax.parse import parse
from pincer.program.graphs import reachable

ENTRY = "main"


@dataclass(frozen=True)
class Read:
    """`functions` are those to be translated, in the order of the text."""

    program: TypedProgram
    trees: tuple[c_ast.FileAST, ...]
    functions: tuple[Definition, ...]

    def names_and_tags(self) -> tuple[frozenset[str], frozenset[str]]:
        """Everything that is declared anywhere by name, and all tags of structures."""
        names, tags = set(self.program.scope.names), set()
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
    program = typed_program(trees, parsed, Target("LP64"), usage, library)
    for what, position in program.unsupported:
        raise UnsupportedError(f"{what}: this has no exact translation to MSVL", position)
    reached = _reached(usage)
    return Read(program, tuple(trees), tuple(one for name, one in program.definitions.items() if name in reached))


def _reached(usage: Usage) -> frozenset[str]:
    """The functions that direct calls reach from the entry."""
    known = usage.functions
    return frozenset(reachable({ENTRY} & known.keys(), lambda name: known[name].calls & known.keys()))
