"""Formulas under fixed values for some variables: what is left of them, with constants folded.

The certificate checker reads every formula once for each valuation of the finite variables. `Partial` keeps
that affordable: it remembers each part of a formula by the finite variables that really occur in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from pincer.evidence.gcl.interpreter import ARITHMETIC, COMPARISON
from pincer.program.guarded import (
    Arithmetic,
    Comparison,
    Conditional,
    Connective,
    Deadlock,
    Expression,
    Formula,
    GuardedChoice,
    GuardedProgram,
    Negate,
    Not,
    Number,
    Truth,
    VariableRef,
)

TRUE, FALSE = Truth(True), Truth(False)


def residual_expression(expression: Expression, values: Mapping[str, int], program: GuardedProgram) -> Expression:
    match expression:
        case Number():
            return expression
        case VariableRef(name):
            return Number(values[name]) if name in values else expression
        case Negate(operand):
            inner = residual_expression(operand, values, program)
            return Number(-inner.value) if isinstance(inner, Number) else Negate(inner)
        case Arithmetic(sign, left, right):
            first = residual_expression(left, values, program)
            second = residual_expression(right, values, program)
            if isinstance(first, Number) and isinstance(second, Number):
                return Number(ARITHMETIC[sign](first.value, second.value))
            return Arithmetic(sign, first, second)
        case Conditional(condition, then, otherwise):
            test = residual_formula(condition, values, program)
            if isinstance(test, Truth):
                return residual_expression(then if test.value else otherwise, values, program)
            first = residual_expression(then, values, program)
            second = residual_expression(otherwise, values, program)
            return Conditional(test, first, second)


def residual_formula(formula: Formula, values: Mapping[str, int], program: GuardedProgram) -> Formula:
    """What is left of the formula; `Truth` when the values decide it. Never contains `Deadlock`."""
    match formula:
        case Truth():
            return formula
        case Comparison(sign, left, right):
            first = residual_expression(left, values, program)
            second = residual_expression(right, values, program)
            if isinstance(first, Number) and isinstance(second, Number):
                return Truth(COMPARISON[sign](first.value, second.value))
            return Comparison(sign, first, second)
        case Not(operand):
            return negation(residual_formula(operand, values, program))
        case Connective(sign, operands):
            return connective(sign, [residual_formula(operand, values, program) for operand in operands])
        case Deadlock():
            guards = (residual_formula(transition.guard, values, program) for transition in program.transitions)
            return connective("&&", [negation(guard) for guard in guards])


def negation(formula: Formula) -> Formula:
    match formula:
        case Truth(value):
            return Truth(not value)
        case Not(operand):
            return operand
        case _:
            return Not(formula)


def connective(sign: str, operands: Sequence[Formula]) -> Formula:
    """The connective with its constant operands folded away."""
    match sign:
        case "&&":
            return _conjunction(operands)
        case "||":
            return negation(_conjunction([negation(operand) for operand in operands]))
        case "=>":
            premise, conclusion = operands
            return negation(_conjunction([premise, negation(conclusion)]))
        case _:
            first, second = operands
            if isinstance(first, Truth):
                return second if first.value else negation(second)
            if isinstance(second, Truth):
                return first if second.value else negation(first)
            return Connective("<=>", (first, second))


def _conjunction(operands: Sequence[Formula]) -> Formula:
    kept: list[Formula] = []
    for operand in operands:
        if isinstance(operand, Truth):
            if not operand.value:
                return FALSE
        elif isinstance(operand, Connective) and operand.operator == "&&":
            kept.extend(operand.operands)
        else:
            kept.append(operand)
    return kept[0] if len(kept) == 1 else Connective("&&", tuple(kept)) if kept else TRUE


def mentioned(term: Expression | Formula | GuardedChoice, program: GuardedProgram) -> frozenset[str]:
    """The names of the variables in the term."""
    names: set[str] = set()
    pending: list[Expression | Formula | GuardedChoice] = [term]
    while pending:
        match pending.pop():
            case VariableRef(name):
                names.add(name)
            case Negate(operand) | Not(operand):
                pending.append(operand)
            case Arithmetic(_, left, right) | Comparison(_, left, right):
                pending += left, right
            case Conditional(condition, then, otherwise):
                pending += condition, then, otherwise
            case Connective(_, operands):
                pending += operands
            case Deadlock():
                pending += (transition.guard for transition in program.transitions)
    return frozenset(names)


def finite_places(
    terms: Iterable[Expression | Formula | GuardedChoice], program: GuardedProgram
) -> tuple[tuple[int, str], ...]:
    """Position, among the finite variables, and name of those that occur in the terms."""
    names = frozenset[str]().union(*(mentioned(term, program) for term in terms))
    control = (variable.name for variable in program.variables if variable.finite)
    return tuple((index, name) for index, name in enumerate(control) if name in names)


class Partial:
    """A formula to be read under many valuations of the finite variables."""

    def __init__(self, formula: Formula, program: GuardedProgram) -> None:
        self.places = finite_places([formula], program)
        self._formula = formula
        self._program = program
        self._known: dict[tuple[int, ...], Formula] = {}
        self._sign = "&&"
        self._parts: tuple[Partial, ...] = ()
        if isinstance(formula, Connective):
            self._sign = formula.operator
            self._parts = tuple(Partial(operand, program) for operand in formula.operands)
        elif isinstance(formula, Deadlock) and program.transitions:
            self._parts = tuple(Partial(Not(transition.guard), program) for transition in program.transitions)
        elif isinstance(formula, Not) and isinstance(formula.operand, Deadlock | Connective):
            self._sign = "not"
            self._parts = (Partial(formula.operand, program),)

    def at(self, valuation: Sequence[int]) -> Formula:
        """The formula over the integer variables that is left under the valuation of all finite variables."""
        key = tuple([valuation[index] for index, _ in self.places])
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._read(valuation)
        return known

    def _read(self, valuation: Sequence[int]) -> Formula:
        if not self._parts:
            values = {name: valuation[index] for index, name in self.places}
            return residual_formula(self._formula, values, self._program)
        parts = [part.at(valuation) for part in self._parts]
        return negation(parts[0]) if self._sign == "not" else connective(self._sign, parts)
