"""Functions: parameters under their own names, the result as the last parameter, a frame around the body."""

from __future__ import annotations

from typing import Any

from pycparser import c_ast

from pincer.frontends.c.semantics.context import Definition
from pincer.frontends.c.semantics.symbols import Variable
from pincer.frontends.c.semantics.types import CType, Record, Void
from pincer.frontends.msvl import syntax
from pincer.frontends.msvl.from_c import loops, switches  # noqa: F401  (they register statements)
from pincer.frontends.msvl.from_c.context import Body, Whole, new_body
from pincer.frontends.msvl.from_c.merging import merged
from pincer.frontends.msvl.from_c.statements import statement
from pincer.frontends.msvl.from_c.steps import RETURN, Step, at_once, sequence
from pincer.frontends.msvl.from_c.types import Shape
from pincer.frontends.msvl.program import RESULT
from pincer.frontends.msvl.syntax import Statement

_FLAG = Shape(("int",)).declaration(RETURN, syntax.Number(0))


def translated(whole: Whole, definition: Definition, entry: bool) -> syntax.FunctionDefinition:
    """One function. The parameters of the entry have no values that a caller gives: they must not be used."""
    body = new_body(whole, definition.name, definition.type)
    if definition.type.variadic:
        whole.refuse("a function with any number of arguments", definition.node)
    parameters = [] if entry else _parameters(body, definition)
    if entry and _mentions(definition.node.body, {getattr(node, "name", None) for node in definition.parameters}):
        whole.refuse("arguments of the program", definition.node)
    result = definition.type.result
    if not isinstance(result, Void):
        with whole.exactly(definition.node):
            parameters.append(_parameter(whole.types.shape(result), RESULT))
    statement(body, definition.node.body)
    steps = merged([*_prologue(body, result), *body.steps], whole.scheme)
    content: Statement = sequence(steps)
    if body.framed:
        content = syntax.And((syntax.Frame(tuple(body.framed)), content))
    return syntax.FunctionDefinition(whole.functions[definition.name], None, tuple(parameters), content)


def _prologue(body: Body, result: CType) -> list[Step]:
    """The flag of `return`; and a result for the caller to ignore where the program may end in here."""
    parts: list[Statement] = [_FLAG] if body.returns else []
    if body.whole.ending.get(body.name) and not isinstance(result, Void | Record):
        parts.append(syntax.Immediate(syntax.Name(RESULT), syntax.Number(0)))
    return [Step(at_once(*parts))] if parts else []


def _parameters(body: Body, definition: Definition) -> list[syntax.Parameter]:
    whole = body.whole
    forbidden = set(whole.functions.values())
    found = []
    for number, (node, kind) in enumerate(zip(definition.parameters, definition.type.parameters, strict=True), 1):
        with whole.exactly(node):
            shape = whole.types.parameter(kind)
        written = getattr(node, "name", None)
        name = body.names.claim_hiding(written or f"parameter${number}", forbidden)
        found.append(_parameter(shape, name))
        if written is not None:
            variable = Variable(written, kind, node, body.name)
            body.context.scope.names[written] = variable
            whole.variables[variable] = name
            whole.locals.setdefault(written, []).append(name)
    return found


def _parameter(shape: Shape, name: str) -> syntax.Parameter:
    return syntax.Parameter(syntax.TypeName(shape.words), shape.declarator(name))


def _mentions(node: Any, names: set[str | None]) -> bool:
    pending = [node]
    while pending:
        current = pending.pop()
        if isinstance(current, c_ast.ID) and current.name in names:
            return True
        pending.extend(current)
    return False
