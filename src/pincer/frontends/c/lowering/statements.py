"""Statements: blocks, declarations, decisions, loops, jumps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from pycparser import c_ast

from pincer.frontends.c.lowering.calls import call
from pincer.frontends.c.lowering.conditions import branch, decide
from pincer.frontends.c.lowering.conversions import NOTHING, convert, promoted_type
from pincer.frontends.c.lowering.expressions import constant, value, values
from pincer.frontends.c.lowering.frame import Frame
from pincer.frontends.c.lowering.lifetimes import has_labels, leave, lifetime
from pincer.frontends.c.lowering.locals import declare, declare_type
from pincer.frontends.c.lowering.memory import copy_record, named_origin, spill
from pincer.frontends.c.lowering.operators import discard
from pincer.frontends.c.lowering.stack import until_return
from pincer.frontends.c.lowering.values import MemoryPlace, Value
from pincer.frontends.c.semantics.declarations import check_static_assertion
from pincer.frontends.c.semantics.types import VOID, CType, Integer, Record
from pincer.frontends.c.syntax import nodes
from pincer.logic import bitvectors, terms
from pincer.logic.terms import Term
from pincer.program.control_flow import Assign, Fail, FailKind, Input

Handler: TypeAlias = Callable[[Frame, Any], None]
_HANDLERS: dict[type, Handler] = {}
_ERROR_LABELS = frozenset(("ERROR",))


def _handles(*kinds: type) -> Callable[[Handler], Handler]:
    def register(handler: Handler) -> Handler:
        _HANDLERS.update(dict.fromkeys(kinds, handler))
        return handler

    return register


def statement(frame: Frame, node: c_ast.Node | None) -> None:
    """Lower a statement or a declaration."""
    if node is None:
        return
    frame.move(node)
    handler = _HANDLERS.get(type(node))
    if handler is not None:
        handler(frame, node)
    else:
        evaluate(frame, node)


def evaluate(frame: Frame, node: c_ast.Node) -> None:
    """An expression statement: only its effects count."""
    while isinstance(node, c_ast.Cast) and isinstance(node.expr, c_ast.FuncCall):
        node = node.expr
    if isinstance(node, c_ast.FuncCall):
        call(frame, node, wanted=False)
    else:
        discard(frame, node)


@_handles(c_ast.Compound)
def _block(frame: Frame, node: c_ast.Compound) -> None:
    with lifetime(frame, node):
        for item in node.block_items or ():
            statement(frame, item)


def function_body(frame: Frame, node: c_ast.Compound) -> None:
    """The outermost block: its objects are those of the function."""
    frame.labelled = has_labels(node)
    with frame.block():
        for item in node.block_items or ():
            statement(frame, item)


def _part(frame: Frame, node: c_ast.Node | None) -> None:
    """A statement that is part of another: a block, with or without braces."""
    if node is None or isinstance(node, c_ast.Compound):
        statement(frame, node)
        return
    with lifetime(frame, node):
        statement(frame, node)


@_handles(c_ast.DeclList)
def _declarations(frame: Frame, node: c_ast.DeclList) -> None:
    for item in node.decls:
        statement(frame, item)


@_handles(c_ast.Decl)
def _declaration(frame: Frame, node: c_ast.Decl) -> None:
    declare(frame, node)


@_handles(c_ast.Typedef)
def _typedef(frame: Frame, node: c_ast.Typedef) -> None:
    declare_type(frame, node)


@_handles(c_ast.EmptyStatement, c_ast.Pragma, c_ast.AttributeDeclaration)
def _nothing(frame: Frame, node: c_ast.Node) -> None:
    """No effect."""


@_handles(nodes.LocalLabels)
def _local_labels(frame: Frame, node: nodes.LocalLabels) -> None:
    """The block's own labels get names that no label can have in C."""
    for name in node.names:
        frame.scope.labels[name] = frame.unique(f"{name}:")


@_handles(c_ast.StaticAssert)
def _static_assertion(frame: Frame, node: c_ast.StaticAssert) -> None:
    check_static_assertion(frame, node)


@_handles(c_ast.AttributedStatement)
def _attributed(frame: Frame, node: c_ast.AttributedStatement) -> None:
    statement(frame, node.stmt)


@_handles(c_ast.If)
def _if(frame: Frame, node: c_ast.If) -> None:
    yes, no, after = (frame.builder.location() for _ in range(3))
    branch(frame, node.cond, yes, no, frame.position)
    for start, part in ((yes, node.iftrue), (no, node.iffalse)):
        frame.builder.at(start)
        _part(frame, part)
        frame.builder.jump(after, frame.position)
    frame.builder.at(after)


@_handles(c_ast.While)
def _while(frame: Frame, node: c_ast.While) -> None:
    head, body, after = (frame.builder.location() for _ in range(3))
    position = frame.position
    frame.builder.jump(head, position)
    frame.builder.at(head)
    branch(frame, node.cond, body, after, position)
    frame.builder.at(body)
    _loop_body(frame, node.stmt, after, head)
    frame.builder.jump(head, position)
    frame.builder.at(after)


@_handles(c_ast.DoWhile)
def _do(frame: Frame, node: c_ast.DoWhile) -> None:
    body, test, after = (frame.builder.location() for _ in range(3))
    position = frame.position
    frame.builder.jump(body, position)
    frame.builder.at(body)
    _loop_body(frame, node.stmt, after, test)
    frame.builder.jump(test, position)
    frame.builder.at(test)
    frame.position = position
    branch(frame, node.cond, body, after, position)
    frame.builder.at(after)


@_handles(c_ast.For)
def _for(frame: Frame, node: c_ast.For) -> None:
    with lifetime(frame, node):
        position = frame.position
        if node.init is not None:
            statement(frame, node.init)
        head, body, step, after = (frame.builder.location() for _ in range(4))
        frame.builder.jump(head, position)
        frame.builder.at(head)
        frame.position = position
        if node.cond is not None:
            branch(frame, node.cond, body, after, position)
        else:
            frame.builder.jump(body, position)
        frame.builder.at(body)
        _loop_body(frame, node.stmt, after, step)
        frame.builder.jump(step, position)
        frame.builder.at(step)
        if node.next is not None:
            statement(frame, node.next)
        frame.builder.jump(head, position)
        frame.builder.at(after)


def _loop_body(frame: Frame, node: c_ast.Node, after: int, again: int) -> None:
    frame.breaks.append((after, len(frame.open)))
    frame.continues.append((again, len(frame.open)))
    _part(frame, node)
    frame.breaks.pop()
    frame.continues.pop()


@_handles(c_ast.Break)
def _break(frame: Frame, node: c_ast.Break) -> None:
    if not frame.breaks:
        raise frame.unit.error("`break` outside a loop or switch", node)
    target, depth = frame.breaks[-1]
    leave(frame, depth, target)


@_handles(c_ast.Continue)
def _continue(frame: Frame, node: c_ast.Continue) -> None:
    if not frame.continues:
        raise frame.unit.error("`continue` outside a loop", node)
    target, depth = frame.continues[-1]
    leave(frame, depth, target)


@_handles(c_ast.Switch)
def _switch(frame: Frame, node: c_ast.Switch) -> None:
    subject = value(frame, node.cond)
    if not isinstance(subject.type, Integer):
        raise frame.unit.error("`switch` needs an integer", node)
    subject = convert(frame, subject, promoted_type(subject.type))
    cases = list(_cases(node.stmt))
    if subject.term.op not in ("var", "bvconst") and len(cases) > 1:
        subject = spill(frame, subject)
    _check_cases(frame, cases, subject.type)
    after = frame.builder.location()
    default = after
    for case in cases:
        start = frame.cases[id(case)] = frame.builder.location()
        if isinstance(case, c_ast.Default):
            default = start
            continue
        following = frame.builder.location()
        decide(frame, _matches(frame, subject, case), start, following, frame.unit.position(case))
        frame.builder.at(following)
    frame.builder.jump(default, frame.position)
    frame.breaks.append((after, len(frame.open)))
    _part(frame, node.stmt)
    frame.breaks.pop()
    frame.builder.jump(after, frame.position)
    frame.builder.at(after)


def _cases(node: c_ast.Node) -> Iterator[c_ast.Case | c_ast.Default]:
    """The labels of a switch in order of the text, not those of inner switches."""
    if isinstance(node, c_ast.Case | c_ast.Default):
        yield node
    if isinstance(node, c_ast.Switch):
        return
    for child in node:
        yield from _cases(child)


def _check_cases(frame: Frame, cases: list[c_ast.Case | c_ast.Default], type: CType) -> None:
    """No value may have two labels."""
    seen: set[int | None] = set()
    for case in cases:
        if isinstance(case, c_ast.Case) and isinstance(case.expr, nodes.Range):
            continue
        known = None
        if isinstance(case, c_ast.Case):
            known = constant(frame, case.expr) & ((1 << frame.target.bits(type)) - 1)
        if known in seen:
            what = "`default`" if known is None else f"`case` for the value {constant(frame, case.expr)}"
            raise frame.unit.error(f"this switch has a second {what}", case)
        seen.add(known)


def _matches(frame: Frame, subject: Value, case: c_ast.Case) -> Term:
    assert isinstance(subject.type, Integer)
    bits, signed = subject.type.bits, subject.type.signed
    if isinstance(case.expr, nodes.Range):
        low, high = (bitvectors.constant(constant(frame, end), bits) for end in (case.expr.low, case.expr.high))
        name = "bvsle" if signed else "bvule"
        return terms.conjunction(
            bitvectors.compare(name, low, subject.term), bitvectors.compare(name, subject.term, high)
        )
    return terms.equal(subject.term, bitvectors.constant(constant(frame, case.expr), bits))


@_handles(c_ast.Case, c_ast.Default)
def _case(frame: Frame, node: c_ast.Case | c_ast.Default) -> None:
    if id(node) not in frame.cases:
        raise frame.unit.error("`case` outside a switch", node)
    start = frame.cases[id(node)]
    frame.builder.jump(start, frame.position)
    frame.builder.at(start)
    for part in node.stmts or ():
        statement(frame, part)


@_handles(c_ast.Label)
def _label(frame: Frame, node: c_ast.Label) -> None:
    _place_label(frame, node)
    if node.name in _ERROR_LABELS:
        frame.end(Fail(f"the label {node.name} is reached", FailKind.LABEL), node)
    statement(frame, node.stmt)


def _place_label(frame: Frame, node: c_ast.Label) -> None:
    if frame.placed.setdefault(frame.scope.label(node.name), node) is not node:
        raise frame.unit.error(f"the label `{node.name}` is there twice; rename one of the two", node)
    start = _labelled(frame, node.name)
    frame.builder.jump(start, frame.position)
    frame.builder.at(start)


def _labelled(frame: Frame, name: str) -> int:
    name = frame.scope.label(name)
    if name not in frame.labels:
        frame.labels[name] = frame.builder.location()
    return frame.labels[name]


@_handles(c_ast.Goto)
def _goto(frame: Frame, node: c_ast.Goto) -> None:
    frame.gotos.setdefault(frame.scope.label(node.name), node)
    leave(frame, 0, _labelled(frame, node.name))


@_handles(nodes.ComputedGoto)
def _computed_goto(frame: Frame, node: nodes.ComputedGoto) -> None:
    frame.unsupported("computed goto", node)


@_handles(nodes.Asm)
def _assembly(frame: Frame, node: nodes.Asm) -> None:
    if not node.is_barrier:
        frame.unsupported("inline assembly", node)


@_handles(c_ast.Return)
def _return(frame: Frame, node: c_ast.Return) -> None:
    type = frame.type.result
    if node.expr is not None:
        if type == VOID or frame.result is None:
            evaluate(frame, node.expr)
        elif isinstance(type, Record):
            _return_record(frame, node, type, frame.result)
        else:
            returned = convert(frame, value(frame, node.expr), type)
            if not frame.builder.retarget(returned.term, frame.result):
                frame.emit(Assign(frame.result, returned.term), node)
    elif type != VOID:
        undefined_result(frame, node)
    leave(frame, 0, frame.epilogue)


def undefined_result(frame: Frame, node: c_ast.Node | None) -> None:
    """A function returns without the value its type promises; it is undefined, but 0 for main."""
    if frame.result is None or isinstance(frame.type.result, Record):
        return
    if frame.name == "main":
        frame.emit(Assign(frame.result, bitvectors.constant(0, bitvectors.width(frame.result))), node)
    else:
        frame.emit(Input(frame.result, f"missing return value of {frame.name}", "undefined"), node)


def _return_record(frame: Frame, node: c_ast.Return, type: Record, address: Term) -> None:
    returned = value(frame, node.expr)
    if returned.type is not type:
        raise frame.unit.error("a structure of another type is returned here", node)
    source = MemoryPlace(type, returned.term, node.expr, returned.origin)
    target = MemoryPlace(type, address, node.expr, named_origin(frame, address, type.size or 0))
    copy_record(frame, target, source, node)


@values(nodes.StatementExpression)
def _statement_expression(frame: Frame, node: nodes.StatementExpression) -> Value:
    """The value of the last statement, kept because the variables it may use end here."""
    result = NOTHING
    arrays = len(frame.arrays)
    with lifetime(frame, node.body):
        parts = list(node.body.block_items or ())
        for part in parts[:-1]:
            statement(frame, part)
        if parts:
            last = parts[-1]
            while isinstance(last, c_ast.Label):
                last = _open_label(frame, last)
            if type(last) in _HANDLERS:
                statement(frame, last)
            else:
                result = value(frame, last)
                if frame.objects or len(frame.arrays) > arrays:
                    result = _kept(frame, result, last)
    return result


def _kept(frame: Frame, result: Value, node: c_ast.Node) -> Value:
    """A value that does not change when the objects of the block end; a pointer may point to one of them."""
    if isinstance(result.type, Record):
        size = result.type.size or 0
        copy = until_return(frame, frame.address(size), node)
        source = MemoryPlace(result.type, result.term, node, result.origin)
        copy_record(frame, MemoryPlace(result.type, copy, node, named_origin(frame, copy, size)), source, node)
        return Value(result.type, copy, named_origin(frame, copy, size))
    return result if result.type == VOID else Value(result.type, spill(frame, result).term)


def _open_label(frame: Frame, node: c_ast.Label) -> c_ast.Node:
    _place_label(frame, node)
    return node.stmt
