"""What lowers each kind of expression."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pincer.frontends.c.lowering import calls, conditions, expressions, initialisers, operators, statements
from pincer.frontends.c.lowering.frame import Frame
from pincer.frontends.c.lowering.values import Place, Value
from pincer.frontends.c.semantics import tree

VALUES: Mapping[type, Callable[[Frame, Any], Value]] = {
    tree.Number: expressions.constant,
    tree.Read: expressions.read_place,
    tree.Address: expressions.address,
    tree.Size: expressions.size,
    tree.Measured: expressions.measured,
    tree.Unmodelled: expressions.unmodelled,
    tree.Convert: operators.conversion,
    tree.ToUnion: operators.to_union,
    tree.Unary: operators.unary,
    tree.Binary: operators.binary,
    tree.Assignment: operators.assignment,
    tree.Update: operators.update,
    tree.Step: operators.step,
    tree.Sequence: operators.sequence,
    tree.Logical: conditions.logical,
    tree.Conditional: conditions.conditional,
    tree.OrElse: conditions.or_else,
    tree.Call: calls.call,
    tree.StatementExpression: statements.statement_expression,
}
PLACES: Mapping[type, Callable[[Frame, Any], Place]] = {
    tree.Text: expressions.literal,
    tree.Object: expressions.named_object,
    tree.Routine: expressions.routine,
    tree.Part: expressions.part,
    tree.Element: expressions.element,
    tree.Dereference: expressions.dereference,
    tree.CompoundLiteral: initialisers.compound_literal,
}
