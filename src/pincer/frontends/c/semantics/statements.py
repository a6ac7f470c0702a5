"""Statements get their types, and labels, jumps and cases find each other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeAlias
from weakref import WeakKeyDictionary

from msgspec.structs import replace
from pycparser import c_ast

from pincer.frontends.c.semantics import tree
from pincer.frontends.c.semantics.constants import wrapped
from pincer.frontends.c.semantics.context import Context
from pincer.frontends.c.semantics.conversions import promoted_type
from pincer.frontends.c.semantics.declarations import check_static_assertion, declaration_type, type_definition
from pincer.frontends.c.semantics.expressions import assigned, condition, constant, converted, value
from pincer.frontends.c.semantics.locals import declare
from pincer.frontends.c.semantics.mistakes import is_ours
from pincer.frontends.c.semantics.symbols import FunctionName
from pincer.frontends.c.semantics.tree import Expression, Statement
from pincer.frontends.c.semantics.types import VOID, Function, Integer, Pointer, Record
from pincer.frontends.c.semantics.usage import SETTERS
from pincer.frontends.c.syntax import nodes

_entrances: WeakKeyDictionary[c_ast.Node, tuple[bool, bool]] = WeakKeyDictionary()
Typing: TypeAlias = Callable[[Context, Any], Statement | None]


def statement(context: Context, node: c_ast.Node | None) -> Statement | None:
    """A statement or a declaration; None where nothing is to be done."""
    if node is None:
        return None
    handler = _HANDLERS.get(type(node))
    return tree.Evaluate(node, value(context, node)) if handler is None else handler(context, node)


def block(context: Context, node: c_ast.Compound) -> tree.Block:
    with context.block():
        return tree.Block(node, _statements(context, node.block_items or ()), any(entrances(node)))


def _statements(context: Context, items: Iterable[c_ast.Node]) -> tuple[Statement, ...]:
    found = (statement(context, item) for item in items)
    return tuple(item for item in found if item is not None)


def _part(context: Context, node: c_ast.Node | None) -> Statement | None:
    """A statement that is part of another: a block, with or without braces."""
    if node is None or isinstance(node, c_ast.Compound):
        return statement(context, node)
    with context.block():
        return tree.Block(node, _statements(context, [node]), any(entrances(node)))


def _declarations(context: Context, node: c_ast.DeclList) -> Statement:
    return tree.Group(node, _statements(context, node.decls))


def _typedef(context: Context, node: c_ast.Typedef) -> Statement | None:
    with context.measuring() as lengths:
        context.scope.names[node.name] = type_definition(context, node)
    return tree.Measure(node, tuple(lengths)) if lengths else None


def _nothing(context: Context, node: c_ast.Node) -> None:
    """No effect."""


def _local_labels(context: Context, node: nodes.LocalLabels) -> None:
    """The block's own labels get names that no label can have in C."""
    for name in node.names:
        context.jumps.own += 1
        context.scope.labels[name] = f"{name}:{context.jumps.own}"


def _static_assertion(context: Context, node: c_ast.StaticAssert) -> None:
    check_static_assertion(context, node)


def _attributed(context: Context, node: c_ast.AttributedStatement) -> Statement | None:
    return statement(context, node.stmt)


def _if(context: Context, node: c_ast.If) -> Statement:
    decision = condition(context, node.cond)
    return tree.If(node, decision, _part(context, node.iftrue), _part(context, node.iffalse))


def _while(context: Context, node: c_ast.While) -> Statement:
    return tree.While(node, condition(context, node.cond), _loop_body(context, node.stmt))


def _do(context: Context, node: c_ast.DoWhile) -> Statement:
    body = _loop_body(context, node.stmt)
    return tree.DoWhile(node, body, condition(context, node.cond))


def _for(context: Context, node: c_ast.For) -> Statement:
    with context.block():
        first = statement(context, node.init)
        decision = None if node.cond is None else condition(context, node.cond)
        body = _loop_body(context, node.stmt)
        return tree.For(node, first, decision, statement(context, node.next), body, any(entrances(node)))


def _loop_body(context: Context, node: c_ast.Node) -> Statement | None:
    context.jumps.loops += 1
    context.jumps.breakable += 1
    body = _part(context, node)
    context.jumps.loops -= 1
    context.jumps.breakable -= 1
    return body


def _break(context: Context, node: c_ast.Break) -> Statement:
    if not context.jumps.breakable:
        raise context.error("`break` outside a loop or switch", node)
    return tree.Break(node)


def _continue(context: Context, node: c_ast.Continue) -> Statement:
    if not context.jumps.loops:
        raise context.error("`continue` outside a loop", node)
    return tree.Continue(node)


def _switch(context: Context, node: c_ast.Switch) -> Statement:
    subject = value(context, node.cond)
    if not isinstance(subject.type, Integer):
        raise context.error("`switch` needs an integer", node)
    subject = converted(context, subject, promoted_type(subject.type))
    assert isinstance(subject.type, Integer)
    context.jumps.switches.append(subject.type)
    context.jumps.breakable += 1
    body = _part(context, node.stmt)
    context.jumps.breakable -= 1
    context.jumps.switches.pop()
    cases = tuple(_cases(body))
    _check_cases(context, cases, subject.type)
    return tree.Switch(node, subject, cases, body)


def _cases(node: tree.Node | None) -> Iterator[tree.Case]:
    """The labels of a switch in order of the text, not those of inner switches."""
    if isinstance(node, tree.Case):
        yield node
    if node is not None and not isinstance(node, tree.Switch):
        for child in tree.children(node):
            yield from _cases(child)


def _check_cases(context: Context, cases: Iterable[tree.Case], type: Integer) -> None:
    """No value may have two labels."""
    singles: set[int | None] = set()
    ranges: list[tuple[int, int]] = []
    for case in cases:
        low, high = (None if end is None else wrapped(end, type, type.bits) for end in (case.low, case.high))
        taken = low == high and low in singles
        if low is not None and high is not None:
            taken = taken or any(low <= last and first <= high for first, last in ranges)
            taken = taken or (low < high and any(low <= one <= high for one in singles if one is not None))
            ranges += [(low, high)] if low < high else []
        if taken:
            what = "`default`" if low is None else f"`case` for the value {case.low}"
            raise context.error(f"this switch has a second {what}", case.written)
        singles |= {low} if low == high else set()


def _case(context: Context, node: c_ast.Case | c_ast.Default) -> Statement:
    if not context.jumps.switches:
        raise context.error("`case` outside a switch", node)
    low = high = None
    if isinstance(node, c_ast.Case):
        ends = (node.expr.low, node.expr.high) if isinstance(node.expr, nodes.ValueRange) else (node.expr, node.expr)
        low, high = constant(context, ends[0]), constant(context, ends[1])
    return tree.Case(node, low, high, _statements(context, node.stmts or ()))


def _label(context: Context, node: c_ast.Label) -> tree.Label:
    name = context.scope.label(node.name)
    if context.jumps.placed.setdefault(name, node) is not node:
        raise context.error(f"the label `{node.name}` is there twice; rename one of the two", node)
    return tree.Label(node, name, node.name, None)


def _labelled(context: Context, node: c_ast.Label) -> Statement:
    return replace(_label(context, node), statement=statement(context, node.stmt))


def _goto(context: Context, node: c_ast.Goto) -> Statement:
    name = context.scope.label(node.name)
    context.jumps.gotos.setdefault(name, node)
    return tree.Goto(node, name)


def check_labels(context: Context) -> None:
    """Every jump of the function leads somewhere."""
    for name, node in context.jumps.gotos.items():
        if name not in context.jumps.placed:
            raise context.error(f"there is no label `{node.name}`", node)


def _computed_goto(context: Context, node: nodes.ComputedGoto) -> Statement:
    target = value(context, node.target)
    if not isinstance(target.type, Pointer):
        raise context.error("`goto *` needs a pointer", node)
    return tree.ComputedGoto(node, converted(context, target, Pointer(VOID)))


def _assembly(context: Context, node: nodes.Asm) -> Statement | None:
    """The library's own texts say by it what they do not model."""
    what = node.template.strip('"') if is_ours(node) else "inline assembly"
    return None if node.is_barrier else tree.UnmodelledStatement(node, what)


def _nested_function(context: Context, node: nodes.NestedFunction) -> Statement:
    """GNU C only: the function would see the variables of the one around it."""
    type = declaration_type(context.declaring(), node.declaration)
    if isinstance(type, Function):
        context.scope.names[node.declaration.name] = FunctionName(node.declaration.name, type)
    return tree.UnmodelledStatement(node, "a nested function")


def _return(context: Context, node: c_ast.Return) -> Statement:
    if node.expr is None:
        return tree.Return(node, None)
    found = value(context, node.expr)
    assert context.result is not None
    type = context.result.result
    if type == VOID:
        return tree.Return(node, found)
    if isinstance(type, Record) and found.type is not type:
        raise context.error("a structure of another type is returned here", node)
    return tree.Return(node, assigned(context, found, type))


def statement_expression(context: Context, node: nodes.StatementExpression) -> Expression:
    """`({ ... })`: the value of the last statement, if that is an expression."""
    parts = list(node.body.block_items or ())
    labels: list[tree.Label] = []
    found: Expression | None = None
    with context.block():
        items = list(_statements(context, parts[:-1]))
        if parts:
            last = parts[-1]
            while isinstance(last, c_ast.Label):
                labels.append(_label(context, last))
                last = last.stmt
            if type(last) in _HANDLERS:
                items += [*labels, *_statements(context, [last])]
                labels = []
            else:
                found = value(context, last)
    inside = tree.Block(node.body, tuple(items), any(entrances(node.body)))
    return tree.StatementExpression(VOID if found is None else found.type, node, inside, tuple(labels), found)


def _comes_back(node: c_ast.Node) -> bool:
    """Whether a jump from elsewhere may lead here without a label."""
    return isinstance(node, c_ast.FuncCall) and isinstance(node.name, c_ast.ID) and node.name.name in SETTERS


def entrances(node: c_ast.Node) -> tuple[bool, bool]:
    """Whether there are labels inside, and cases of a switch outside: ways into a block elsewhere than at its start."""
    known = _entrances.get(node)
    if known is not None:
        return known
    labels, cases = isinstance(node, c_ast.Label) or _comes_back(node), isinstance(node, c_ast.Case | c_ast.Default)
    for child in node:
        inner = entrances(child)
        labels, cases = labels or inner[0], cases or inner[1]
    found = labels, cases and not isinstance(node, c_ast.Switch)
    if isinstance(node, c_ast.Compound | c_ast.For):
        _entrances[node] = found
    return found


_HANDLERS: Mapping[type, Typing] = {
    c_ast.Compound: block,
    c_ast.DeclList: _declarations,
    c_ast.Decl: declare,
    c_ast.Typedef: _typedef,
    c_ast.EmptyStatement: _nothing,
    c_ast.Pragma: _nothing,
    c_ast.AttributeDeclaration: _nothing,
    nodes.LocalLabels: _local_labels,
    c_ast.StaticAssert: _static_assertion,
    c_ast.AttributedStatement: _attributed,
    c_ast.If: _if,
    c_ast.While: _while,
    c_ast.DoWhile: _do,
    c_ast.For: _for,
    c_ast.Break: _break,
    c_ast.Continue: _continue,
    c_ast.Switch: _switch,
    c_ast.Case: _case,
    c_ast.Default: _case,
    c_ast.Label: _labelled,
    c_ast.Goto: _goto,
    nodes.ComputedGoto: _computed_goto,
    nodes.Asm: _assembly,
    nodes.NestedFunction: _nested_function,
    c_ast.Return: _return,
}
