"""Declarations inside functions."""

from __future__ import annotations

from pycparser import c_ast

from pincer.frontends.c.semantics import tree
from pincer.frontends.c.semantics.context import STATIC, Context
from pincer.frontends.c.semantics.declarations import (
    declaration_type,
    inferred,
    is_constant,
    is_volatile,
    parameter_type,
    specified,
)
from pincer.frontends.c.semantics.expressions import has_computed_length, known_value, value
from pincer.frontends.c.semantics.globals import declare_global, note_attributes
from pincer.frontends.c.semantics.initialisers import initialiser
from pincer.frontends.c.semantics.linking import link_late
from pincer.frontends.c.semantics.mistakes import check_block_level, check_file_level
from pincer.frontends.c.semantics.symbols import FunctionName, Variable
from pincer.frontends.c.semantics.tree import Initialiser, Statement
from pincer.frontends.c.semantics.types import Array, CType, Function, Integer, Pointer, Void, text
from pincer.frontends.c.semantics.usage import cleanup_calls


def declare(context: Context, node: c_ast.Decl) -> Statement | None:
    """A declaration in a block; its initialiser runs there."""
    with context.measuring() as lengths:
        declared = _declare(context, node)
    before = [tree.Measure(node, tuple(lengths))] if lengths else []
    if len(before) + len(declared) < 2:
        return next(iter((*before, *declared)), None)
    return tree.Group(node, (*before, *declared))


def _declare(context: Context, node: c_ast.Decl) -> list[Statement]:
    if node.name is None:
        specified(context, node.type)
        return []
    if isinstance(node.type, c_ast.TypeDecl) and isinstance(node.type.type, c_ast.InferredType):
        type = inferred(context, node.init)
    else:
        type = declaration_type(context, node)
    linked = isinstance(type, Function) or "extern" in node.storage
    check_block_level(context, node, linked)
    if linked:
        check_file_level(context, node, type)
        note_attributes(context.program, node)
    if isinstance(type, Function):
        context.scope.names[node.name] = FunctionName(node.name, type)
        return []
    if "extern" in node.storage:
        if node.init is not None:
            raise context.error(f"`{node.name}` is declared extern here and cannot be initialised", node)
        context.scope.names[node.name] = found = declare_global(context, node, type)
        link_late(context.program, found)
        return []
    variable = Variable(node.name, type, node, context.function, is_constant(node, context), volatile=is_volatile(node))
    if "static" in node.storage:
        variable.owner = None
        return [_static(context, node, variable)]
    declared: Statement = _automatic(context, node, variable)
    if cleanup_calls(node) and id(node) in context.program.usage.bypassed:
        return [declared, tree.UnmodelledStatement(node, "a jump past a variable with a cleanup")]
    return [declared, *(tree.Cleanup(node, value(context, call)) for call in cleanup_calls(node))]


def _static(context: Context, node: c_ast.Decl, variable: Variable) -> Statement:
    """One object for all activations, set before the program starts. Its initialiser may name what is in scope."""
    program = context.program
    context.scope.names[node.name] = variable
    found: Initialiser | None = None
    if node.init is not None:
        outer, context.function = context.function, STATIC
        variable.type, found = initialiser(context, variable.type, node.init)
        context.function = outer
        variable.extent = found.extent
        program.initialisers[variable] = found
    if variable.extent is None and program.target.size(variable.type) is None:
        raise program.error(f"the size of `{node.name}` is not known", node)
    variable.name = _static_name(context, node.name)
    return tree.Declare(node, variable, found)


def _static_name(context: Context, name: str) -> str:
    """Unlike the name of a local variable it must be another one in each procedure."""
    taken = context.program.static_names
    candidate, number = f"{context.function}.{name}", 1
    while candidate in taken:
        number += 1
        candidate = f"{context.function}.{name}.{number}"
    taken.add(candidate)
    return candidate


def _automatic(context: Context, node: c_ast.Decl, variable: Variable) -> Statement:
    target = context.target
    if node.init is None:
        if "constexpr" in node.storage:
            raise context.error(f"`{node.name}` needs a value: it is declared constexpr", node)
        context.scope.names[node.name] = variable
        _check_complete(context, variable)
        return tree.Declare(node, variable, None)
    if isinstance(variable.type, Array) and variable.type.length is None:
        variable.type, _ = initialiser(context, variable.type, node.init)
    context.scope.names[node.name] = variable
    _check_complete(context, variable)
    _, found = initialiser(context, variable.type, node.init)
    if "constexpr" in node.storage and found.whole is not None:
        known = known_value(context, found.whole)
        if known is not None:
            context.program.constants[variable] = known
        elif isinstance(variable.type, Integer):
            raise context.error(f"the value of `{node.name}` must be constant", node)
    if found.extent is not None and found.extent > (target.size(variable.type) or 0):
        raise context.error("a flexible array member of an automatic object cannot be initialised", node)
    return tree.Declare(node, variable, found)


def _check_complete(context: Context, variable: Variable) -> None:
    type: CType = variable.type
    if isinstance(type, Void):
        raise context.error(f"`{variable.name}` is declared void; only functions and pointers may be", variable.node)
    if has_computed_length(type) and id(variable.node) in context.program.usage.bypassed:
        raise context.error(
            f"a jump leads past `{variable.name}`, whose length is computed, into its scope", variable.node
        )
    if context.target.size(type) is not None:
        return
    if isinstance(type, Array) and type.length is None:
        raise context.error(f"the length of `{variable.name}` is missing", variable.node)
    if not isinstance(type, Array):
        raise context.error(f"the type `{text(type)}` is incomplete", variable.node)


def unnamed_parameter(number: int) -> str:
    """What stands for the name of a parameter without one, counted from 1; no name of C begins so."""
    return f"$parameter{number}"


def parameters(context: Context, nodes: tuple[c_ast.Decl, ...]) -> tuple[Variable, ...]:
    """The parameters of a function, which its body may name."""
    found = []
    for number, node in enumerate(nodes, 1):
        type = parameter_type(context, node)
        name = getattr(node, "name", None) or unnamed_parameter(number)
        # What is declared as an array is a pointer that may be changed.
        own = not isinstance(type, Pointer) or isinstance(node.type, c_ast.PtrDecl)
        variable = Variable(name, type, node, context.function, own and is_constant(node, context))
        variable.volatile = own and is_volatile(node)
        if name in context.scope.names:
            raise context.error(f"the parameter `{name}` is there twice; rename one of the two", node)
        context.scope.names[name] = variable
        found.append(variable)
    return tuple(found)
