"""A loaded MSVL program: what was written, and the smaller language that the interpreter runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pincer.frontends.gcl.source import Source
from pincer.frontends.msvl import syntax
from pincer.frontends.msvl.blanking import PropertyBlock
from pincer.frontends.msvl.syntax import Statement
from pincer.frontends.msvl.types import Layouts, Type

RESULT = "RValue"
"""The formal parameter that carries the result of a function."""


@dataclass(frozen=True, slots=True)
class Formal:
    """A formal parameter; arrays have become pointers."""

    name: str
    type: Type


@dataclass(frozen=True, slots=True)
class Function:
    """`formals` leaves the result out; `own` are all names that the body can mean by itself."""

    name: str
    formals: tuple[Formal, ...]
    result: Type | None
    body: Statement
    own: frozenset[str]
    at: int


@dataclass(frozen=True, slots=True)
class Program:
    """`written` is the tree of the text; `core` is what runs: definitions recorded, calls hoisted, `and` flat.

    `address_taken` are the names through which memory may change without being named: arrays and operands of `&`.
    """

    source: Source
    written: Statement
    core: Statement
    functions: Mapping[str, Function]
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
            case syntax.If(condition) | syntax.While(condition) | syntax.Halt(condition) | syntax.Choice(condition):
                yield condition.at
            case syntax.Or(parts):
                yield from (part.at for part in parts[1:])
