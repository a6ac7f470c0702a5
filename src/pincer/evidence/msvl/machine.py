"""A run under way: its memory, its inputs, and what has happened at the current state.

Conjuncts and parallel sides are strands of one state: what one has written, the others may only repeat. Parts of a
sequence follow each other: a later one may write again, unless the program is read as the pure logic (`reject`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import ParamSpec, TypeVar

from msgspec import Struct

from pincer.errors import PincerError
from pincer.evidence.msvl.counterexample import Interpretation
from pincer.evidence.msvl.memory import Cell, CellVariable, Datum, NameScope, NoState, RunCut, VariableMemory
from pincer.frontends.msvl.program import MsvlFunction, Program
from pincer.frontends.msvl.types import Type


class ReplayLimits(Struct, frozen=True):
    """How far a run is followed; beyond that it is not confirmed."""

    most_calls: int = 1_000
    """Calls within calls."""
    most_private_states: int = 100_000
    """States of a function that runs on time of its own."""
    most_rounds: int = 10_000
    """Rounds of a loop in one state."""


LIMITS = ReplayLimits()

A = TypeVar("A")
T = TypeVar("T")
P = ParamSpec("P")


@dataclass(slots=True)
class Now:
    """What has happened at the current state.

    `own` is what this strand has written, `others` what the strands beside it have; `written` and `tested` are what
    anybody has written or a condition has read. `active` are the scopes in which something ran, `ended` those that end.
    """

    own: dict[Cell, Datum] = field(default_factory=dict)
    others: list[dict[Cell, Datum]] = field(default_factory=list)
    written: dict[Cell, Datum] = field(default_factory=dict)
    tested: dict[Cell, Datum] = field(default_factory=dict)
    framed: set[CellVariable] = field(default_factory=set)
    active: list[NameScope] = field(default_factory=list)
    ended: list[NameScope] = field(default_factory=list)


@dataclass(slots=True)
class ReplayMachine:
    """`private_run` is what runs a function to its end on time of its own; the interpreter sets it."""

    program: Program
    how: Interpretation
    inputs: Mapping[str, int]
    memory: VariableMemory = field(default_factory=VariableMemory)
    now: Now = field(default_factory=Now)
    everywhere: NameScope = field(default_factory=NameScope)
    scope: NameScope = field(init=False)
    testing: bool = False
    calls: int = 0
    private_run: Callable[[MsvlFunction, list[Datum]], Datum | None] = field(init=False)
    counts: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.scope = self.everywhere

    def size(self, type_: Type) -> int:
        return self.program.layouts.slots(type_)

    def exists(self, variable: CellVariable) -> bool:
        """Whether a variable is still there: not released, and not in a scope that has ended at this state."""
        return variable.there and not any(variable in scope.own.values() for scope in self.now.ended)

    def read(self, variable: CellVariable, offset: int) -> Datum:
        value = variable.get(offset)
        if self.testing:
            self.now.tested[variable, offset] = value
        return value

    def write(self, variable: CellVariable, offset: int, value: Datum) -> None:
        """Give a cell its value at this state, if all that has happened here agrees."""
        cell, now = (variable, offset), self.now
        agreeing = list(now.others)
        if self.how.same_state == "reject":
            agreeing += [now.written, now.tested]
        for book in agreeing:
            if cell in book and book[cell] != value:
                raise NoState(f"`{variable.name}` is {book[cell]} at this state and gets {value}")
        if not variable.there:
            raise NoState(f"`{variable.name}` no longer exists when it gets its value")
        now.own[cell] = now.written[cell] = value
        variable.put(offset, value)

    def input(self, label: str, low: int | None, high: int | None) -> int:
        """The next recorded input with the label."""
        count = self.counts[label] = self.counts.get(label, 0) + 1
        name = f"s_{label}" if count == 1 else f"s_{label}#{count}"
        if name not in self.inputs:
            raise RunCut(f"the program reads the input {name}, which is not recorded")
        value = self.inputs[name]
        if (low is not None and value < low) or (high is not None and value > high):
            raise PincerError(f"the input {name} is {value}, which its type does not allow")
        return value

    def within(self, scope: NameScope, action: Callable[[A], T], argument: A) -> T:
        """Do something where the names of a scope hold."""
        before, self.scope = self.scope, scope
        try:
            return action(argument)
        finally:
            self.scope = before

    def leave(self, kept: Collection[CellVariable] = ()) -> None:
        """Go over to the next state: unframed variables lose their values, scopes that have ended go.

        `kept` need no frame here, because their own time does not go on.
        """
        if self.how.framing == "strict":
            for variable in self.memory.variables.values():
                if not variable.automatic and variable not in self.now.framed and variable not in kept:
                    variable.cells.clear()
        for scope in self.now.ended:
            for variable in scope.own.values():
                self.memory.release(variable)
        self.now = Now()


class Strands:
    """Statements that share a state: each is run against what the others have written."""

    def __init__(self, machine: ReplayMachine) -> None:
        self._now = machine.now
        self._outer = machine.now.own
        self._together: dict[Cell, Datum] = {}

    def __enter__(self) -> Strands:
        self._now.others.append(self._together)
        return self

    def run(self, action: Callable[P, T], *arguments: P.args, **options: P.kwargs) -> T:
        self._now.own = {}
        result = action(*arguments, **options)
        self._together.update(self._now.own)
        return result

    def __exit__(self, *failure: object) -> None:
        self._now.others.pop()
        self._outer.update(self._together)
        self._now.own = self._outer
