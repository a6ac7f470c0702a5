"""A loaded MSVL program: what was written, the smaller language that the interpreter runs, and its C library."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from pincer.frontends.msvl import syntax
from pincer.frontends.msvl.syntax import Statement
from pincer.frontends.msvl.types import Layouts, Type
from pincer.frontends.source import SourceText

RESULT = "RValue"
"""The formal parameter that carries the result of a function."""


class Formal(Struct, frozen=True):
    """A formal parameter; arrays have become pointers."""

    name: str
    type: Type


class MsvlFunction(Struct, frozen=True):
    """`formals` leaves the result out; `own` are all names that the body can mean by itself."""

    name: str
    formals: tuple[Formal, ...]
    result: Type | None
    body: Statement
    own: frozenset[str]
    at: int


class PropertyBlock(Struct, frozen=True):
    """The text between `</` and `/>`, comments blanked, and the offset at which it begins."""

    text: str
    at: int


class Program(Struct, frozen=True):
    """`written` is the tree of the text; `core` is what runs: definitions recorded, calls hoisted, `and` flat.

    `address_taken` are the names through which memory may change without being named: arrays and operands of `&`.
    """

    source: SourceText
    written: Statement
    core: Statement
    functions: Mapping[str, MsvlFunction]
    structs: Mapping[str, syntax.StructDefinition]
    layouts: Layouts
    properties: tuple[PropertyBlock, ...]
    address_taken: frozenset[str]
    warnings: tuple[str, ...]


def branch_sites(program: Program) -> frozenset[int]:
    """The offsets of all conditions that choose between two ways on: each has two sides to cover."""
    bodies = (program.core, *(function.body for function in program.functions.values()))
    return frozenset(site for body in bodies for site in _sites(body))


def _sites(body: Statement) -> Iterator[int]:
    for node in syntax.descendants(body):
        match node:
            case (
                syntax.If(condition)
                | syntax.While(condition)
                | syntax.HaltStatement(condition)
                | syntax.Choice(condition)
            ):
                yield condition.at
            case syntax.Or(parts):
                yield from (part.at for part in parts[1:])


class Signature(Struct, frozen=True):
    """A C library function that programs may call: how many arguments it takes (None: any number more), whether it
    writes memory."""

    least: int
    most: int | None
    writes: bool = False


LIBRARY = {
    "printf": Signature(1, None),
    "puts": Signature(1, 1),
    "putchar": Signature(1, 1),
    "strlen": Signature(1, 1),
    "strcmp": Signature(2, 2),
    "strcpy": Signature(2, 2, writes=True),
    "malloc": Signature(1, 1),
    "free": Signature(1, 1, writes=True),
    "abs": Signature(1, 1),
    "labs": Signature(1, 1),
    "fabs": Signature(1, 1),
    "sqrt": Signature(1, 1),
}
