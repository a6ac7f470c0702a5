"""Fewer states on request: leading declarations together, inputs in the state of their declaration."""

from __future__ import annotations

from collections.abc import Sequence

from pincer.frontends.msvl import syntax
from pincer.frontends.msvl.from_c.context import Scheme
from pincer.frontends.msvl.from_c.steps import Step, at_once
from pincer.frontends.msvl.syntax import Statement


def merged(steps: Sequence[Step], scheme: Scheme) -> list[Step]:
    done = list(steps)
    if scheme.merge_declarations:
        done = _declarations_merged(done)
    return _inputs_merged(done) if scheme.merge_input else done


def _declarations_merged(steps: list[Step]) -> list[Step]:
    """The leading declarations in one state. Their order still holds: each part of a conjunction waits for its data."""
    leading: list[Statement] = []
    names: set[str] = set()
    count = 0
    for step in steps:
        parts = _parts(step)
        declared = {one.name for part in parts if isinstance(part, syntax.Declaration) for one in part.declarators}
        if not parts or not all(isinstance(part, syntax.Declaration) for part in parts) or declared & names:
            break
        leading.extend(parts)
        names |= declared
        count += 1
    return [Step(at_once(*leading)), *steps[count:]] if count > 1 else steps


def _inputs_merged(steps: list[Step]) -> list[Step]:
    done: list[Step] = []
    for step in steps:
        parts = _parts(step)
        before = _parts(done[-1]) if done else ()
        if len(parts) == 1 and isinstance(parts[0], syntax.InputStatement) and _declares(before, parts[0]):
            done[-1] = Step(at_once(*before, *parts))
        else:
            done.append(step)
    return done


def _parts(step: Step) -> tuple[Statement, ...]:
    """What a step does in its one state; nothing for a step of any other form."""
    statement = step.statement
    if isinstance(statement, syntax.And) and isinstance(statement.parts[-1], syntax.Skip):
        return statement.parts[:-1]
    return ()


def _declares(parts: tuple[Statement, ...], reading: syntax.InputStatement) -> bool:
    declared = {
        syntax.Name(one.name)
        for part in parts
        if isinstance(part, syntax.Declaration)
        for one in part.declarators
        if one.initial is None
    }
    return set(reading.targets) <= declared
