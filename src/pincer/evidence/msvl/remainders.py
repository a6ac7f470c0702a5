"""What remains of a program for the next state: the nodes that only running it makes, beside those of its text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pincer.evidence.msvl.memory import CellVariable, Datum, NameScope
from pincer.frontends.msvl import syntax
from pincer.frontends.msvl.syntax import Node


class Remainder(Node):
    """A node that is in no text."""


@dataclass(frozen=True)
class AnyRemainder(Remainder):
    """No demand on what follows."""


@dataclass(frozen=True)
class Assignments(Remainder):
    """The second half of `x := e`: cells and the values they get at the next state, which ends there."""

    cells: tuple[tuple[CellVariable, int, Datum], ...]


@dataclass(frozen=True)
class Counting(Remainder):
    """`len(n)` with its number of steps left."""

    left: int


@dataclass(frozen=True)
class Sequel(Remainder):
    """`first ; after`."""

    first: Node
    after: Node


@dataclass(frozen=True)
class Conjoined(Remainder):
    parts: tuple[Node, ...]


@dataclass(frozen=True)
class Side(Remainder):
    """A parallel composition."""

    parts: tuple[Node, ...]


@dataclass(frozen=True)
class Projecting(Remainder):
    """A projection: the parts not begun, and what is left of the projected program."""

    parts: tuple[Node, ...]
    whole: Node


@dataclass(frozen=True)
class Scoping(Remainder):
    """A program whose names live in a scope of their own."""

    scope: NameScope
    body: Node


@dataclass(frozen=True)
class Activated(Remainder):
    """A call under way; its result goes to a variable at the end, if anyone wants it."""

    function: str
    scope: NameScope
    body: Node
    result: CellVariable | None


ANYTHING = AnyRemainder()


def conjoined(parts: Sequence[Node]) -> Node:
    kept = tuple(part for part in parts if part is not ANYTHING)
    if len(kept) == 1:
        return kept[0]
    return Conjoined(kept) if kept else ANYTHING


def sequel(*parts: Node) -> Node:
    """The parts one after the other."""
    first, *others = parts
    if not others:
        return first
    after = sequel(*others)
    return after if isinstance(first, syntax.Empty) else Sequel(first, after)
