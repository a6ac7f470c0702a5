"""Formulas and expressions as GCL text that reads back as the same thing."""

from __future__ import annotations

from pincer.frontends.gcl.operators import INFIX_LEVEL, Level
from pincer.frontends.gcl.scope import GuardedScope, program_scope
from pincer.frontends.source import generous_limits
from pincer.program.guarded import (
    Arithmetic,
    Comparison,
    Conditional,
    Connective,
    Deadlock,
    Expression,
    FiniteType,
    Formula,
    GuardedProgram,
    Negate,
    Not,
    Number,
    Truth,
    VariableRef,
    value_text,
)


def formula_text(formula: Formula, program: GuardedProgram) -> str:
    """Text over expanded variable names; `parse_formula` reads it back."""
    with generous_limits():
        return _GclWriter(program_scope(program)).formula(formula, Level.LOOSEST)


def expression_text(expression: Expression, program: GuardedProgram) -> str:
    with generous_limits():
        return _GclWriter(program_scope(program)).expression(expression, Level.LOOSEST)


class _GclWriter:
    """Writes an operand in parentheses where it is looser than its place allows."""

    def __init__(self, scope: GuardedScope) -> None:
        self._variables = scope.variables

    def formula(self, formula: Formula, place: int) -> str:
        match formula:
            case Truth(value):
                return "true" if value else "false"
            case Deadlock():
                return "deadlock"
            case Not(operand):
                return _fit(
                    "!" + self.formula(operand, Level.TIGHT if _bulky(operand) else Level.NOT), Level.NOT, place
                )
            case Comparison():
                return self._comparison(formula, place)
            case Connective(operator, operands):
                level = INFIX_LEVEL[operator]
                first = level if operator == "<=>" else level + 1
                last = level if operator == "=>" else level + 1
                inner = [self.formula(operand, level + 1) for operand in operands[1:-1]]
                texts = [self.formula(operands[0], first), *inner, self.formula(operands[-1], last)]
                return _fit(f" {operator} ".join(texts), level, place)

    def expression(self, expression: Expression, place: int) -> str:
        match expression:
            case Number(value):
                return str(value)
            case VariableRef(name):
                return name
            case Negate(operand):
                return "-" + self.expression(operand, Level.TIGHT)
            case Arithmetic(operator, left, right):
                level = INFIX_LEVEL[operator]
                text = f"{self.expression(left, level)} {operator} {self.expression(right, level + 1)}"
                return _fit(text, level, place)
            case Conditional(condition, then, otherwise):
                if self._is_boolean(then) and self._is_boolean(otherwise):
                    # Between two Booleans `if` would read back as a Boolean: spell one as a number.
                    then = Conditional(Comparison("=", then, Number(1)), Number(1), Number(0))
                text = f"if {self.formula(condition, Level.LOOSEST)} then {self.expression(then, Level.LOOSEST)}"
                return f"({text} else {self.expression(otherwise, Level.LOOSEST)})"

    def _comparison(self, formula: Comparison, place: int) -> str:
        left, right, operator = formula.left, formula.right, formula.operator
        if self._is_boolean(left) and operator == "=" and right == Number(1):
            return self.expression(left, Level.TIGHT)
        left_text, right_text = self.expression(left, Level.SUM), self.expression(right, Level.SUM)
        if operator == "=" or operator == "!=":
            left_text = self._value_name(left, right) or left_text
            right_text = self._value_name(right, left) or right_text
        return _fit(f"{left_text} {operator} {right_text}", Level.COMPARISON, place)

    def _is_boolean(self, expression: Expression) -> bool:
        if not isinstance(expression, VariableRef):
            return False
        type_ = self._variables[expression.name].type
        return isinstance(type_, FiniteType) and type_.is_bool

    def _value_name(self, number: Expression, compared_with: Expression) -> str | None:
        """The name of `number` as a value of the enumeration it is compared with."""
        if not isinstance(number, Number) or not isinstance(compared_with, VariableRef):
            return None
        return value_text(self._variables[compared_with.name].type, number.value)


def _bulky(formula: Formula) -> bool:
    """Whether a reader would trip over `!` in front of it without parentheses."""
    return not isinstance(formula, Truth | Not | Deadlock)


def _fit(text: str, level: int, place: int) -> str:
    return text if level >= place else f"({text})"
