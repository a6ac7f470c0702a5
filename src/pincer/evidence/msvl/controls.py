"""MSVL followed for all values at once: what can remain of a program after a state, and how each comes from the last.

The interpreter runs a state with forms in place of integers; every way that its conditions can go is followed. What
remains, with the names of the integers in memory in place of their values, is a *control*. A program with finitely many
is a program of guarded commands. Names of the same integer are the same in all controls.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeAlias

from msgspec import Struct

from pincer.errors import UnsupportedError
from pincer.evidence.msvl.counterexample import Interpretation
from pincer.evidence.msvl.expressions import evaluate
from pincer.evidence.msvl.forms import (
    BeyondForms,
    LinearCondition,
    LinearForm,
    Quotient,
    Terms,
    Ways,
    added,
    symbol_form,
)
from pincer.evidence.msvl.interpreter import Interpreter
from pincer.evidence.msvl.machine import Now, ReplayMachine
from pincer.evidence.msvl.memory import CellVariable, Datum, NameScope, NoState, RunCut, VariableMemory, is_true
from pincer.evidence.msvl.remainders import Assignments, Remainder
from pincer.evidence.msvl.renewal import Renewal
from pincer.evidence.msvl.states import configuration, visible_names
from pincer.frontends.msvl import syntax
from pincer.frontends.msvl.program import Program
from pincer.frontends.msvl.syntax import Expression, Node
from pincer.runtime.run import Run

HOW = Interpretation("overwrite", "implicit", False, 10_000)
"""The reading of programs that is followed."""
MOST_CONTROLS = 200
MOST_STEPS = 600
MOST_INTEGERS = 64

Value: TypeAlias = "tuple[Terms, int]"
"""A linear form: terms and a constant."""
Alternatives: TypeAlias = "tuple[tuple[LinearCondition, ...], ...]"
"""Alternatives, each of which is a conjunction."""


class Reading(Struct, frozen=True):
    """An input that is read in a state: how it is called, its range, and the symbol that stands for its value."""

    label: str
    low: int | None
    high: int | None
    symbol: str


class ControlStep(Struct, frozen=True):
    """One way to make a state: under the `conditions`, the integers become `values`; nothing comes after it if the run
    goes `wrong`."""

    conditions: tuple[LinearCondition, ...]
    readings: tuple[Reading, ...]
    values: Mapping[str, Value] = {}
    target: int | None = None
    wrong: str = ""


@dataclass
class Control:
    """`letters` are the propositions that hold in the state that was just made; `steps` lead to the next."""

    letters: Mapping[str, Alternatives]
    ended: bool
    line: int
    memory: VariableMemory
    everywhere: NameScope
    remaining: Node
    steps: list[ControlStep] = field(default_factory=list)


@dataclass(slots=True)
class FormMachine(ReplayMachine):
    """A machine whose inputs are symbols."""

    ways: Ways = field(default_factory=Ways)
    readings: list[Reading] = field(default_factory=list)

    def input(self, label: str, low: int | None, high: int | None) -> Any:
        symbol = input_symbol(low, high, sum((read.low, read.high) == (low, high) for read in self.readings))
        self.readings.append(Reading(label, low, high, symbol))
        self.ways.suppose(symbol, low, high)
        return symbol_form(symbol, self.ways)


def input_symbol(low: int | None, high: int | None, before: int) -> str:
    """What an input is called that is read in a state after others of the same range."""
    return f"input {'any' if low is None and high is None else f'{low}..{high}'} {before + 1}"


class Controls:
    """All controls of a program; `first` are the ways to make the first state."""

    def __init__(self, program: Program, conditions: Mapping[str, Expression], run: Run | None = None) -> None:
        self.listed: list[Control] = []
        self._run = run or Run()
        self._program = program
        self._conditions = conditions
        self._ways, self._looks = Ways(), Ways()
        self._machine = FormMachine(program, HOW, {}, ways=self._ways)
        self._interpreter = Interpreter(self._machine)
        self._numbers: dict[object, int] = {}
        self._names: dict[tuple[int, str, int], str] = {}
        self._literals = frozenset(_literals(program))
        self._count = 0
        try:
            self.first = self._leaving(VariableMemory(), NameScope(), program.core)
            for control in self.listed:
                if not control.ended:
                    control.steps += self._leaving(control.memory, control.everywhere, control.remaining)
        except (BeyondForms, RunCut) as beyond:
            raise UnsupportedError(str(beyond)) from None
        except RecursionError:
            raise UnsupportedError("the program is nested too deeply") from None

    @property
    def symbols(self) -> tuple[str, ...]:
        """The names of all integers, in the order in which they came up."""
        steps = [step for steps in (self.first, *(one.steps for one in self.listed)) for step in steps]
        return tuple(dict.fromkeys(name for step in steps for name in step.values))

    def _leaving(self, memory: VariableMemory, everywhere: NameScope, remaining: Node) -> list[ControlStep]:
        follow = partial(self._followed, memory, everywhere, remaining)
        found = []
        for conditions, (readings, values, target, wrong) in self._ways.paths(follow):
            self._run.poll()
            self._count += 1
            if self._count > MOST_STEPS or len(self.listed) > MOST_CONTROLS:
                raise BeyondForms("the program has too many places to be one of guarded commands")
            found.append(ControlStep(conditions, readings, values, target, wrong))
        return found

    def _followed(
        self, memory: VariableMemory, everywhere: NameScope, remaining: Node
    ) -> tuple[tuple[Reading, ...], dict[str, Value], int | None, str]:
        """One way to make the next state."""
        m = self._machine
        copy = Renewal(lambda value: _bound(value, self._ways))
        m.memory, m.everywhere = copy.memory(memory), copy.scope(everywhere)
        m.scope, m.now, m.calls, m.testing, m.readings = m.everywhere, Now(), 0, False, []
        try:
            outcome = self._interpreter.settled(copy.node(remaining))
        except NoState as reason:
            return tuple(m.readings), {}, None, str(reason)
        values = self._named()
        rest = outcome.rest
        if outcome.length == "goes on":
            rest = self._rewritten(rest, values)
        letters = self._letters()
        m.leave()
        target = self._number(letters, outcome.length == "ends", rest)
        return tuple(m.readings), {name: _plain(value) for name, value in values.items()}, target, ""

    def _named(self) -> dict[str, LinearForm | int]:
        """The integers in memory by their names, which take their places."""
        values: dict[str, LinearForm | int] = {}
        for number, variable in sorted(self._machine.memory.variables.items()):
            for offset, value in sorted(variable.cells.items()):
                if isinstance(value, LinearForm | int):
                    name = self._names.setdefault((number, variable.name, offset), symbol_of(variable, offset))
                    values[name] = value
                    variable.cells[offset] = symbol_form(name, self._looks)
        if len(values) > MOST_INTEGERS:
            raise BeyondForms("the program has too many integers")
        return values

    def _rewritten(self, rest: Node, values: dict[str, LinearForm | int]) -> Node:
        """What remains, in terms of the integers as they are now; what cannot be said so gets a name of its own.

        Numbers that are not in the text are no part of a control: there may be no end of them."""
        ending = {id(v) for scope in self._machine.now.ended for v in scope.own.values()}
        kept = {
            self._names[number, variable.name, offset]
            for number, variable in self._machine.memory.variables.items()
            for offset in variable.cells
            if id(variable) not in ending and (number, variable.name, offset) in self._names
        }
        meanings: dict[object, LinearForm | int] = {}
        for name in kept & values.keys():
            match values[name]:
                case LinearForm(((symbol, 1),), constant):
                    better = symbol == name or symbol not in meanings
                    if better:
                        meanings[symbol] = symbol_form(name, self._looks).plus(constant, -1)
        waiting: list[LinearForm] = []

        def said(name: str, value: Datum) -> Datum:
            if isinstance(value, int) and value not in self._literals:
                value = LinearForm((), value, self._looks)
            if not isinstance(value, LinearForm):
                return value
            now = values.get(name)
            if not value.terms and isinstance(now, int) and name in kept:
                return symbol_form(name, self._looks).plus(value.constant - now)
            found = _said(value, meanings) if value.terms else None
            if found is not None:
                return found
            waiting.append(value)
            symbol = f"next {len(waiting)}"
            values[symbol] = value if value.terms else value.constant
            return symbol_form(symbol, self._looks)

        return _Revaluation(said).node(rest)

    def _letters(self) -> dict[str, Alternatives]:
        """Under which conditions each proposition holds in the state that was made."""
        m = self._machine
        visible, ended = visible_names(m), m.now.ended
        m.now.ended = []

        def holds(said: Expression) -> bool:
            try:
                return is_true(m.within(visible, partial(evaluate, m), said))
            except NoState:
                return False

        found = {}
        for name, said in self._conditions.items():
            ways = self._looks.paths(partial(holds, said))
            found[name] = tuple(conditions for conditions, value in ways if value)
        m.now.ended = ended
        return found

    def _number(self, letters: Mapping[str, Alternatives], ended: bool, rest: Node) -> int:
        m = self._machine
        where = None if ended else configuration(m, rest)
        key = (ended, where, tuple(letters.items()))
        number = self._numbers.setdefault(key, len(self.listed))
        if number == len(self.listed):
            line = self._program.source.position(_place(rest)).line if not ended else 0
            self.listed.append(Control(letters, ended, line, m.memory, m.everywhere, rest))
        return number


def _literals(program: Program) -> Iterator[int]:
    yield from (0, 1)
    for node in syntax.descendants(program.written, inside_definitions=True):
        match node:
            case syntax.Number(int() as value) | syntax.Character(value):
                yield from (value, -value)


def _bound(value: Datum, ways: Ways) -> Datum:
    return LinearForm(value.terms, value.constant, ways) if isinstance(value, LinearForm) else value


def _plain(value: LinearForm | int) -> Value:
    return ((), value) if isinstance(value, int) else value.key


def symbol_of(variable: CellVariable, offset: int) -> str:
    """What an integer in memory is called."""
    inside = f".{offset}" if variable.size > 1 else ""
    return f"{variable.name}{inside} {variable.number}"


def _said(value: LinearForm, meanings: Mapping[object, LinearForm | int]) -> LinearForm | int | None:
    """The form with other forms in place of its symbols, None where some of them has none."""
    total: LinearForm | int = value.constant
    for symbol, factor in value.terms:
        meaning = meanings.get(symbol)
        if meaning is None or isinstance(symbol, Quotient):
            return None
        total = added(total, meaning, factor)
    return total


class _Revaluation(Renewal):
    """What remains with other values for its assignments, by their names; variables and scopes stay the same."""

    def __init__(self, said: Callable[[str, Datum], Datum]) -> None:
        super().__init__(lambda value: value)
        self._said = said

    def node(self, node: Node) -> Node:
        if not isinstance(node, Assignments):
            return super().node(node)
        said = ((v, offset, self._said(symbol_of(v, offset), value)) for v, offset, value in node.cells)
        return Assignments(tuple(said))

    def variable(self, variable: CellVariable) -> CellVariable:
        return variable

    def scope(self, scope: NameScope) -> NameScope:
        return scope


def _place(node: Node) -> int:
    """Where in the text the first part of what remains stands; 0 where that is not known."""
    for part in _parts(node):
        at = getattr(part, "at", None)
        if isinstance(at, int) and not isinstance(part, _WITHOUT_PLACE):
            return at
    return 0


_WITHOUT_PLACE = (syntax.And, syntax.Chop, syntax.FrameStatement, syntax.Or, syntax.Parallel)
"""What begins where something else does, or goes on all the time."""


def _parts(node: Node) -> Any:
    if not isinstance(node, Remainder):
        yield from syntax.descendants(node)
        return
    if isinstance(node, Assignments):
        return
    for name in ("first", "parts", "body", "after", "whole"):
        found = getattr(node, name, None)
        for part in found if isinstance(found, tuple) else [] if found is None else [found]:
            yield from _parts(part)
