"""Statements on their way into a sequence: what each may set to leave what surrounds it, and the tests that follow.

C jumps; MSVL does not. A jump sets a flag, and everything that the jump would have skipped is put under a test of the
flag. A flag is 0 until its jump is taken.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from msgspec import Struct

from pincer.frontends.msvl import syntax
from pincer.frontends.msvl.syntax import Expression, Statement

RETURN = "return"
ERROR = "error$"
EXIT = "exit$"
_FIRST = (RETURN, ERROR, EXIT)
NO_FLAGS: frozenset[str] = frozenset()


class Step(Struct, frozen=True):
    """A statement and the flags it may set; `leaves` says that it always sets one of them."""

    statement: Statement
    exits: frozenset[str] = NO_FLAGS
    leaves: bool = False


def zero(flags: Collection[str]) -> Expression | None:
    """The condition that none of the flags is set; None when there are none."""
    ordered = sorted(flags, key=lambda flag: (flag in _FIRST, flag))
    return conjunction(syntax.Binary("=", syntax.Name(flag), syntax.Number(0)) for flag in ordered)


def conjunction(conditions: Iterable[Expression | None]) -> Expression | None:
    """All conditions that there are, joined by `AND` from left to right."""
    total: Expression | None = None
    for condition in conditions:
        if condition is not None:
            total = condition if total is None else syntax.Binary("AND", total, condition)
    return total


def exits_of(steps: Iterable[Step]) -> frozenset[str]:
    return NO_FLAGS.union(*(step.exits for step in steps))


def joined(steps: Sequence[Step]) -> Step:
    """The steps as one; nothing at all is `skip`, so that loops and branches always take time."""
    return Step(sequence(steps), exits_of(steps), any(step.leaves for step in steps))


def sequence(steps: Sequence[Step]) -> Statement:
    """One statement after the other; what follows a step that may jump away is tested, what it always skips is left."""
    last = next((i for i, step in enumerate(steps) if step.leaves), len(steps) - 1)
    rest: list[Statement] = []
    for step in reversed(steps[: last + 1]):
        if step.exits and rest:
            condition = zero(step.exits)
            assert condition is not None
            rest = [syntax.If(condition, chop(rest), syntax.Skip())]
        rest = [step.statement, *rest]
    return chop(rest) if rest else syntax.Skip()


def chop(parts: Sequence[Statement]) -> Statement:
    flat: list[Statement] = []
    for part in parts:
        flat.extend(part.parts if isinstance(part, syntax.Chop) else (part,))
    return flat[0] if len(flat) == 1 else syntax.Chop(tuple(flat))


def at_once(*statements: Statement) -> Statement:
    """The statements together, taking one state."""
    return syntax.And((*statements, syntax.Skip()))


def flagged(*names: str) -> Statement:
    """Flags declared and reset: executing a declaration again only resets its variables."""
    declarators = tuple(syntax.Declarator(name, initial=syntax.Number(0)) for name in names)
    return at_once(syntax.Declaration(syntax.TypeName(("int",)), declarators))


def raised(flag: str) -> Statement:
    return syntax.Immediate(syntax.Name(flag), syntax.Number(1))
