"""Which variables of a function stand for its arguments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pycparser import c_ast


def argument_names(parameters: Sequence[c_ast.Decl], body: c_ast.Node) -> Mapping[str, int]:
    """The parameters of a function by their numbers, and the variables that begin as one of them."""
    found = {parameter.name: number for number, parameter in enumerate(parameters) if parameter.name}
    for declared in _declarations(body):
        if declared.init is not None and declared.name not in found:
            number = found.get(base_name(declared.init))
            if number is not None:
                found[declared.name] = number
    return found


def _declarations(node: c_ast.Node) -> Iterator[c_ast.Decl]:
    if isinstance(node, c_ast.Decl):
        yield node
    for _, part in node.children():
        yield from _declarations(part)


def base_name(node: c_ast.Node) -> str:
    """The variable that an expression goes out from; empty where there is none."""
    match node:
        case c_ast.ID():
            return str(node.name)
        case c_ast.ArrayRef() | c_ast.StructRef():
            return base_name(node.name)
        case c_ast.UnaryOp() | c_ast.Cast():
            return base_name(node.expr)
        case c_ast.BinaryOp():
            return base_name(node.left)
    return ""
