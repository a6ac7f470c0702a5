"""Calls: which function is meant, whether the arguments fit, what the call gives."""

from __future__ import annotations

from pycparser import c_ast

from pincer.frontends.c.semantics import tree
from pincer.frontends.c.semantics.constants import evaluate
from pincer.frontends.c.semantics.context import Context, Use, by_name
from pincer.frontends.c.semantics.conversions import promoted_type
from pincer.frontends.c.semantics.expressions import converted, expression, value
from pincer.frontends.c.semantics.mistakes import is_ours
from pincer.frontends.c.semantics.symbols import FunctionName, Symbol
from pincer.frontends.c.semantics.tree import Expression
from pincer.frontends.c.semantics.types import DOUBLE, FLOAT, INT, CType, Function, Pointer, Record
from pincer.frontends.c.semantics.variable_arguments import operation_on_list
from pincer.frontends.c.syntax.wording import source_text

_UNDECLARED = Function(INT, (), False, False)


def call(context: Context, node: c_ast.FuncCall) -> Expression:
    """A call of a function, by name or through a pointer; the builtin that chooses an expression is that expression."""
    written = [] if node.args is None else node.args.exprs
    callee = node.name
    while isinstance(callee, c_ast.UnaryOp) and callee.op in ("*", "&") and _is_function(context, callee.expr):
        callee = callee.expr
    symbol = None
    if isinstance(callee, c_ast.ID):
        symbol = context.scope.find(callee.name)
        if symbol is None and callee.name == "__builtin_choose_expr" and len(written) == 3:
            known = evaluate(context.program, value(context, written[0]))
            return expression(context, written[1 if known else 2])
        on_list = operation_on_list(context, callee.name, written, node) if _is_builtin(symbol, callee.name) else None
        if on_list is not None:
            return on_list
        if symbol is None:
            plain = context.file.find(callee.name.removeprefix("__builtin_"))
            symbol = FunctionName(callee.name, plain.type if isinstance(plain, FunctionName) else _UNDECLARED)
            context.program.undeclared.setdefault(callee.name, context.program.position(node))
        elif callee.name in context.program.lent and context.file is context.program.scope and not is_ours(node):
            context.program.undeclared.setdefault(callee.name, context.program.position(node))
    if isinstance(symbol, FunctionName):
        arguments = _arguments(context, symbol.name, symbol.type, written, node)
        return tree.Call(_result(context, symbol, callee.name, arguments), node, symbol, arguments)
    pointer = value(context, callee)
    if not isinstance(pointer.type, Pointer) or not isinstance(pointer.type.target, Function):
        raise context.error(f"`{source_text(callee)}` is no function", node)
    type = pointer.type.target
    arguments = _arguments(context, source_text(callee), type, written, node)
    return tree.Call(type.result, node, pointer, arguments)


def _is_builtin(symbol: Symbol | None, name: str) -> bool:
    """Whether a name is the compiler's own; some programs declare what it calls its functions."""
    return symbol is None or (isinstance(symbol, FunctionName) and name.startswith("__builtin_"))


def _is_function(context: Context, node: c_ast.Node) -> bool:
    if isinstance(node, c_ast.UnaryOp):
        return node.op in ("*", "&") and _is_function(context, node.expr)
    return isinstance(node, c_ast.ID) and isinstance(context.scope.find(node.name), FunctionName)


def _result(context: Context, function: FunctionName, spelling: str, arguments: tuple[Expression, ...]) -> CType:
    program, type = context.program, function.type
    if function.name in program.definitions and function.name not in program.library:
        return type.result
    rule = None if function.name in program.foreign else by_name(program.results, function.name)
    if not callable(rule):
        return rule or type.result
    declared = None if context.scope.find(spelling) is None else type.result
    return rule(Use(function.name, declared, program.target, [tree.bare(argument).type for argument in arguments]))


def _arguments(
    context: Context, name: str, type: Function, written: list[c_ast.Node], node: c_ast.Node
) -> tuple[Expression, ...]:
    """As many arguments as the prototype has parameters, or at least as many, each of the type it is passed as."""
    wanted, given = len(type.parameters), len(written)
    if type.prototyped and (given < wanted or (given > wanted and not type.variadic)):
        raise context.error(f"`{name}` takes {wanted} argument{'' if wanted == 1 else 's'}, not {given}", node)
    passed = []
    for number, argument in enumerate(written):
        found = value(context, argument)
        if type.prototyped and number < wanted:
            passed.append(_passed(context, found, type.parameters[number], node))
        else:
            passed.append(converted(context, found, DOUBLE if found.type == FLOAT else promoted_type(found.type)))
    return tuple(passed)


def _passed(context: Context, found: Expression, type: CType, node: c_ast.Node) -> Expression:
    """An argument for a parameter; that for a transparent union may be of the type of a member."""
    if isinstance(type, Record) and found.type is not type:
        if type.kind != "union" or isinstance(found.type, Record):
            raise context.error("a structure of another type is passed here", node)
        return found
    return converted(context, found, type)
