"""`switch`: one test for each group of labels, with a flag that says that an earlier group fell through."""

from __future__ import annotations

from dataclasses import dataclass, field

from pincer.frontends.c.semantics import tree
from pincer.frontends.c.semantics.tree import bare
from pincer.frontends.c.semantics.types import Integer
from pincer.frontends.msvl import syntax
from pincer.frontends.msvl.from_c.arithmetic import Operand, limits
from pincer.frontends.msvl.from_c.context import TranslatedBody
from pincer.frontends.msvl.from_c.expressions import value
from pincer.frontends.msvl.from_c.statements import block_items
from pincer.frontends.msvl.from_c.steps import (
    NO_FLAGS,
    Step,
    at_once,
    conjunction,
    exits_of,
    flagged,
    raised,
    sequence,
    zero,
)
from pincer.frontends.msvl.syntax import Expression, Statement


@dataclass
class _CaseGroup:
    """Labels that stand together, as ranges of values, and the statements up to the next label."""

    ranges: list[tuple[int, int]] = field(default_factory=list)
    default: bool = False
    items: list[tree.Statement] = field(default_factory=list)


def switch(body: TranslatedBody, node: tree.Switch) -> None:
    chosen = value(body, bare(node.subject))
    body.block += 1
    with body.whole.exactly(node.written):
        kind = node.subject.type
        assert isinstance(kind, Integer)
        groups = _groups(body, node, kind)
        _translate(body, body.arithmetic.converted(chosen, kind), groups)


def _translate(body: TranslatedBody, chosen: Operand, groups: list[_CaseGroup]) -> None:
    body.switches += 1
    name = body.frame_name(body.names.claim(f"nm_{body.switches}$"))
    body.emit(at_once(body.whole.types.shape(chosen.type).declaration(name, chosen.expression)))
    subject = syntax.Name(name)
    body.level += 1
    fell, own_break = body.frame_name(f"switch${body.level}"), f"break${body.level}"
    body.breaks.append(own_break)
    known = set(body.framed)
    bodies: list[list[Step]] = []
    for group in groups:
        with body.collecting() as steps:
            block_items(body, group.items)
        bodies.append(steps)
    body.breaks.pop()
    body.level -= 1
    left = exits_of(step for steps in bodies for step in steps)
    body.emit(flagged(fell, *((own_break,) if own_break in left else ())))
    new = (set(body.framed) - known) & set(body.whole.variables.values())
    body.steps.extend(Step(at_once(one)) for one in _visible(bodies, new))
    before: frozenset[str] = NO_FLAGS
    for number, steps in enumerate(bodies):
        test = _test(subject, groups, number, _fallen(fell, before) if number else None, zero(before))
        statement: Statement = sequence([Step(at_once(raised(fell))), *steps])
        if test is not None:
            statement = syntax.If(test, statement, syntax.Skip())
        before |= exits_of(steps)
        # The tests of later groups look at the flags themselves: no test has to surround them.
        body.emit(statement, NO_FLAGS)
    if body.steps:
        last = body.steps.pop()
        body.emit(last.statement, before - {own_break})


def _visible(bodies: list[list[Step]], new: set[str]) -> list[Statement]:
    """Declarations made directly in the block of the switch, without their values: other groups may use the names."""
    found: list[Statement] = []
    for step in (step for steps in bodies for step in steps):
        first = step.statement.parts[0] if isinstance(step.statement, syntax.And) else None
        if isinstance(first, syntax.Declaration):
            for one in first.declarators:
                if one.name in new:
                    empty = syntax.Declarator(one.name, one.stars, one.dimensions)
                    found.append(syntax.Declaration(first.type, (empty,)))
    return found if len(bodies) > 1 else []


def _fallen(fell: str, before: frozenset[str]) -> Expression:
    """An earlier group has been entered and not been left."""
    condition = conjunction((syntax.Binary("=", syntax.Name(fell), syntax.Number(1)), zero(before)))
    assert condition is not None
    return condition


def _test(
    subject: Expression, groups: list[_CaseGroup], number: int, fallen: Expression | None, unleft: Expression | None
) -> Expression | None:
    """When a group runs; None for always."""
    group = groups[number]
    if group.default and number == len(groups) - 1:
        return unleft
    if group.default:
        others = [pair for other in groups for pair in other.ranges if other is not group]
        matched = conjunction(syntax.Unary("!", _within(subject, pair)) for pair in others)
        return _either(matched, fallen) if matched is not None else None
    total: Expression | None = None
    for pair in group.ranges:
        total = _within(subject, pair) if total is None else syntax.Binary("OR", total, _within(subject, pair))
    assert total is not None
    return _either(total, fallen)


def _either(condition: Expression, fallen: Expression | None) -> Expression:
    return condition if fallen is None else syntax.Binary("OR", condition, fallen)


def _within(subject: Expression, pair: tuple[int, int]) -> Expression:
    low, high = pair
    if low == high:
        return syntax.Binary("=", subject, syntax.Number(low))
    above = syntax.Binary(">=", subject, syntax.Number(low))
    return syntax.Binary("AND", above, syntax.Binary("<=", subject, syntax.Number(high)))


def _groups(body: TranslatedBody, node: tree.Switch, kind: Integer) -> list[_CaseGroup]:
    groups: list[_CaseGroup] = []
    for item in node.body.statements if isinstance(node.body, tree.Block) else ():
        if isinstance(item, tree.Case):
            if not groups or groups[-1].items:
                groups.append(_CaseGroup())
            _add_label(groups[-1], item, kind)
            groups[-1].items.extend(item.statements)
        elif groups:
            groups[-1].items.append(item)
        else:
            body.whole.refuse("a statement of a `switch` before its first label", item.written)
    return groups


def _add_label(group: _CaseGroup, item: tree.Case, kind: Integer) -> None:
    if item.low is None or item.high is None:
        group.default = True
    elif item.low != item.high:
        group.ranges.append((item.low, item.high))
    else:
        least = limits(kind)[0]
        number = (item.low - least) % (1 << kind.bits) + least
        group.ranges.append((number, number))
