"""Declarations: variables of blocks, static ones, and those of the file; each declaration of C takes one state."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from pycparser import c_ast

from pincer.frontends.c.semantics import tree
from pincer.frontends.c.semantics.globals import static_initialiser
from pincer.frontends.c.semantics.mistakes import is_ours
from pincer.frontends.c.semantics.symbols import Variable
from pincer.frontends.c.semantics.tree import Written
from pincer.frontends.msvl import syntax
from pincer.frontends.msvl.from_c.calls import assigned_call
from pincer.frontends.msvl.from_c.context import TranslatedBody, Whole, new_body
from pincer.frontends.msvl.from_c.initialisers import initial, zero
from pincer.frontends.msvl.from_c.steps import Step, at_once
from pincer.frontends.msvl.from_c.types import Shape


def origin(node: Written) -> object:
    """The place of the specifiers, which all names of a declaration share; None for what declares no name."""
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

    def __init__(self, body: TranslatedBody) -> None:
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


def declare(body: TranslatedBody, nodes: Sequence[tree.Declare]) -> None:
    """One declaration in a block, with all its names."""
    group = _Group(body)
    for node in nodes:
        if node.variable.owner is None:
            _declare_static(body, node.variable)
        else:
            _declare(body, node, group)
    group.close()


def _declare(body: TranslatedBody, node: tree.Declare, group: _Group) -> None:
    variable, init = node.variable, node.initialiser
    with body.whole.exactly(node.written):
        shape = body.whole.types.shape(variable.type)
    name = local_name(body, variable.name)
    body.whole.variables[variable] = body.frame_name(name)
    body.whole.locals.setdefault(variable.name, []).append(name)
    if init is None:
        group.add(shape, name, None)
        return
    if init.whole is not None:
        target = body.arithmetic.any_of(syntax.Name(name), variable.type)
        with body.collecting() as steps:
            direct = assigned_call(body, tree.bare(init.whole), target)
        if direct:
            group.add(shape, name, None)
            group.close()
            body.steps.extend(steps)
            return
    with body.collecting() as steps:
        first = initial(body, variable.type, init, node.written)
    if steps:
        group.close()
        body.steps.extend(steps)
    group.add(shape, name, first)


def local_name(body: TranslatedBody, name: str) -> str:
    """`f_x`, or with the number of the block where another `x` of the function has that name."""
    wanted = f"{body.name}_{name}"
    if body.names.has(wanted):
        wanted = f"{body.name}_{body.block}_{name}"
    return body.names.claim(wanted)


def _declare_static(body: TranslatedBody, variable: Variable) -> None:
    """One variable for all calls: it becomes a global one, set before the program starts."""
    whole, written = body.whole, variable.node.name
    name = f"{body.name}_{written}"
    while body.names.has(name):
        name += "$"
    whole.names.claim(name)
    whole.variables[variable] = name
    whole.framed.append(name)
    whole.locals.setdefault(written, []).append(name)
    inside = new_body(whole, "")
    group = _Group(inside)
    _add_static(inside, variable, group)
    group.close()
    whole.statics.extend(inside.steps)


def _add_static(inside: TranslatedBody, variable: Variable, group: _Group) -> None:
    whole, type, node = inside.whole, variable.type, variable.node
    init = static_initialiser(whole.program, variable)
    with whole.exactly(node):
        shape = whole.types.shape(type)
        first = zero(type) if init is None else initial(inside, type, init, node)
        group.add(shape, whole.variables[variable], first)
    if any(not _is_declaration(step) for step in inside.steps):
        raise whole.program.error("the initialiser of a static variable must be constant", node)


def _is_declaration(step: Step) -> bool:
    statement = step.statement
    return isinstance(statement, syntax.And) and isinstance(statement.parts[0], syntax.Declaration)


def _is_used(whole: Whole, node: c_ast.Decl) -> bool:
    """Whether a variable belongs to the program; one of the library does where a translated function names it."""
    usage = whole.program.usage.functions
    return not is_ours(node) or any(node.name in usage[name].names for name in whole.functions if name in usage)


def declare_globals(whole: Whole, file: c_ast.FileAST) -> None:
    """All variables that the file defines, in its order; each is declared where its first definition stands."""
    body = new_body(whole, "")
    done: set[str] = set()
    for _, nodes in groupby(file.ext, lambda node: origin(node) or node):
        group = _Group(body)
        for node in nodes:
            variable = whole.program.scope.names.get(getattr(node, "name", None) or "")
            if not isinstance(node, c_ast.Decl) or not isinstance(variable, Variable) or node.name in done:
                continue
            if ("extern" in node.storage and node.init is None) or not variable.defined or not _is_used(whole, node):
                continue
            done.add(node.name)
            _add_static(body, variable, group)
        group.close()
    whole.statics[:0] = body.steps


def name_globals(whole: Whole, file: c_ast.FileAST) -> None:
    """Give every variable that the file defines its name, before anything can mention it."""
    for node in file.ext:
        variable = whole.program.scope.names.get(getattr(node, "name", None) or "")
        if not isinstance(node, c_ast.Decl) or not isinstance(variable, Variable) or not variable.defined:
            continue
        if variable not in whole.variables:
            whole.variables[variable] = whole.names.claim(node.name)
            whole.framed.append(whole.variables[variable])
