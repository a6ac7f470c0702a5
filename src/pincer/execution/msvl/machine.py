"""The state of a run: memory, the books of the current state, and everything the run records.

The books of a state decide which writes agree. Conjuncts and parallel sides are siblings: what one has written, the
others may only repeat. Parts of a sequence follow each other: under `overwrite` a later one may write again.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pincer.errors import PincerError
from pincer.execution.msvl.effects import Analysis
from pincer.execution.msvl.records import (
    Concretised,
    ExecutionError,
    InconsistentState,
    InputRead,
    NullPointer,
    Options,
    OutputText,
    PathConstraint,
    WriteConflict,
)
from pincer.execution.msvl.store import GLOBAL, VariableStore
from pincer.execution.msvl.values import Value, condition_term, integer_term, is_true
from pincer.frontends.msvl import syntax
from pincer.frontends.msvl.program import Program
from pincer.logic import terms
from pincer.logic.terms import Term

Slot = tuple[int, int]
"""An object and an offset in it."""


@dataclass(slots=True)
class Books:
    """What has happened at the current state."""

    own: dict[Slot, Value] = field(default_factory=dict)
    siblings: list[dict[Slot, Value]] = field(default_factory=list)
    written: dict[Slot, Value] = field(default_factory=dict)
    tested: dict[Slot, Value] = field(default_factory=dict)
    framed: set[int] = field(default_factory=set)
    ended: list[int] = field(default_factory=list)
    active: list[int] = field(default_factory=list)

    def save(self) -> tuple[Any, ...]:
        """The entries of all books; those who are writing into them keep the same books when they are restored."""
        entries = [(book, dict(book)) for book in (self.own, *self.siblings, self.written, self.tested)]
        return entries, set(self.framed), len(self.ended), len(self.active)

    def restore(self, saved: tuple[Any, ...]) -> None:
        entries, self.framed, ended, active = saved
        for book, contents in entries:
            book.clear()
            book.update(contents)
        books = [book for book, _ in entries]
        self.own, *self.siblings, self.written, self.tested = books
        del self.ended[ended:], self.active[active:]


@dataclass(slots=True)
class Machine:
    """`given` are the inputs asked for by name; all others are drawn at random and recorded like them.

    `passed`, if there is such a list, gets every statement that is stepped."""

    program: Program
    options: Options
    given: Mapping[str, int]
    store: VariableStore = field(default_factory=VariableStore)
    books: Books = field(default_factory=Books)
    scope: int = GLOBAL
    state: int = 0
    testing: bool = False
    depth: int = 0
    constraints: list[PathConstraint] = field(default_factory=list)
    inputs: list[InputRead] = field(default_factory=list)
    outputs: list[OutputText] = field(default_factory=list)
    concretised: list[Concretised] = field(default_factory=list)
    warnings: dict[str, None] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    tails: dict[tuple[syntax.Chop, int], syntax.Chop] = field(default_factory=dict)
    passed: list[syntax.Node] | None = None
    analysis: Analysis = field(init=False)
    generator: random.Random = field(init=False)
    rejecting: bool = field(init=False)
    strict: bool = field(init=False)

    def __post_init__(self) -> None:
        self.analysis = Analysis(self.program)
        self.generator = random.Random(self.options.seed)
        self.rejecting = self.options.same_state == "reject"
        self.strict = self.options.framing == "strict"

    def error(self, kind: type[ExecutionError], at: int, message: str) -> ExecutionError:
        """An error at an offset of the program and at the current state, to be raised."""
        position = self.program.source.position(at)
        error = kind(message, position, self.program.source.line(position.line))
        error.state = self.state
        return error

    def warn(self, at: int, message: str) -> None:
        self.warnings[f"{self.program.source.position(at)}: {message}"] = None

    def save(self) -> tuple[Any, ...]:
        """Everything that a failed alternative of `or` must give back."""
        lengths = tuple(map(len, self._records()))
        books = self.books, self.books.save()
        return self.store.save(), books, self.scope, self.depth, dict(self.counts), lengths

    def restore(self, saved: tuple[Any, ...]) -> None:
        memory, (self.books, entries), self.scope, self.depth, self.counts, lengths = saved
        self.books.restore(entries)
        self.store.restore(memory)
        for record, length in zip(self._records(), lengths, strict=True):
            del record[length:]
        self.testing = False

    def _records(self) -> tuple[list[Any], ...]:
        """What grows while the program runs and shrinks again when an alternative is given up."""
        kept = () if self.passed is None else (self.passed,)
        return self.constraints, self.inputs, self.outputs, self.concretised, *kept

    def constrain(self, condition: Term, taken: bool, at: int) -> None:
        """Record a condition over the inputs and whether it holds; constants say nothing."""
        if condition is not terms.TRUE and condition is not terms.FALSE:
            holds = condition if taken else terms.negate(condition)
            self.constraints.append(PathConstraint(at, self.state, holds, taken))

    def decide(self, value: Value, at: int) -> bool:
        """The truth of a condition; a symbolic one becomes a constraint of the path."""
        truth = is_true(value.concrete)
        if value.symbolic is not None:
            self.constrain(condition_term(value), truth, at)
        return truth

    def concretise(self, at: int, reason: str) -> None:
        self.concretised.append(Concretised(at, self.state, reason))

    def obtain(self, label: str, bounds: tuple[int | None, int | None], at: int, chosen: int | None = None) -> Value:
        """The next input called `label`: given by name, `chosen`, or drawn; it is recorded in any case."""
        count = self.counts.get(label, 0) + 1
        self.counts[label] = count
        name = f"s_{label}" if count == 1 else f"s_{label}#{count}"
        low, high = bounds
        value = self.given.get(name, chosen)
        if value is None:
            value = self._drawn(low, high)
        elif (low is not None and value < low) or (high is not None and value > high):
            position = self.program.source.position(at)
            wanted = f"at least {low}" if high is None else f"between {low} and {high}"
            raise PincerError(f"the input {name} is {value} but its type allows values {wanted}", position)
        self.inputs.append(InputRead(name, value, low, high, at, self.state))
        return Value(value, terms.variable(name))

    def _drawn(self, low: int | None, high: int | None) -> int:
        ends = (max(end, end if low is None else low) for end in self.options.input_range)
        return self.generator.randint(*(min(end, end if high is None else high) for end in ends))

    def load(self, slot: Slot) -> Value:
        value = self.store.read(*slot)
        if self.testing and self.rejecting:
            self.books.tested[slot] = value
        return value

    def exists(self, number: int, generation: int) -> bool:
        """Whether a pointer's object is still there: not released, and not in a scope that has ended at this state."""
        if number not in self.store.objects or self.store.generations[number] != generation:
            return False
        scopes = self.store.scopes
        return not any(number in scopes[scope].names.values() for scope in self.books.ended)

    def write(self, slot: Slot, value: Value, at: int) -> None:
        """Give a slot its value at this state, if all that has happened here agrees."""
        books = self.books
        for sibling in books.siblings:
            other = sibling.get(slot)
            if other is not None and other is not value:
                self._agree(other, value, WriteConflict, slot, at)
        if self.rejecting:
            for earlier in (books.written.get(slot), books.tested.get(slot)):
                if earlier is not None:
                    self._agree(earlier, value, InconsistentState, slot, at)
            books.written[slot] = value
        books.own[slot] = value
        if slot[0] not in self.store.objects:
            raise self.error(NullPointer, at, "the variable to be written no longer exists")
        self.store.write(*slot, value)

    def _agree(self, first: Value, second: Value, kind: type[ExecutionError], slot: Slot, at: int) -> None:
        """Two values for one slot at one state must be equal, for this input and for all others of the path."""
        same = first.concrete == second.concrete
        if first.symbolic is not None or second.symbolic is not None:
            self.constrain(terms.equal(integer_term(first), integer_term(second)), same, at)
        if not same:
            name = self.store.objects[slot[0]].name
            if kind is WriteConflict:
                message = f"`{name}` gets two values at one state, {first.concrete} and {second.concrete}"
            else:
                message = f"`{name}` already has the value {first.concrete} at this state and gets {second.concrete}"
            raise self.error(kind, at, message)

    def begin_state(self, number: int) -> None:
        self.state = number
        self.books = Books()

    def leave_state(self, kept: Any = ()) -> None:
        """Go over to the next state: unframed variables lose their values, scopes that have ended go.

        `kept` are objects that need no frame here, because their own time does not go on.
        """
        if self.strict:
            for number, info in self.store.objects.items():
                if not info.automatic and number not in self.books.framed and number not in kept:
                    self.store.clear(number)
        for scope in self.books.ended:
            self.store.close_scope(scope)
        self.books.ended = []

    def frame(self, scope: int, names: tuple[str, ...]) -> None:
        """Keep what the names mean in a scope until the next state."""
        for name in names:
            found = self.store.lookup(scope, name)
            if found is not None:
                self.books.framed.add(found)
