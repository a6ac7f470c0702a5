"""What terms of a program are in a merged state."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce

from pincer.engines.merged.accesses import Accesses
from pincer.engines.merged.limits import LIMITS
from pincer.engines.merged.state import State
from pincer.engines.merged.values import Value
from pincer.logic import terms
from pincer.logic.bitvectors import width
from pincer.logic.compilation import compile_expression
from pincer.logic.decision_diagrams import FALSE, TRUE, Function
from pincer.logic.machine_arithmetic import operation_value
from pincer.logic.terms import Term, children
from pincer.program.registers import is_local


class NoNumber(Exception):
    """A value that is asked for as a number differs between executions."""


class _Numbers:
    """The registers of a state that hold numbers."""

    __slots__ = ("_own", "_shared")

    def __init__(self, state: State) -> None:
        self._own, self._shared = state.registers, state.shared

    def __getitem__(self, register: Term) -> int:
        value = self._own.get(register)
        if value is None:
            value = self._shared.get(register)
        if type(value) is not int:
            raise NoNumber
        return value


class Evaluation:
    """Evaluates terms: as numbers if the state allows, otherwise case by case."""

    def __init__(self, accesses: Accesses) -> None:
        self._accesses = accesses
        self.values = accesses.values
        self._conditions = self.values.conditions
        self._diagrams = self._conditions.diagrams

    def value(self, state: State, term: Term) -> Value:
        """The value of a word."""
        if term.op == "bvconst":
            return int(term.args[0])
        if term.op == "var":
            return self._register(state, term)
        number = self.number(state, term)
        return self._word(state, term, {}) if number is None else number

    def condition(self, state: State, term: Term) -> Function:
        """When a condition holds, as far as the guard of the state does."""
        number = self.number(state, term)
        if number is not None:
            return TRUE if number else FALSE
        return self._truth(state, term, {})

    def number(self, state: State, term: Term) -> int | None:
        """The value of a term where it is one number on all paths, and made of such."""
        for register in term.variables:
            value = state.registers.get(register)
            if type(value if value is not None else state.shared.get(register)) is not int:
                return None
        try:
            return compile_expression(term)(
                _Numbers(state),  # type: ignore[arg-type]
                self._loader(state),
                lambda address: _known(self._accesses.room(state, address, width(self._accesses.top))),
            )
        except NoNumber:
            return None

    def _loader(self, state: State) -> Callable[[int, int], int]:
        return lambda address, size: _known(self._accesses.load(state, address, size))

    def _register(self, state: State, register: Term) -> Value:
        """What a register holds; one that was not set may hold anything."""
        held = state.registers if register in state.registers else state.shared
        value = held.get(register)
        if value is None:
            value = self.values.fresh(width(register))
            (state.registers if is_local(register) else state.shared)[register] = value
            return value
        narrow = self.values.settled(self.values.narrowed(value, state.guard), state.guard)
        if narrow is not value:
            held[register] = narrow
        return narrow

    def _word(self, state: State, term: Term, known: dict[Term, Value]) -> Value:
        found = known.get(term)
        if found is None:
            found = known[term] = self._computed(state, term, known)
        return found

    def _computed(self, state: State, term: Term, known: dict[Term, Value]) -> Value:
        match term.op:
            case "bvconst":
                return int(term.args[0])
            case "var":
                return self._register(state, term)
            case "load":
                return self._accesses.load(state, self._word(state, term.args[0], known), term.args[1])
            case "room":
                return self._accesses.room(state, self._word(state, term.args[0], known), width(term))
            case "ite":
                return self._chosen(state, term, known)
        operands = list(children(term))
        values = [(self._word(state, operand, known), width(operand)) for operand in operands]
        return self.values.lifted(
            state.guard,
            values,
            width(term),
            lambda *numbers: operation_value(term, dict(zip(operands, numbers, strict=True))),
            lambda *words: terms.rebuild(term, dict(zip(operands, words, strict=True)).__getitem__),
        )

    def _chosen(self, state: State, term: Term, known: dict[Term, Value]) -> Value:
        condition, then, otherwise = term.args
        truth = self._truth(state, condition, {})
        if self._diagrams.are_apart(truth, state.guard):
            return self._word(state, otherwise, known)
        if self._diagrams.implies(state.guard, truth):
            return self._word(state, then, known)
        yes, no = (self._word(state, side, known) for side in (then, otherwise))
        return self.values.choose(truth, yes, no, width(term))

    def _truth(self, state: State, term: Term, known: dict[Term, Value]) -> Function:
        match term.op:
            case "true" | "false":
                return TRUE if term.op == "true" else FALSE
            case "not":
                return self._truth(state, term.args[0], known) ^ 1
            case "and" | "or":
                return self._connective(state, term, known)
            case "iff":
                first, second = (self._truth(state, part, known) for part in term.args)
                return self._diagrams.choose(first, second, second ^ 1)
            case "ite":
                return self._diagrams.choose(*(self._truth(state, part, known) for part in term.args))
        return self._related(state, term, known)

    def _connective(self, state: State, term: Term, known: dict[Term, Value]) -> Function:
        """Parts that do not matter once another is known are not looked at: they may read anywhere."""
        negated = int(term.op == "or")
        whole = TRUE
        delayed = [part for part in term.args if _reads(part)]
        for part in (*(part for part in term.args if part not in delayed), *delayed):
            whole = self._diagrams.both(whole, self._truth(state, part, known) ^ negated)
            if self._diagrams.are_apart(whole, state.guard):
                return FALSE ^ negated
        return whole ^ negated

    def _related(self, state: State, term: Term, known: dict[Term, Value]) -> Function:
        """A relation between words: case by case, or between terms where there are too many or that would be large."""
        values = [self._word(state, operand, known) for operand in children(term)]
        found = self._diagrams.bounded(lambda: self._by_cases(state, term, values), LIMITS.condition)
        return self._relation(term, values) if found is None else found

    def _by_cases(self, state: State, term: Term, values: Sequence[Value]) -> Function | None:
        operands = list(children(term))
        combined = self.values.combined(state.guard, values)
        if combined is None:
            return None
        holding = []
        for condition, chosen in combined:
            if not all(isinstance(value, int) for value in chosen):
                holding.append(self._diagrams.both(condition, self._relation(term, chosen)))
            elif operation_value(term, dict(zip(operands, chosen, strict=True))):  # type: ignore[arg-type]
                holding.append(condition)
        return reduce(self._diagrams.either, holding, FALSE)

    def _relation(self, term: Term, values: Sequence[Value]) -> Function:
        """A relation between terms."""
        operands = list(children(term))
        words = {
            operand: self.values.word(value, width(operand)) for operand, value in zip(operands, values, strict=True)
        }
        return self._conditions.function(terms.rebuild(term, words.__getitem__))


def _known(value: Value) -> int:
    if type(value) is not int:
        raise NoNumber
    return value


_reading: dict[Term, bool] = {}


def _reads(term: Term) -> bool:
    """Whether a term reads memory."""
    found = _reading.get(term)
    if found is None:
        found = _reading[term] = any(part.op == "load" for part in terms.postorder(term))
    return found
