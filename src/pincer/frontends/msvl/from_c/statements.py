"""Statements: blocks, expressions, decisions and jumps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pycparser import c_ast

from pincer.frontends.c.semantics.declarations import type_definition
from pincer.frontends.c.semantics.types import Void
from pincer.frontends.c.syntax import nodes
from pincer.frontends.msvl import syntax
from pincer.frontends.msvl.from_c.context import Body
from pincer.frontends.msvl.from_c.declarations import declare, grouped
from pincer.frontends.msvl.from_c.effects import discard
from pincer.frontends.msvl.from_c.expressions import condition, converted
from pincer.frontends.msvl.from_c.steps import RETURN, Step, at_once, exits_of, joined, raised
from pincer.frontends.msvl.program import RESULT
from pincer.frontends.msvl.syntax import Statement

Handler = Callable[[Body, Any], None]
_HANDLERS: dict[type, Handler] = {}
_REFUSED: dict[type, str] = {
    c_ast.Goto: "`goto`",
    c_ast.Label: "a label",
    c_ast.Case: "a `case` inside another statement of its `switch`",
    c_ast.Default: "a `default` inside another statement of its `switch`",
    nodes.ComputedGoto: "`goto`",
    nodes.Asm: "assembly",
}


def handles(*kinds: type) -> Callable[[Handler], Handler]:
    """Register the function that translates these statements."""

    def register(handler: Handler) -> Handler:
        _HANDLERS.update(dict.fromkeys(kinds, handler))
        return handler

    return register


def statement(body: Body, node: c_ast.Node | None) -> None:
    """Translate a statement; its steps follow those of the body so far."""
    if node is None:
        return
    if type(node) in _REFUSED:
        body.whole.refuse(_REFUSED[type(node)], node)
    handler = _HANDLERS.get(type(node))
    if handler is not None:
        handler(body, node)
    else:
        discard(body, node)


def block_items(body: Body, items: list[c_ast.Node]) -> None:
    """The items of a block in its scope."""
    for group in grouped(items):
        if isinstance(group[0], c_ast.Decl):
            declare(body, group)
        else:
            statement(body, group[0])


@handles(c_ast.Compound)
def _block(body: Body, node: c_ast.Compound) -> None:
    body.block += 1
    with body.context.block():
        block_items(body, list(node.block_items or ()))


@handles(c_ast.DeclList)
def _declarations(body: Body, node: c_ast.DeclList) -> None:
    block_items(body, list(node.decls))


@handles(c_ast.Decl)
def _declaration(body: Body, node: c_ast.Decl) -> None:
    declare(body, [node])


@handles(c_ast.Typedef)
def _typedef(body: Body, node: c_ast.Typedef) -> None:
    body.context.scope.names[node.name] = type_definition(body.context, node)


@handles(c_ast.EmptyStatement, c_ast.Pragma, c_ast.StaticAssert, c_ast.AttributeDeclaration)
def _nothing(body: Body, node: c_ast.Node) -> None:
    """No effect, no state."""


def branch(body: Body, node: c_ast.Node | None) -> list[Step]:
    """The steps of a statement that another one contains."""
    with body.collecting() as steps:
        statement(body, node)
    return steps


@handles(c_ast.If)
def _if(body: Body, node: c_ast.If) -> None:
    test = condition(body, node.cond)
    yes, no = branch(body, node.iftrue), branch(body, node.iffalse)
    if not yes and not no and body.whole.scheme.drop_abort:
        return
    first, second = joined(yes), joined(no)
    leaves = first.leaves and second.leaves
    body.emit(syntax.If(test, first.statement, second.statement), exits_of((first, second)), leaves)


@handles(c_ast.Break)
def _break(body: Body, node: c_ast.Break) -> None:
    _jump(body, body.breaks[-1] if body.breaks else None, node)


@handles(c_ast.Continue)
def _continue(body: Body, node: c_ast.Continue) -> None:
    _jump(body, body.continues[-1] if body.continues else None, node)


def _jump(body: Body, flag: str | None, node: c_ast.Node) -> None:
    if flag is None:
        raise body.whole.program.error("there is no loop around this jump", node)
    body.emit(at_once(raised(body.frame_name(flag))), frozenset((flag,)), leaves=True)


@handles(c_ast.Return)
def _return(body: Body, node: c_ast.Return) -> None:
    result: Statement = syntax.Skip()
    if node.expr is not None and isinstance(body.type.result, Void):
        discard(body, node.expr)
    elif node.expr is not None:
        found = converted(body, node.expr, body.type.result)
        result = syntax.Unit(syntax.Name(RESULT), found.expression)
    body.returns = True
    flags = frozenset((body.frame_name(RETURN),))
    leaving: Statement = syntax.And((raised(RETURN), result))
    if body.whole.scheme.compat:
        leaving = syntax.Chop((leaving, syntax.Skip()))
    body.emit(leaving, flags, leaves=True)
