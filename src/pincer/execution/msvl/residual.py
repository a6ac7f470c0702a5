"""What remains of a program: the nodes that only execution makes, beside those of the syntax tree.

They are hashable and compare by concrete values, so that a run notices when it comes back to where it was. Smart
constructors keep remainders small: `empty; p` is `p`, and TRUE vanishes from conjunctions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field
from typing import cast

from pincer.execution.msvl.values import Concrete, Value
from pincer.frontends.msvl import syntax
from pincer.frontends.msvl.syntax import Expression, Node, Statement, children, node
from pincer.frontends.msvl.text import statement_text
from pincer.logic.terms import Term


@node
class Anything(Node):
    """TRUE: no demand on what follows."""


TRUE = Anything()
EMPTY = syntax.Empty()


@node
class Pending(Node):
    """The second half of `x := e`: slots and the values they get at the next state, which ends there."""

    targets: tuple[tuple[int, int], ...]
    concretes: tuple[Concrete, ...]
    symbolics: tuple[Term | None, ...] = field(compare=False)
    generations: tuple[int, ...] = field(compare=False)
    place: Expression = field(compare=False)
    at: int = field(compare=False)


@node
class Then(Node):
    """`first ; after`."""

    first: Node
    after: Node


@node
class Both(Node):
    """A conjunction of remainders; `at` is where the conjunction stands."""

    parts: tuple[Node, ...]
    at: int = field(default=0, compare=False)


@node
class Together(Node):
    """A parallel composition of remainders."""

    parts: tuple[Node, ...]


@node
class Project(Node):
    """A projection under way: the parts not begun, and what is left of the projected program."""

    parts: tuple[Node, ...]
    whole: Node


@node
class Counted(Node):
    """`len(n)` with its number of steps left."""

    left: int


@node
class Scoped(Node):
    """A program whose names live in a scope of their own."""

    scope: int
    body: Node


@node
class PendingActivation(Node):
    """A function call under way; its result goes to object `result` at the end, if anyone wants it."""

    function: str
    scope: int
    body: Node
    result: int | None


def then(first: Node, after: Node) -> Node:
    return after if type(first) is syntax.Empty else Then(first, after)


def both(parts: Iterable[Node], at: int = 0) -> Node:
    kept = tuple(part for part in parts if part is not TRUE)
    if len(kept) == 1:
        return kept[0]
    return Both(kept, at) if kept else TRUE


def together(parts: list[Node]) -> Node:
    return parts[0] if len(parts) == 1 else Together(tuple(parts))


def pending_symbols(root: Node) -> Iterator[tuple[Term | None, ...]]:
    """The symbolic sides of all pending assignments, in order."""
    if isinstance(root, Pending):
        yield root.symbolics
    elif type(root).__module__ == __name__:
        for child in children(root):
            yield from pending_symbols(child)


def remaining_text(remaining: Node) -> str:
    """What remains as MSVL text on one line; pending values show their terms in braces, as in `x<==4{s_x + 3}`."""
    return statement_text(_displayed(remaining))


def value_text(value: Value) -> str:
    shown = f'"{value.concrete}"' if isinstance(value.concrete, str) else str(value.concrete)
    return shown if value.symbolic is None else f"{shown}{{{value.symbolic}}}"


def _displayed(remaining: Node) -> Statement:
    match remaining:
        case Anything():
            return syntax.Evaluate(syntax.Truth(True))
        case Pending():
            values = map(Value, remaining.concretes, remaining.symbolics)
            shown = ",".join(map(value_text, values))
            if len(remaining.targets) != 1:
                shown = f"[{shown}]"
            return syntax.And((syntax.Immediate(remaining.place, syntax.Name(shown)), EMPTY))
        case Then():
            parts = tuple(map(_displayed, _chain(remaining)))
            return syntax.Chop(tuple(piece for part in parts for piece in _pieces(part)))
        case Both(parts):
            return syntax.And(tuple(map(_displayed, parts)))
        case Together(parts):
            return syntax.Parallel(tuple(map(_displayed, parts)))
        case Project(parts, whole):
            return syntax.Projection(tuple(map(_displayed, parts)), _displayed(whole))
        case Counted(left):
            return syntax.LengthStatement(syntax.Number(left))
        case Scoped(_, body) | PendingActivation(_, _, body):
            return _displayed(body)
    return cast(Statement, remaining)


def _chain(sequence: Node) -> Iterator[Node]:
    if isinstance(sequence, Then):
        yield from _chain(sequence.first)
        yield from _chain(sequence.after)
    else:
        yield sequence


def _pieces(statement: Statement) -> tuple[Statement, ...]:
    return statement.parts if isinstance(statement, syntax.Chop) else (statement,)
