"""Variables whose values are numbers of copies of a process, as `turn : 1..N`: exchanging copies exchanges the values.

Such a number is a name and nothing else where it is only compared for equality, with a number or with another name, and
only a number, another name, or any name at all is assigned to it. Then a formula holds in a state exactly if the
renamed formula holds in the renamed state, and a step leads from one state to another exactly if the renamed step leads
from the one renamed to the other: the names in a state are exchanged by a one-to-one map of all values of their type.
Anything else that is done with a name raises `NoName`.
"""

from __future__ import annotations

from collections.abc import Mapping

from pincer.evidence.gcl.residual import mentioned
from pincer.program.guarded import (
    Comparison,
    Connective,
    Deadlock,
    Expression,
    FiniteType,
    Formula,
    GuardedChoice,
    GuardedProgram,
    Not,
    Number,
    Truth,
    VariableRef,
)


class NoName(Exception):
    """A variable is more than a name."""


def naming_variables(program: GuardedProgram, low: int, high: int) -> frozenset[str]:
    """The variables that have just these numbers for values."""
    named = FiniteType(low, high)
    return frozenset(variable.name for variable in program.variables if variable.type == named)


class Renaming:
    """What is said and done after the values of some variables have been exchanged."""

    def __init__(self, program: GuardedProgram, names: frozenset[str], numbers: Mapping[int, int]) -> None:
        """`numbers` maps all values of the variables one to one."""
        self._program = program
        self._names = names
        self._numbers = numbers

    def formula(self, formula: Formula) -> Formula:
        if not self._names:
            return formula
        match formula:
            case Truth() | Deadlock():
                # A state is dead exactly if the renamed one is: transitions are compared as a whole.
                return formula
            case Not(operand):
                return Not(self.formula(operand))
            case Connective(sign, operands):
                return Connective(sign, tuple(map(self.formula, operands)))
            case Comparison(sign, left, right) if self._is_name(left) or self._is_name(right):
                if sign not in ("=", "!="):
                    raise NoName
                return Comparison(sign, self._name(left), self._name(right))
        self._without_names(formula)
        return formula

    def assigned(self, target: str, value: Expression | GuardedChoice) -> Expression | GuardedChoice:
        """What is assigned to a variable."""
        if target not in self._names:
            if self._names and not isinstance(value, GuardedChoice):
                self._without_names(value)
            return value
        if not isinstance(value, GuardedChoice):
            return self._name(value)
        low, high = min(self._numbers), max(self._numbers)
        if (value.low is not None and value.low > low) or (value.high is not None and value.high < high):
            raise NoName
        return value

    def _is_name(self, expression: Expression) -> bool:
        return isinstance(expression, VariableRef) and expression.name in self._names

    def _name(self, expression: Expression) -> Expression:
        """A name, or a number that stands beside one; what is no copy's number stays what it is."""
        match expression:
            case Number(value):
                return Number(self._numbers.get(value, value))
            case VariableRef(name) if name in self._names:
                return expression
        raise NoName

    def _without_names(self, term: Expression | Formula) -> None:
        if not self._names.isdisjoint(mentioned(term, self._program)):
            raise NoName
