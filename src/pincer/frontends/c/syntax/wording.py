"""Expressions as the programmer wrote them, for messages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pycparser import c_ast

from pincer.frontends.c.syntax import nodes

_LIMIT = 120


def source_text(node: c_ast.Node) -> str:
    """The expression in C syntax; parentheses are where precedence may need them."""
    text = _text(node)
    return text if len(text) <= _LIMIT else text[: _LIMIT - 4] + " ..."


def _text(node: c_ast.Node | None) -> str:
    if node is None:
        return ""
    write = _WRITERS.get(type(node))
    return "..." if write is None else write(node)


def _operand(node: c_ast.Node) -> str:
    text = _text(node)
    simple = isinstance(node, c_ast.ID | c_ast.Constant | c_ast.FuncCall | c_ast.ArrayRef | c_ast.StructRef)
    return text if simple else f"({text})"


_STRENGTH = {
    operator: strength
    for strength, operators in enumerate(("||", "&&", "|", "^", "&", "== !=", "< > <= >=", "<< >>", "+ -", "* / %"))
    for operator in operators.split()
}
"""How strongly binary operators bind, the weakest first."""
_MIXED_BY_MISTAKE = frozenset(("|", "^", "&", "<<", ">>"))
"""Operators that people read wrongly beside others: their operands keep parentheses."""


def _binary(node: c_ast.BinaryOp) -> str:
    return f"{_side(node, node.left, 0)} {node.op} {_side(node, node.right, 1)}"


def _side(node: c_ast.BinaryOp, part: c_ast.Node, more: int) -> str:
    """An operand: with parentheses unless it binds more strongly than its operator, or as strongly on the left."""
    if isinstance(part, c_ast.UnaryOp | c_ast.Cast):
        return _text(part)
    if not isinstance(part, c_ast.BinaryOp):
        return _operand(part)
    stronger = _STRENGTH[part.op] >= _STRENGTH[node.op] + more
    mixed = part.op != node.op and bool({part.op, node.op} & _MIXED_BY_MISTAKE)
    return _text(part) if stronger and not mixed and _is_of_one_kind(node.op, part.op) else f"({_text(part)})"


def _is_of_one_kind(outer: str, inner: str) -> bool:
    """`a == b == c` is read wrongly, too; the same is true of `a < b < c`."""
    compared = (_STRENGTH["=="], _STRENGTH["<"])
    return not (_STRENGTH[outer] in compared and _STRENGTH[inner] in compared)


def _unary(node: c_ast.UnaryOp) -> str:
    if node.op in ("p++", "p--"):
        return f"{_operand(node.expr)}{node.op[1:]}"
    if node.op in ("sizeof", "_Alignof", "__alignof__"):
        return f"{node.op}({_text(node.expr)})"
    inner = _operand(node.expr)
    if isinstance(node.expr, c_ast.UnaryOp) and not node.expr.op.startswith("p"):
        inner = _text(node.expr)
        if inner[0] == node.op[-1]:
            inner = f"({inner})"
    return f"{node.op}{inner}"


def _typename(node: c_ast.Typename) -> str:
    stars, kind = "", node.type
    while isinstance(kind, c_ast.PtrDecl):
        stars, kind = stars + "*", kind.type
    base = getattr(kind, "type", None)
    if isinstance(base, c_ast.IdentifierType):
        return " ".join(base.names) + (f" {stars}" if stars else "")
    if isinstance(base, c_ast.Struct | c_ast.Union | c_ast.Enum):
        return f"{type(base).__name__.lower()} {base.name or '...'}" + (f" {stars}" if stars else "")
    return "..."


_WRITERS: Mapping[type, Callable[[Any], str]] = {
    c_ast.ID: lambda node: node.name,
    c_ast.Constant: lambda node: node.value,
    c_ast.UnaryOp: _unary,
    c_ast.BinaryOp: _binary,
    c_ast.Assignment: lambda node: f"{_text(node.lvalue)} {node.op} {_text(node.rvalue)}",
    c_ast.TernaryOp: lambda node: f"{_operand(node.cond)} ? {_operand(node.iftrue)} : {_operand(node.iffalse)}",
    c_ast.ArrayRef: lambda node: f"{_operand(node.name)}[{_text(node.subscript)}]",
    c_ast.StructRef: lambda node: f"{_operand(node.name)}{node.type}{node.field.name}",
    c_ast.FuncCall: lambda node: f"{_operand(node.name)}({_text(node.args)})",
    c_ast.ExprList: lambda node: ", ".join(_text(part) for part in node.exprs),
    c_ast.Cast: lambda node: f"({_text(node.to_type)}){_operand(node.expr)}",
    c_ast.Typename: _typename,
    nodes.OrElse: lambda node: f"{_operand(node.value)} ?: {_operand(node.otherwise)}",
}
