"""What is known of a program while its trees are given types: declarations, positions, and the scope we are in."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeAlias, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace
from pycparser import c_ast

from pincer.errors import PincerError, Position
from pincer.frontends.c.semantics.symbols import Enumerator, FileScope, FunctionName, Scope, Variable
from pincer.frontends.c.semantics.tree import Body, Expression, Initialiser
from pincer.frontends.c.semantics.types import CType, Function, Integer, Length, Record, Target
from pincer.frontends.c.semantics.usage import Usage
from pincer.program.property import Concern

STATIC = "$static"
"""Stands for the name of a function outside of all functions."""


class Definition(Struct, frozen=True):
    """A function with a body: the names of its parameters belong to their types in order."""

    name: str
    type: Function
    node: c_ast.FuncDef
    parameters: tuple[c_ast.Decl, ...]
    scope: FileScope


class Use(Struct, frozen=True):
    """A call of a function that is known without a body: its name, declared result (if any), and types of arguments."""

    name: str
    declared: CType | None
    target: Target
    arguments: Sequence[CType]


Rule: TypeAlias = CType | Callable[[Use], CType]
"""The type of a call, or how it is found."""

Found = TypeVar("Found")


def by_name(table: Mapping[str, Found], name: str) -> Found | None:
    """What a table has for a name; an entry that ends in `_*` stands for all names that begin so."""
    end = name.rfind("_")
    while name not in table and end >= 0 and f"{name[: end + 1]}*" not in table:
        end = name.rfind("_", 0, end)
    return table.get(name) or table.get(f"{name[: end + 1]}*")


class TypedProgram(Struct, eq=False):
    """A program whose declarations have been read. The bodies of functions get their types when they are asked for.

    `scope` is that of the first file, `linked` and `functions` are what has linkage in any of them; `spellings` says
    what names were before they were told apart, `wrapped` for which ones the linker takes others, `conflicting` which
    functions files declare in ways that contradict the definition. `records` and `enumerations` belong to the nodes
    that define them, by identity. `enumerators` are the names of values by the names of their types, empty where
    enumerations of one name call a value differently. `constants` are the values of constant variables. `unsupported`
    names what the declarations have that is not modelled, `concerns` what a compiler cannot see in one file.
    `undeclared` are the functions that are called without a declaration, with the place of the first such call; `lent`
    those that in the first file only the library declares, `foreign` those that only have the name of one of the
    library's.
    """

    file: str
    target: Target
    usage: Usage
    trees: tuple[c_ast.FileAST, ...]
    handlers: Mapping[type, Handler]
    results: Mapping[str, Rule]
    noreturn: frozenset[str] = frozenset()
    library: frozenset[str] = frozenset()
    weak: set[str] = set()
    unknown: set[str] = set()
    scope: FileScope = field(default_factory=FileScope)
    linked: dict[str, Variable] = {}
    functions: dict[str, FunctionName] = {}
    spellings: dict[str, str] = {}
    wrapped: tuple[str, ...] = ()
    conflicting: set[str] = set()
    concerns: list[Concern] = []
    definitions: dict[str, Definition] = {}
    records: dict[int, Record] = {}
    enumerations: dict[int, tuple[Integer, dict[str, Enumerator]]] = {}
    enumerators: dict[str, dict[int, str]] = {}
    record_nodes: dict[int, c_ast.Node] = {}
    unsupported: list[tuple[str, Position]] = []
    constants: dict[Variable, int] = {}
    initialisers: dict[Variable, Initialiser] = {}
    bodies: dict[str, Body] = {}
    static_names: set[str] = set()
    undeclared: dict[str, Position] = {}
    lent: frozenset[str] = frozenset()
    foreign: frozenset[str] = frozenset()
    malloc_may_fail: bool = False
    externals_write: bool = False
    _positions: dict[tuple[str, int, int], Position] = {}

    def is_pointed_to(self, variable: Variable) -> bool:
        """Whether the address of a variable is used anywhere."""
        key = variable.name if variable.owner is None and variable.name in self.linked else id(variable.node)
        return key in self.usage.taken or id(variable.node) in self.usage.taken

    @property
    def encoding(self) -> str:
        """That of the first file."""
        return self.scope.encoding

    def position(self, node: c_ast.Node | None) -> Position:
        coord = getattr(node, "coord", None)
        if coord is None:
            return Position(self.file, 1, 1)
        key = (coord.file, coord.line, coord.column or 1)
        found = self._positions.get(key)
        if found is None:
            found = self._positions[key] = Position(*key)
        return found

    def error(self, message: str, node: c_ast.Node | None) -> PincerError:
        return PincerError(message, self.position(node))

    def may_be_missing(self, name: str) -> bool:
        """Whether a function or variable of this name is weak and no part of this file: its address may be null."""
        return name in self.weak and name not in self.definitions and name not in self.library


class Jumps(Struct):
    """The labels of a function, the jumps to them, those whose address is used, and what `break`, `continue` and
    `case` belong to."""

    function: str = ""
    placed: dict[str, c_ast.Label] = {}
    gotos: dict[str, c_ast.Node] = {}
    addressed: dict[str, None] = {}
    own: int = 0
    loops: int = 0
    switches: list[Integer] = []
    breakable: int = 0


class Context(Struct):
    """Where we are: in a function (or outside, `STATIC`), in a scope. `lengths` collects those that types compute.

    With `prototype`, types are only declared: lengths of arrays need not be known.
    """

    program: TypedProgram
    scope: Scope
    function: str = STATIC
    result: Function | None = None
    prototype: bool = False
    jumps: Jumps = field(default_factory=Jumps)
    lengths: list[Length] = []

    @property
    def target(self) -> Target:
        return self.program.target

    @property
    def file(self) -> FileScope:
        """The scope of the file that we are in."""
        scope: Scope = self.scope
        while scope.outer is not None:
            scope = scope.outer
        assert isinstance(scope, FileScope)
        return scope

    @property
    def static(self) -> bool:
        return self.function == STATIC

    def error(self, message: str, node: c_ast.Node | None) -> PincerError:
        return self.program.error(message, node)

    @contextmanager
    def block(self) -> Iterator[None]:
        """Declarations inside are forgotten afterwards."""
        outer = self.scope
        self.scope = Scope(outer)
        try:
            yield
        finally:
            self.scope = outer

    @contextmanager
    def measuring(self) -> Iterator[list[Length]]:
        """Lengths that are computed inside go into the list instead."""
        outer, self.lengths = self.lengths, []
        try:
            yield self.lengths
        finally:
            self.lengths = outer

    def declaring(self) -> Context:
        """The same place for a prototype."""
        return replace(self, prototype=True, lengths=[])


Handler: TypeAlias = Callable[[Context, Any], Expression]


def file_context(program: TypedProgram, scope: FileScope | None = None) -> Context:
    """Outside of all functions: in a file, the first one unless another is given."""
    return Context(program, program.scope if scope is None else scope)
