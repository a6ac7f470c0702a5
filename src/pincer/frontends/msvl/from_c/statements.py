"""Statements: blocks, expressions, decisions, loops and jumps.

Conditions have their effects before a loop and at the end of every round; jumps are flags.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import groupby

from pycparser import c_ast

from pincer.frontends.c.semantics import tree
from pincer.frontends.c.semantics.types import Void
from pincer.frontends.msvl import syntax
from pincer.frontends.msvl.from_c.context import TranslatedBody
from pincer.frontends.msvl.from_c.declarations import declare, origin
from pincer.frontends.msvl.from_c.effects import discard
from pincer.frontends.msvl.from_c.expressions import condition, converted
from pincer.frontends.msvl.from_c.steps import (
    RETURN,
    Step,
    at_once,
    conjunction,
    exits_of,
    flagged,
    joined,
    raised,
    sequence,
    zero,
)
from pincer.frontends.msvl.program import RESULT
from pincer.frontends.msvl.syntax import Expression, Statement

_TRUE = syntax.Number(1)
_REFUSED: dict[type, str] = {
    tree.Goto: "`goto`",
    tree.Cleanup: "the attribute cleanup",
    tree.ComputedGoto: "`goto` to a computed label",
    tree.Label: "a label",
    tree.Case: "a label inside another statement of its `switch`",
    tree.Measure: "an array whose length is not constant",
}


def statement(body: TranslatedBody, node: tree.Statement | None) -> None:
    """Translate a statement; its steps follow those of the body so far."""
    if node is None:
        return
    handler = body.whole.means.statements.get(type(node))
    if handler is None:
        what = node.what if isinstance(node, tree.UnmodelledStatement) else _REFUSED[type(node)]
        body.whole.refuse(what, node.written)
    handler(body, node)


def block_items(body: TranslatedBody, items: Iterable[tree.Statement]) -> None:
    """The items of a block: what one declaration of C introduces belongs together."""
    for _, group in groupby(items, lambda item: origin(item.written) or item):
        declared: list[tree.Declare] = []
        for item in group:
            if isinstance(item, tree.Declare):
                declared.append(item)
            else:
                statement(body, item)
        if declared:
            declare(body, declared)


def block(body: TranslatedBody, node: tree.Block) -> None:
    body.block += isinstance(node.written, c_ast.Compound)
    block_items(body, node.statements)


def group(body: TranslatedBody, node: tree.Group) -> None:
    block_items(body, node.statements)


def evaluate(body: TranslatedBody, node: tree.Evaluate) -> None:
    discard(body, node.expression)


def branch(body: TranslatedBody, node: tree.Statement | None) -> list[Step]:
    """The steps of a statement that another one contains."""
    with body.collecting() as steps:
        statement(body, node)
    return steps


def if_(body: TranslatedBody, node: tree.If) -> None:
    test = condition(body, node.condition)
    yes, no = branch(body, node.yes), branch(body, node.no)
    if not yes and not no and body.whole.scheme.drop_abort:
        return
    first, second = joined(yes), joined(no)
    leaves = first.leaves and second.leaves
    body.emit(syntax.If(test, first.statement, second.statement), exits_of((first, second)), leaves)


def break_(body: TranslatedBody, node: tree.Break) -> None:
    _jump(body, body.breaks[-1])


def continue_(body: TranslatedBody, node: tree.Continue) -> None:
    _jump(body, body.continues[-1])


def _jump(body: TranslatedBody, flag: str) -> None:
    body.emit(at_once(raised(body.frame_name(flag))), frozenset((flag,)), leaves=True)


def return_(body: TranslatedBody, node: tree.Return) -> None:
    result: Statement = syntax.Skip()
    if node.value is not None and isinstance(body.type.result, Void):
        discard(body, node.value)
    elif node.value is not None:
        found = converted(body, node.value, body.type.result)
        result = syntax.Unit(syntax.Name(RESULT), found.expression)
    body.returns = True
    flags = frozenset((body.frame_name(RETURN),))
    leaving: Statement = syntax.And((raised(RETURN), result))
    if body.whole.scheme.compat:
        leaving = syntax.Chop((leaving, syntax.Skip()))
    body.emit(leaving, flags, leaves=True)


def while_(body: TranslatedBody, node: tree.While) -> None:
    _loop(body, node.condition, lambda: branch(body, node.body))


def for_(body: TranslatedBody, node: tree.For) -> None:
    body.block += 1
    statement(body, node.first)
    _loop(body, node.condition, lambda: branch(body, node.body), node.step)


def do_(body: TranslatedBody, node: tree.DoWhile) -> None:
    count = body.frame_name(f"count${body.level + 1}")
    body.emit(flagged(count))
    counted = syntax.Name(count)
    began = Step(syntax.Unit(counted, syntax.Binary("+", counted, syntax.Number(1))))
    first = syntax.Binary("=", counted, syntax.Number(0))
    _loop(body, node.condition, lambda: branch(body, node.body), first=(began, first))


def _loop(
    body: TranslatedBody,
    test: tree.Expression | None,
    inside: Callable[[], list[Step]],
    following: tree.Statement | None = None,
    first: tuple[Step, Expression] | None = None,
) -> None:
    """`first` is a step that begins every round, and a condition under which the test is not asked.

    The effects of the test stand before the loop, unless its first round needs no test, and end every round.
    """
    with body.collecting() as tests:
        found = None if test is None else condition(body, test)
    steps, own_break, own_continue = _inside(body, inside)
    with body.collecting() as after:
        statement(body, following)
    round_ = [first[0]] if first is not None else []
    if own_continue in exits_of(steps):
        round_.append(Step(flagged(own_continue)))
    round_steps = [*after, *tests]
    if round_ or steps:
        whole = joined([*round_, *steps])
        round_steps.insert(0, Step(whole.statement, whole.exits - {own_continue}))
    leaving = exits_of(round_steps)
    if own_break in leaving:
        body.emit(flagged(own_break))
    if first is None:
        body.steps.extend(tests)
    elif found is not None:
        found = syntax.Binary("OR", first[1], found)
    continued = conjunction((zero(leaving), found)) or _TRUE
    body.emit(syntax.While(continued, sequence(round_steps)), leaving - {own_break})


def _inside(body: TranslatedBody, inside: Callable[[], list[Step]]) -> tuple[list[Step], str, str]:
    """The steps of the loop's statement, with the flags that `break` and `continue` set in it."""
    body.level += 1
    own_break, own_continue = f"break${body.level}", f"continue${body.level}"
    body.breaks.append(own_break)
    body.continues.append(own_continue)
    steps = inside()
    body.continues.pop()
    body.breaks.pop()
    body.level -= 1
    return steps, own_break, own_continue
