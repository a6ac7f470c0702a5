"""Assignments to what is declared `const`: no compiler accepts them."""

from __future__ import annotations

from pycparser import c_ast

from pincer.frontends.c.semantics.context import Context
from pincer.frontends.c.semantics.symbols import Variable
from pincer.frontends.c.semantics.types import Array, CType, Pointer
from pincer.frontends.c.syntax.wording import source_text


def check_assignable(context: Context, node: c_ast.Node) -> None:
    """Refuse to change a constant variable, a part of one, or what a variable that points to constants points to."""
    name = _constant_name(context, node)
    if name is not None:
        message = f"`{source_text(node)}` cannot be changed: the declaration of `{name}` says `const`"
        raise context.error(message, node)


def _constant_name(context: Context, node: c_ast.Node) -> str | None:
    """The variable whose declaration makes a place constant, as far as the declaration alone tells."""
    while isinstance(node, c_ast.StructRef) and node.type == ".":
        node = node.name
    through = isinstance(node, c_ast.StructRef) or (isinstance(node, c_ast.UnaryOp) and node.op == "*")
    subscripts = 0
    if through:
        node = node.expr if isinstance(node, c_ast.UnaryOp) else node.name
    while isinstance(node, c_ast.ArrayRef) and not through:
        node, subscripts = node.name, subscripts + 1
    symbol = context.scope.find(node.name) if isinstance(node, c_ast.ID) else None
    if not isinstance(symbol, Variable):
        return None
    if through or (subscripts == 1 and isinstance(symbol.type, Pointer)):
        return symbol.name if _points_to_constant(symbol) else None
    return symbol.name if symbol.const and subscripts <= _dimensions(symbol.type) else None


def _points_to_constant(symbol: Variable) -> bool:
    kind = getattr(symbol.node, "type", None)
    target = kind.type if isinstance(kind, c_ast.PtrDecl | c_ast.ArrayDecl) else None
    return isinstance(target, c_ast.TypeDecl) and "const" in (target.quals or ())


def _dimensions(type: CType) -> int:
    return 1 + _dimensions(type.element) if isinstance(type, Array) else 0
