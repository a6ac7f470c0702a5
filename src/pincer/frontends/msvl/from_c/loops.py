"""Loops: conditions with their effects before the loop and at the end of every round, jumps as flags."""

from __future__ import annotations

from collections.abc import Callable

from pycparser import c_ast

from pincer.frontends.msvl import syntax
from pincer.frontends.msvl.from_c.context import Body
from pincer.frontends.msvl.from_c.effects import discard
from pincer.frontends.msvl.from_c.expressions import condition
from pincer.frontends.msvl.from_c.statements import branch, handles, statement
from pincer.frontends.msvl.from_c.steps import Step, conjunction, exits_of, flagged, joined, sequence, zero
from pincer.frontends.msvl.syntax import Expression

_TRUE = syntax.Number(1)


@handles(c_ast.While)
def _while(body: Body, node: c_ast.While) -> None:
    _loop(body, node.cond, lambda: branch(body, node.stmt))


@handles(c_ast.For)
def _for(body: Body, node: c_ast.For) -> None:
    body.block += 1
    with body.context.block():
        statement(body, node.init)
        _loop(body, node.cond, lambda: branch(body, node.stmt), node.next)


@handles(c_ast.DoWhile)
def _do(body: Body, node: c_ast.DoWhile) -> None:
    count = body.frame_name(f"count${body.level + 1}")
    body.emit(flagged(count))
    counted = syntax.Name(count)
    began = Step(syntax.Unit(counted, syntax.Binary("+", counted, syntax.Number(1))))
    first = syntax.Binary("=", counted, syntax.Number(0))
    _loop(body, node.cond, lambda: branch(body, node.stmt), began=began, first=first)


def _loop(
    body: Body,
    test: c_ast.Node | None,
    inside: Callable[[], list[Step]],
    following: c_ast.Node | None = None,
    began: Step | None = None,
    first: Expression | None = None,
) -> None:
    """`began` begins every round; where `first` holds the round is made whatever the test says.

    The effects of the test stand before the loop, unless its first round needs no test, and end every round.
    """
    with body.collecting() as tests:
        found = None if test is None else condition(body, test)
    steps, own_break, own_continue = _inside(body, inside)
    with body.collecting() as after:
        if following is not None:
            discard(body, following)
    round_ = [began] if began is not None else []
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
        found = syntax.Binary("OR", first, found)
    continued = conjunction((zero(leaving), found)) or _TRUE
    body.emit(syntax.While(continued, sequence(round_steps)), leaving - {own_break})


def _inside(body: Body, inside: Callable[[], list[Step]]) -> tuple[list[Step], str, str]:
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
