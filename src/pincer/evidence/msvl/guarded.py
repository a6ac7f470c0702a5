"""An MSVL program as one of guarded commands, and its property as one of that program.

A state of the guarded program is a state of the MSVL program: `at` is the number of its control, the other variables
are its integers. Inputs are chosen one step before they are read. A run ends exactly where the interval does. One that
goes wrong comes to a control of its own, where `$wrong` holds; that no run does is part of what is to be shown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from pincer.errors import PincerError, Position, UnsupportedError
from pincer.evidence.msvl.controls import Controls, ControlStep, Reading, Value, symbol_of
from pincer.evidence.msvl.forms import LinearCondition, Quotient, Symbol, Terms
from pincer.evidence.msvl.memory import CellVariable
from pincer.evidence.msvl.states import meaning
from pincer.frontends.gcl import parse_expression
from pincer.frontends.msvl.program import Program
from pincer.program.guarded import (
    Arithmetic,
    Comparison,
    Connective,
    Expression,
    FiniteType,
    Formula,
    GuardedChoice,
    GuardedProgram,
    GuardedTransition,
    GuardedVariable,
    IntType,
    Number,
    TemporalProperty,
    Truth,
    VariableRef,
)
from pincer.runtime.run import Run

AT = "at"
WRONG = "$wrong"
LTL = "ltl:"


class MsvlQuestion(Struct, frozen=True):
    """A property of a program: PPTL, or LTL after `ltl:`, over `propositions`, which are conditions by their names."""

    name: str
    formula: str
    propositions: Mapping[str, str]


class Translated(Struct, frozen=True):
    """A program of guarded commands that has the runs of an MSVL program.

    `asked` is the property, and that no run goes wrong; `alone` is the property by itself. `steps` are the ways by the
    names of the transitions, `names` what integers are called in the guarded program."""

    question: MsvlQuestion
    program: GuardedProgram
    asked: TemporalProperty
    alone: TemporalProperty
    controls: Controls
    steps: Mapping[str, ControlStep]
    names: Mapping[str, str]
    first_inputs: Mapping[str, str]
    goes_wrong: tuple[str, ...]

    @property
    def reads(self) -> bool:
        """Whether inputs are read after the first state."""
        return any(step.readings for step in self.steps.values())

    def with_inputs(self, value: int) -> Translated:
        """The same with fewer runs: later inputs are this number, or what is nearest to it in their range."""

        def narrowed(transition: GuardedTransition) -> GuardedTransition:
            assigned = ((name, _nearest(given, value)) for name, given in transition.assignments)
            return replace(transition, assignments=tuple(assigned))

        transitions = tuple(map(narrowed, self.program.transitions))
        return replace(self, program=replace(self.program, transitions=transitions))

    def going_well(self) -> Translated:
        """The same without the steps by which a run goes wrong; it may stop where only those are left."""

        def kept(transition: GuardedTransition) -> GuardedTransition:
            return replace(transition, guard=Truth(False)) if self.steps[transition.name].wrong else transition

        return replace(self, program=replace(self.program, transitions=tuple(map(kept, self.program.transitions))))

    def ends_at(self, control: int) -> bool:
        listed = self.controls.listed
        return control < len(listed) and listed[control].ended

    def name_of(self, variable: CellVariable, offset: int) -> str | None:
        """The variable that an integer in memory has become."""
        return self.names.get(symbol_of(variable, offset))

    def inputs_from(self, before: Mapping[str, int] | None, state: Mapping[str, int]) -> Callable[[str], int]:
        """The values of the inputs that `state` is made with, the one after `before`."""
        if before is None:
            return lambda symbol: state[self.names[self.first_inputs.get(symbol, f"first {symbol}")]]
        return lambda symbol: before[self.names[symbol]]


def translated(program: Program, sha256: str, question: MsvlQuestion, run: Run | None = None) -> Translated:
    """The translation of a program and its property; `UnsupportedError` where there is none."""
    file = program.source.file
    if WRONG in question.propositions:
        raise UnsupportedError(f"the name {WRONG} is used for runs that go wrong")
    conditions = {name: meaning(file, text) for name, text in question.propositions.items()}
    return _Translation(program, sha256, question, Controls(program, conditions, run)).made()


class _Translation:
    def __init__(self, program: Program, sha256: str, question: MsvlQuestion, controls: Controls) -> None:
        self._file, self._sha256 = program.source.file, sha256
        self._question, self._controls = question, controls
        self._place = Position(self._file, 1, 1)
        self._wrong = len(controls.listed)
        inputs = {reading.symbol: reading for one in controls.listed for step in one.steps for reading in step.readings}
        self._inputs: Mapping[str, Reading] = inputs
        self._begun, self._renamed = _first_inputs(controls.first)
        self._symbols = (*controls.symbols, *inputs, *self._begun)
        self._names = _plain_names(self._symbols)
        self._steps: dict[str, ControlStep] = {}

    def made(self) -> Translated:
        transitions = tuple(self._transitions())
        listed = [*self._controls.first, *self._steps.values()]
        reasons = tuple(dict.fromkeys(step.wrong for step in listed if step.wrong))
        variables = (
            GuardedVariable(AT, FiniteType(0, self._wrong), self._place),
            *(GuardedVariable(self._names[symbol], IntType(), self._place) for symbol in self._symbols),
        )
        program = GuardedProgram("translated", variables, self._init(), transitions, (), self._file, self._sha256, {})
        alone = self._property(self._question.formula, {})
        asked = self._property(_never_wrong(self._question.formula), {WRONG: _at(self._wrong)}) if reasons else alone
        return Translated(
            self._question, program, asked, alone, self._controls, self._steps, self._names, self._renamed, reasons
        )

    def _property(self, text: str, more: Mapping[str, Formula]) -> TemporalProperty:
        letters = {name: self._letter(name) for name in self._question.propositions}
        meanings = tuple({**letters, **more}.items())
        return TemporalProperty(self._question.name, self._question.formula, text, meanings, self._place)

    def _letter(self, name: str) -> Formula:
        """Where a proposition holds: controls that agree on it are told together."""
        places: dict[Formula, list[int]] = {}
        for number, control in enumerate(self._controls.listed):
            holds = _disjunction(_conjunction(map(self._condition, ways)) for ways in control.letters[name])
            places.setdefault(holds, []).append(number)
        places.setdefault(Truth(False), []).append(self._wrong)
        return _disjunction(
            _conjunction((_disjunction(map(_at, numbers)), holds))
            for holds, numbers in places.items()
            if holds != Truth(False)
        )

    def _init(self) -> Formula:
        return _disjunction(map(self._beginning, self._controls.first))

    def _beginning(self, step: ControlStep) -> Formula:
        """The first states that one way leads to. Inputs of the first state are unknown constants."""
        target = self._wrong if step.target is None else step.target
        parts = [_at(target), *map(self._condition, map(self._begin, step.conditions))]
        ranges = {self._renamed.get(read.symbol, f"first {read.symbol}"): read for read in step.readings}
        values = {symbol: self._begin_value(value) for symbol, value in step.values.items()}
        for symbol in self._symbols:
            own = (((symbol, 1),), 0)
            if symbol in ranges or self._is_next(symbol, step):
                reading = ranges.get(symbol) or self._inputs[symbol]
                parts += self._within(symbol, reading)
            elif values.get(symbol, ((), 0)) != own:
                parts.append(self._equals(symbol, values.get(symbol, ((), 0))))
        for symbol, value in values.items():
            if symbol in ranges and value != (((symbol, 1),), 0):
                parts.append(self._equals(symbol, value))
        return _conjunction(parts)

    def _is_next(self, symbol: str, step: ControlStep) -> bool:
        """Whether a symbol is an input that the state after the next is made with."""
        return symbol in self._read_after(step.target)

    def _read_after(self, target: int | None) -> frozenset[str]:
        if target is None:
            return frozenset()
        steps = self._controls.listed[target].steps
        return frozenset(reading.symbol for step in steps for reading in step.readings)

    def _begin(self, condition: LinearCondition) -> LinearCondition:
        return condition._replace(terms=self._begin_terms(condition.terms))

    def _begin_value(self, value: Value) -> Value:
        return self._begin_terms(value[0]), value[1]

    def _begin_terms(self, terms: Terms) -> Terms:
        """Symbols of inputs of the first state by other names."""
        found: list[tuple[Symbol, int]] = []
        for symbol, factor in terms:
            if isinstance(symbol, Quotient):
                inner = Quotient(self._begin_terms(symbol.terms), symbol.constant, symbol.divisor)
                found.append((inner, factor))
            else:
                found.append((self._renamed.get(symbol, f"first {symbol}"), factor))
        return tuple(found)

    def _transitions(self) -> Iterable[GuardedTransition]:
        used: Counter[int] = Counter()
        for number, control in enumerate(self._controls.listed):
            for step in control.steps:
                used[control.line] += 1
                name = f"line {control.line} way {used[control.line]}"
                self._steps[name] = step
                guard = _conjunction([_at(number), *map(self._condition, step.conditions)])
                position = Position(self._file, max(1, control.line), 1)
                yield GuardedTransition(name, None, guard, tuple(self._assigned(number, step)), position)

    def _assigned(self, number: int, step: ControlStep) -> Iterable[tuple[str, Expression | GuardedChoice]]:
        target = self._wrong if step.target is None else step.target
        if target != number:
            yield AT, Number(target)
        for symbol, value in step.values.items():
            if value != (((symbol, 1),), 0):
                yield self._names[symbol], self._expression(*value)
        for symbol in sorted(self._read_after(step.target)):
            reading = self._inputs[symbol]
            if (reading.low is None) != (reading.high is None):
                raise UnsupportedError("an input is bounded on one side only")
            yield self._names[symbol], GuardedChoice(reading.low, reading.high)

    def _within(self, symbol: str, reading: Reading) -> list[Formula]:
        variable = VariableRef(self._names[symbol])
        low = [] if reading.low is None else [Comparison(">=", variable, Number(reading.low))]
        return [*low, *([] if reading.high is None else [Comparison("<=", variable, Number(reading.high))])]

    def _equals(self, symbol: str, value: Value) -> Formula:
        return Comparison("=", VariableRef(self._names[symbol]), self._expression(*value))

    def _condition(self, condition: LinearCondition) -> Formula:
        return Comparison(condition.comparison, self._expression(condition.terms, 0), Number(-condition.constant))

    def _expression(self, terms: Terms, constant: int) -> Expression:
        total: Expression | None = None
        for symbol, factor in terms:
            part = self._symbol(symbol)
            size = factor if total is None else abs(factor)
            part = part if size == 1 else Arithmetic("*", Number(size), part)
            if total is not None:
                part = Arithmetic("-" if factor < 0 else "+", total, part)
            total = part
        if total is None or not constant:
            return total or Number(constant)
        return Arithmetic("+" if constant > 0 else "-", total, Number(abs(constant)))

    def _symbol(self, symbol: str | Quotient) -> Expression:
        if isinstance(symbol, Quotient):
            return Arithmetic("div", self._expression(symbol.terms, symbol.constant), Number(symbol.divisor))
        return VariableRef(self._names[symbol])


def _nearest(given: Expression | GuardedChoice, value: int) -> Expression | GuardedChoice:
    if not isinstance(given, GuardedChoice):
        return given
    low = value if given.low is None else max(value, given.low)
    return Number(low if given.high is None else min(low, given.high))


def _first_inputs(first: Sequence[ControlStep]) -> tuple[tuple[str, ...], dict[str, str]]:
    """Inputs of the first state: those that are the value of the same integer whenever they are read need no variable
    of their own."""
    read = dict.fromkeys(reading.symbol for step in first for reading in step.readings)
    renamed: dict[str, str] = {}
    for symbol in read:
        reading = [step for step in first if any(one.symbol == symbol for one in step.readings)]
        same = [
            name
            for name in reading[0].values
            if name not in renamed.values() and all(step.values.get(name) == (((symbol, 1),), 0) for step in reading)
        ]
        if same and len(reading) == len(first):
            renamed[symbol] = same[0]
    return tuple(f"first {symbol}" for symbol in read if symbol not in renamed), renamed


def _plain_names(symbols: Iterable[str]) -> dict[str, str]:
    """Names of guarded commands for symbols, as like them as can be."""
    found: dict[str, str] = {}
    taken = {AT}
    for symbol in symbols:
        head, _, number = symbol.rpartition(" ")
        plain = "".join(c if c.isascii() and (c.isalnum() or c == "_") else "_" for c in head)
        name = plain if _is_name(plain) else f"v_{plain}"
        if name in taken:
            name = f"{name}_{number}"
        while name in taken:
            name += "_"
        taken.add(name)
        found[symbol] = name
    return found


def _is_name(text: str) -> bool:
    place = Position("", 1, 1)
    if not text.isidentifier() or text.startswith("_"):
        return False
    alone = GuardedProgram("", (GuardedVariable(text, IntType(), place),), Truth(True), (), (), "", "", {})
    try:
        return parse_expression(text, alone) == VariableRef(text)
    except PincerError:
        return False


def _never_wrong(formula: str) -> str:
    """The formula, and that no run goes wrong; the formula may end in a comment."""
    if formula.startswith(LTL):
        return f"{LTL} ({formula.removeprefix(LTL)}\n) && G(!{WRONG})"
    return f"({formula}\n) and [](!{WRONG})"


def _at(number: int) -> Formula:
    return Comparison("=", VariableRef(AT), Number(number))


def _conjunction(parts: Iterable[Formula]) -> Formula:
    listed = tuple(part for part in parts if part != Truth(True))
    return listed[0] if len(listed) == 1 else Connective("&&", listed) if listed else Truth(True)


def _disjunction(parts: Iterable[Formula]) -> Formula:
    listed = tuple(dict.fromkeys(parts))
    if Truth(True) in listed:
        return Truth(True)
    return listed[0] if len(listed) == 1 else Connective("||", listed) if listed else Truth(False)
