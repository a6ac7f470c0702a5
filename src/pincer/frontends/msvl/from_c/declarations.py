"""Declarations: variables of blocks, static ones, and those of the file; each declaration of C takes one state."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from pycparser import c_ast

from pincer.frontends.c.semantics.declarations import declaration_type, specified
from pincer.frontends.c.semantics.initialisers import initialiser
from pincer.frontends.c.semantics.symbols import FunctionName, Variable
from pincer.frontends.c.semantics.types import Array, CType, Function
from pincer.frontends.msvl import syntax
from pincer.frontends.msvl.from_c.calls import assigned_call
from pincer.frontends.msvl.from_c.context import Body, Whole, new_body
from pincer.frontends.msvl.from_c.initialisers import initial, zero
from pincer.frontends.msvl.from_c.steps import Step, at_once
from pincer.frontends.msvl.from_c.types import Shape


def grouped(nodes: Iterable[c_ast.Node]) -> Iterator[list[c_ast.Node]]:
    """Neighbours that one declaration of C introduces, together; everything else alone."""
    group: list[c_ast.Node] = []
    for node in nodes:
        if group and (_origin(node) is None or _origin(node) != _origin(group[-1])):
            yield group
            group = []
        group.append(node)
    if group:
        yield group


def _origin(node: c_ast.Node) -> object:
    """The place of the specifiers, which all names of a declaration share."""
    if not isinstance(node, c_ast.Decl) or node.name is None:
        return None
    kind: Any = node.type
    while not isinstance(kind, c_ast.TypeDecl):
        kind = getattr(kind, "type", None)
        if kind is None or isinstance(kind, c_ast.FuncDecl):
            return None
    coord = kind.type.coord
    return None if coord is None else (coord.file, coord.line, coord.column)


class _Group:
    """Declarators that share a state, as long as they share their words."""

    def __init__(self, body: Body) -> None:
        self._body = body
        self._words: tuple[str, ...] | None = None
        self._declarators: list[syntax.Declarator] = []

    def add(self, shape: Shape, name: str, first: syntax.Expression | None) -> None:
        if self._words != shape.words:
            self.close()
        self._words = shape.words
        self._declarators.append(shape.declarator(name, first))

    def close(self) -> None:
        if self._declarators:
            assert self._words is not None
            declaration = syntax.Declaration(syntax.TypeName(self._words), tuple(self._declarators))
            self._body.emit(at_once(declaration))
        self._declarators = []


def declare(body: Body, nodes: list[c_ast.Node]) -> None:
    """One declaration in a block, with all its names."""
    group = _Group(body)
    for node in nodes:
        assert isinstance(node, c_ast.Decl)
        if node.name is None:
            specified(body.context, node.type)
        else:
            _declare(body, node, group)
    group.close()


def _declare(body: Body, node: c_ast.Decl, group: _Group) -> None:
    type = declaration_type(body.context, node)
    if isinstance(type, Array) and type.length is None and node.init is not None:
        type, _ = initialiser(body.context, type, node.init)
    if isinstance(type, Function):
        body.context.scope.names[node.name] = FunctionName(node.name, type)
        return
    if "extern" in node.storage:
        known = body.whole.program.scope.names.get(node.name)
        if isinstance(known, Variable):
            body.context.scope.names[node.name] = known
            return
        body.whole.refuse(f"`{node.name}`, which this file does not define", node)
    if "static" in node.storage:
        _declare_static(body, node, type)
        return
    variable = Variable(node.name, type, node, body.name)
    with body.whole.exactly(node):
        shape = body.whole.types.shape(type)
    name = local_name(body, node.name)
    _enter(body, variable, name)
    if node.init is None:
        group.add(shape, name, None)
        return
    if isinstance(node.init, c_ast.FuncCall) and not isinstance(type, Array):
        target = body.arithmetic.any_of(syntax.Name(name), type)
        with body.collecting() as steps:
            direct = assigned_call(body, node.init, target)
        if direct:
            group.add(shape, name, None)
            group.close()
            body.steps.extend(steps)
            return
    with body.collecting() as steps:
        first = initial(body, type, node.init)
    if steps:
        group.close()
        body.steps.extend(steps)
    group.add(shape, name, first)


def local_name(body: Body, name: str) -> str:
    """`f_x`, or with the number of the block where another `x` of the function has that name."""
    wanted = f"{body.name}_{name}"
    if body.names.has(wanted):
        wanted = f"{body.name}_{body.block}_{name}"
    return body.names.claim(wanted)


def _enter(body: Body, variable: Variable, name: str) -> None:
    body.context.scope.names[variable.name] = variable
    body.whole.variables[variable] = body.frame_name(name)
    body.whole.locals.setdefault(variable.name, []).append(name)


def _declare_static(body: Body, node: c_ast.Decl, type: CType) -> None:
    """One variable for all calls: it becomes a global one, set before the program starts."""
    whole = body.whole
    variable = Variable(node.name, type, node, None)
    name = f"{body.name}_{node.name}"
    while body.names.has(name):
        name += "$"
    whole.names.claim(name)
    body.context.scope.names[node.name] = variable
    whole.variables[variable] = name
    whole.framed.append(name)
    whole.locals.setdefault(node.name, []).append(name)
    inside = new_body(whole, "")
    inside.context.scope = body.context.scope
    group = _Group(inside)
    _add_static(inside, node, type, node.init, name, group)
    group.close()
    whole.statics.extend(inside.steps)


def _add_static(inside: Body, node: c_ast.Node, type: CType, init: c_ast.Node | None, name: str, group: _Group) -> None:
    with inside.whole.exactly(node):
        shape = inside.whole.types.shape(type)
        group.add(shape, name, zero(type) if init is None else initial(inside, type, init))
    if inside.steps and any(not _is_declaration(step) for step in inside.steps):
        raise inside.whole.program.error("the initialiser of a static variable must be constant", node)


def _is_declaration(step: Step) -> bool:
    statement = step.statement
    return isinstance(statement, syntax.And) and isinstance(statement.parts[0], syntax.Declaration)


def declare_globals(whole: Whole, tree: c_ast.FileAST) -> None:
    """All variables that the file defines, in its order; each is declared where its first definition stands."""
    body = new_body(whole, "")
    done: set[str] = set()
    for nodes in grouped(tree.ext):
        group = _Group(body)
        for node in nodes:
            variable = whole.program.scope.names.get(getattr(node, "name", None) or "")
            if not isinstance(node, c_ast.Decl) or not isinstance(variable, Variable) or node.name in done:
                continue
            if ("extern" in node.storage and node.init is None) or not variable.defined:
                continue
            done.add(node.name)
            _add_static(body, node, variable.type, variable.init, whole.variables[variable], group)
        group.close()
    whole.statics[:0] = body.steps


def name_globals(whole: Whole, tree: c_ast.FileAST) -> None:
    """Give every variable that the file defines its name, before anything can mention it."""
    for node in tree.ext:
        variable = whole.program.scope.names.get(getattr(node, "name", None) or "")
        if not isinstance(node, c_ast.Decl) or not isinstance(variable, Variable) or not variable.defined:
            continue
        if variable not in whole.variables:
            whole.variables[variable] = whole.names.claim(node.name)
            whole.framed.append(whole.variables[variable])
