"""`_Alignof` of types and, as GNU C has it, of expressions; `__alignof__`, which prefers more for some types."""

from __future__ import annotations

from pycparser import c_ast

from pincer.frontends.c.lowering.expressions import type_of
from pincer.frontends.c.lowering.frame import Frame
from pincer.frontends.c.semantics.declarations import given_alignment, named_alignment, type_name
from pincer.frontends.c.semantics.symbols import Variable
from pincer.frontends.c.semantics.types import Pointer, Record


def alignment_of(frame: Frame, node: c_ast.UnaryOp) -> int:
    """The value of the operator; of an expression both spellings give the alignment of the object it denotes."""
    operand = node.expr
    if not isinstance(operand, c_ast.Typename):
        return _of_object(frame, operand)
    type = type_name(frame, operand)
    own = frame.target.alignment(type) if node.op == "_Alignof" else frame.target.preferred_alignment(type)
    return given_alignment(frame, operand) or named_alignment(frame, operand) or own


def _of_object(frame: Frame, node: c_ast.Node) -> int:
    if isinstance(node, c_ast.StructRef):
        whole = type_of(frame, node.name)
        whole = whole.target if isinstance(whole, Pointer) else whole
        if isinstance(whole, Record) and node.field.name in whole.index:
            return whole.index[node.field.name].alignment
    natural = frame.target.preferred_alignment(type_of(frame, node))
    symbol = frame.scope.find(node.name) if isinstance(node, c_ast.ID) else None
    if not isinstance(symbol, Variable):
        return natural
    return max(given_alignment(frame, symbol.node), named_alignment(frame, symbol.node) or natural)
