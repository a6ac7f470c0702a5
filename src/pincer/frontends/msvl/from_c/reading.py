"""A C file read by the C front end: its trees, its declarations, the functions that `main` reaches."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from msgspec import Struct
from pycparser import c_ast

from pincer.errors import Position, UnsupportedError
from pincer.frontends.c.load import read as read_program
from pincer.frontends.c.semantics.context import Definition, TypedProgram
from pincer.frontends.c.semantics.usage import Usage
from pincer.program.graphs import reachable

ENTRY = "main"
_TRANSLATED = (
    "abort __VERIFIER_error reach_error __assert_fail exit _Exit _exit quick_exit __pincer_assert __VERIFIER_assume "
    "printf puts putchar scanf __isoc99_scanf"
)
_PRINTING = "__pincer_put_"
TRANSLATED = frozenset(_TRANSLATED.split())
"""The functions whose calls have a translation of their own."""


class ReadExpression(Struct, frozen=True):
    """`functions` are those to be translated, in the order of the text."""

    program: TypedProgram
    functions: tuple[Definition, ...]

    def names_and_tags(self) -> tuple[frozenset[str], frozenset[str]]:
        """Everything that is declared anywhere by name, and all tags of structures."""
        names, tags = set(self.program.scope.names), set()
        pending: list[Any] = list(self.program.trees)
        while pending:
            node = pending.pop()
            if isinstance(node, c_ast.Decl) and node.name is not None:
                names.add(node.name)
            elif isinstance(node, c_ast.Struct) and node.name is not None:
                tags.add(node.name)
            pending.extend(node)
        return frozenset(names), frozenset(tags)


def read(path: Path) -> ReadExpression:
    """The file's declarations, and those of the library functions that it needs."""
    program = read_program(path)
    for what, position in program.unsupported:
        raise UnsupportedError(f"{what}: this has no exact translation to MSVL", position)
    for name in program.usage.around_entry():
        message = f"{name} runs without being called: this has no exact translation to MSVL"
        raise UnsupportedError(message, Position(program.file, 1, 1))
    translated = {name for name in program.library if name in TRANSLATED or name.startswith(_PRINTING)}
    reached = _reached(program.usage, frozenset(translated))
    return ReadExpression(program, tuple(one for name, one in program.definitions.items() if name in reached))


def _reached(usage: Usage, translated: frozenset[str]) -> frozenset[str]:
    """The functions that direct calls reach from the entry; those that have a translation need no body."""
    known = usage.functions.keys() - translated
    return frozenset(reachable({ENTRY} & known, lambda name: usage.functions[name].calls & known))
