"""Functions: parameters under their own names, the result as the last parameter, a frame around the body."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from pincer.frontends.c.semantics import tree
from pincer.frontends.c.semantics.analysis import body as typed_body
from pincer.frontends.c.semantics.context import Definition
from pincer.frontends.c.semantics.locals import unnamed_parameter
from pincer.frontends.c.semantics.symbols import Variable
from pincer.frontends.c.semantics.types import CType, Record, Void
from pincer.frontends.msvl import syntax
from pincer.frontends.msvl.from_c.context import TranslatedBody, Whole, new_body
from pincer.frontends.msvl.from_c.merging import merged
from pincer.frontends.msvl.from_c.statements import block
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
    typed = typed_body(whole.program, definition.name)
    parameters = [] if entry else _parameters(body, typed.parameters)
    if entry and _mentions(typed.block, typed.parameters):
        whole.refuse("arguments of the program", definition.node)
    result = definition.type.result
    if not isinstance(result, Void):
        with whole.exactly(definition.node):
            parameters.append(_parameter(whole.types.shape(result), RESULT))
    block(body, typed.block)
    steps = merged([*_prologue(body, result), *body.steps], whole.scheme)
    content: Statement = sequence(steps)
    if body.framed:
        content = syntax.And((syntax.FrameStatement(tuple(body.framed)), content))
    return syntax.FunctionDefinition(whole.functions[definition.name], None, tuple(parameters), content)


def _prologue(body: TranslatedBody, result: CType) -> list[Step]:
    """The flag of `return`; and a result for the caller to ignore where the program may end in here."""
    parts: list[Statement] = [_FLAG] if body.returns else []
    if body.whole.ending.get(body.name) and not isinstance(result, Void | Record):
        parts.append(syntax.Immediate(syntax.Name(RESULT), syntax.Number(0)))
    return [Step(at_once(*parts))] if parts else []


def _parameters(body: TranslatedBody, variables: Sequence[Variable]) -> list[syntax.Parameter]:
    whole = body.whole
    forbidden = set(whole.functions.values())
    found = []
    for number, variable in enumerate(variables, 1):
        with whole.exactly(variable.node):
            shape = whole.types.parameter(variable.type)
        named = variable.name != unnamed_parameter(number)
        name = body.names.claim_hiding(variable.name if named else f"parameter${number}", forbidden)
        found.append(_parameter(shape, name))
        if named:
            whole.variables[variable] = name
            whole.locals.setdefault(variable.name, []).append(name)
    return found


def _parameter(shape: Shape, name: str) -> syntax.Parameter:
    return syntax.Parameter(syntax.TypeName(shape.words), shape.declarator(name))


def _mentions(node: tree.Node, variables: Collection[Variable]) -> bool:
    if isinstance(node, tree.Object):
        return node.variable in variables
    return any(_mentions(child, variables) for child in tree.children(node))
