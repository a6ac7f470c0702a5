"""Names with internal linkage in programs of several files: where another file has the name, too, they get another.

`static int count` of `list.c` becomes `list.count` if another file mentions a `count`. That is done in the trees,
before anything looks at them, so that from then on a name outside of functions means the same everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import Any

from pycparser import c_ast

from pincer.frontends.c.syntax import nodes


def separate(files: Sequence[tuple[str, c_ast.FileAST]]) -> dict[str, str]:
    """Rename what clashes; the names that were made, with what they were in their files."""
    mentioned = [mentioned_names(tree) for _, tree in files]
    made: dict[str, str] = {}
    for number, (file, tree) in enumerate(files):
        others = set[str]().union(*(names for index, names in enumerate(mentioned) if index != number))
        clashing = sorted(internal_names(tree) & others)
        if clashing:
            renamed = {name: _unique(f"{PurePath(file).stem}.{name}", made) for name in clashing}
            made.update((new, old) for old, new in renamed.items())
            Renaming(renamed).file(tree)
    return made


def _unique(name: str, taken: Mapping[str, str]) -> str:
    candidate, number = name, 1
    while candidate in taken:
        number += 1
        candidate = f"{name}.{number}"
    return candidate


def internal_names(tree: c_ast.FileAST) -> set[str]:
    """The functions and variables that a file has for itself."""
    return {node.name for node in file_level(tree) if "static" in node.storage}


def file_level(tree: c_ast.FileAST) -> Iterator[c_ast.Decl]:
    """The declarations of functions and variables outside of functions."""
    for item in tree.ext:
        node = item.decl if isinstance(item, c_ast.FuncDef) else item
        if isinstance(node, c_ast.Decl) and node.name is not None:
            yield node


def mentioned_names(tree: c_ast.FileAST) -> set[str]:
    """All names that a file may mean something with linkage by."""
    found: set[str] = set()
    pending: list[c_ast.Node] = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, c_ast.ID | c_ast.Decl) and node.name is not None:
            found.add(node.name)
        pending.extend(node)
    return found


class Renaming:
    """A walk through a file that gives some of its names others, but for what hides them in blocks."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = names
        self._hidden: list[set[str]] = []

    def file(self, tree: c_ast.FileAST) -> None:
        for item in tree.ext:
            self._visit(item)

    def _visit(self, node: c_ast.Node) -> None:
        handler = _HANDLERS.get(type(node))
        if handler is None:
            self._children(node)
        else:
            handler(self, node)

    def _children(self, node: c_ast.Node) -> None:
        for child in node:
            self._visit(child)

    def _new(self, name: str | None) -> str | None:
        """What a name becomes here, None if it stays."""
        if name is None or name not in self._names or any(name in hidden for hidden in self._hidden):
            return None
        return self._names[name]

    def _hide(self, name: str | None) -> None:
        if self._hidden and name is not None:
            self._hidden[-1].add(name)

    def identifier(self, node: c_ast.ID) -> None:
        node.name = self._new(node.name) or node.name

    def declaration(self, node: c_ast.Decl) -> None:
        linked = not self._hidden or "extern" in node.storage or isinstance(node.type, c_ast.FuncDecl)
        self._attributes(node)
        if node.type is not None:
            self._visit(node.type)
        if node.bitsize is not None:
            self._visit(node.bitsize)
        if linked:
            self._declared(node)
        else:
            self._hide(node.name)
        if node.init is not None:
            self._visit(node.init)

    def _declared(self, node: c_ast.Decl) -> None:
        new = self._new(node.name)
        if new is not None:
            kind: Any = node.type
            while kind is not None and not isinstance(kind, c_ast.TypeDecl):
                kind = getattr(kind, "type", None)
            if isinstance(kind, c_ast.TypeDecl):
                kind.declname = new
            node.name = new

    def _attributes(self, node: Any) -> None:
        for attribute in getattr(node, "attributes", None) or ():
            for argument in attribute.arguments or ():
                if isinstance(argument, c_ast.Constant) and attribute.name in ("alias", "weakref"):
                    new = self._new(argument.value.strip('"'))
                    argument.value = argument.value if new is None else f'"{new}"'

    def typedef(self, node: c_ast.Typedef) -> None:
        self._visit(node.type)
        self._hide(node.name)

    def function(self, node: c_ast.FuncDef) -> None:
        self._declared(node.decl)
        self._attributes(node.decl)
        self._hidden.append(set())
        arguments = node.decl.type.args
        self._parameters([*(arguments.params if arguments is not None else ()), *(node.param_decls or ())])
        self._visit(node.decl.type.type)
        self._visit(node.body)
        self._hidden.pop()

    def parameters(self, node: c_ast.ParamList) -> None:
        self._parameters(node.params)

    def _parameters(self, parameters: Sequence[c_ast.Node]) -> None:
        for parameter in parameters:
            if isinstance(getattr(parameter, "type", None), c_ast.Node):
                self._visit(parameter.type)
            self._hide(getattr(parameter, "name", None))

    def block(self, node: c_ast.Node) -> None:
        self._hidden.append(set())
        self._children(node)
        self._hidden.pop()

    def record(self, node: c_ast.Struct | c_ast.Union) -> None:
        """Members are no names of the block, but what their lengths and widths mention may be."""
        for member in node.decls or ():
            for part in (getattr(member, "type", None), getattr(member, "bitsize", None)):
                if isinstance(part, c_ast.Node):
                    self._visit(part)

    def enumerator(self, node: c_ast.Enumerator) -> None:
        self._children(node)
        self._hide(node.name)

    def member(self, node: c_ast.StructRef) -> None:
        self._visit(node.name)

    def named_initialiser(self, node: c_ast.NamedInitializer) -> None:
        for designator in node.name:
            if isinstance(designator, c_ast.ArrayDesignator):
                self._visit(designator.expr)
        self._visit(node.expr)

    def offset(self, node: nodes.OffsetOf) -> None:
        self._visit(node.type)

    def assembly(self, node: nodes.Asm) -> None:
        for operand in [*node.outputs, *node.inputs]:
            self._visit(operand.expression)


_HANDLERS: Mapping[type, Any] = {
    c_ast.ID: Renaming.identifier,
    c_ast.Decl: Renaming.declaration,
    c_ast.Typedef: Renaming.typedef,
    c_ast.FuncDef: Renaming.function,
    c_ast.FuncDecl: Renaming.block,
    c_ast.ParamList: Renaming.parameters,
    c_ast.Compound: Renaming.block,
    c_ast.For: Renaming.block,
    c_ast.Struct: Renaming.record,
    c_ast.Union: Renaming.record,
    c_ast.Enumerator: Renaming.enumerator,
    c_ast.StructRef: Renaming.member,
    c_ast.NamedInitializer: Renaming.named_initialiser,
    nodes.OffsetOf: Renaming.offset,
    nodes.Asm: Renaming.assembly,
}
