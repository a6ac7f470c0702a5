"""Names of a translation unit and what they stand for, scope by scope."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct
from pycparser import c_ast

from pincer.frontends.c.semantics.types import CType, Function, Integer, Record


class Variable(Struct, eq=False):
    """An object with a name.

    `owner` is the procedure of an automatic variable, None for static storage. `defined` is false while only `extern`
    declarations have been seen. `extent` is the size of an object that is larger than its type: a structure whose
    flexible array member is initialised. `scope` is the file of one with linkage, `linked`
    the variable of another file that it is about.
    """

    name: str
    type: CType
    node: c_ast.Node
    owner: str | None
    const: bool = False
    init: c_ast.Node | None = None
    defined: bool = True
    extent: int | None = None
    volatile: bool = False
    scope: FileScope | None = None
    linked: Variable | None = None

    @property
    def object(self) -> Variable:
        """The variable of the whole program that this one of a file is."""
        return self if self.linked is None else self.linked


_PREFIXES = ("__builtin_", "__isoc99_", "__isoc23_", "__xpg_", "__GI_")
"""What compilers and the GNU C library's headers put before the names of functions."""


def plain_name(name: str) -> str:
    """The name that the C standard or POSIX has for a function."""
    return next((name.removeprefix(prefix) for prefix in _PREFIXES if name.startswith(prefix)), name)


class FunctionName(Struct, frozen=True):
    """A function, defined or only declared."""

    name: str
    type: Function


class Enumerator(Struct, frozen=True):
    """An enumeration constant."""

    value: int
    type: Integer


class TypeName(Struct, frozen=True):
    """A typedef name; `const` where the type itself is constant, `alignment` where an attribute gives it another."""

    type: CType
    const: bool
    alignment: int = 0


Symbol: TypeAlias = Variable | FunctionName | Enumerator | TypeName


class Scope(Struct):
    """A block of declarations inside another; tags of records and enumerations have their own names.

    `labels` gives the labels that belong to the block names that are unique in the function.
    """

    outer: Scope | None = None
    names: dict[str, Symbol] = {}
    tags: dict[str, Record | Integer] = {}
    labels: dict[str, str] = {}

    def find(self, name: str) -> Symbol | None:
        scope: Scope | None = self
        while scope is not None:
            found = scope.names.get(name)
            if found is not None:
                return found
            scope = scope.outer
        return None

    def label(self, name: str) -> str:
        """The name of a label that no other label of the function has."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.labels:
                return scope.labels[name]
            scope = scope.outer
        return name

    def find_tag(self, tag: str) -> Record | Integer | None:
        scope: Scope | None = self
        while scope is not None:
            found = scope.tags.get(tag)
            if found is not None:
                return found
            scope = scope.outer
        return None


class FileScope(Scope, eq=False):
    """What a file declares outside of functions; characters of its string literals have the bytes they have there."""

    encoding: str = "utf-8"
    first_declared: dict[str, c_ast.Node] = {}
