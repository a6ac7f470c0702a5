"""From syntax trees of expressions to typed expressions and formulas over expanded variables.

Everything an expression can depend on besides variables (constants, binders, ranges, indices) is worked out
here. The operands of `&&`, `||`, `=>` and `if` are taken from left to right: where an earlier operand is
constant and decides, a later one cannot matter, and an index out of range, an empty range or a bad divisor in
it is no mistake. That makes `forall i in 1..N : i < N => a[i] <= a[i+1]` mean what it says.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Literal, TypeAlias, cast

from msgspec import Struct

from pincer.errors import PincerError, UnsupportedError
from pincer.frontends.gcl import folding, syntax
from pincer.frontends.gcl.operators import COMPARISONS
from pincer.frontends.gcl.scope import GuardedScope, element_name
from pincer.frontends.gcl.syntax import Tree
from pincer.frontends.source import SourceText
from pincer.program.guarded import (
    LIMITS,
    Arithmetic,
    Comparison,
    Conditional,
    Connective,
    Deadlock,
    Expression,
    FiniteType,
    Formula,
    GuardedVariable,
    Negate,
    Not,
    Number,
    Truth,
    VariableRef,
)

_EXPRESSIONS = (Number, VariableRef, Negate, Arithmetic, Conditional)
_FORMULAS = (Truth, Comparison, Not, Connective, Deadlock)


class Enumerated(Struct, frozen=True):
    """A value of an enumeration: what it is in each enumeration it may belong to.

    A variable belongs to one; a name may belong to several until it meets a variable.
    """

    readings: tuple[tuple[FiniteType, Expression], ...]

    def reading(self, type_: FiniteType) -> Expression | None:
        return next((expression for known, expression in self.readings if known is type_), None)


Value: TypeAlias = Expression | Formula | Enumerated


class Context(Struct, frozen=True):
    """Where an expression stands: the values of the binders around it, whether it is part of a property, and
    whether it is `dead`, its value already decided without it."""

    binders: Mapping[str, int] = {}
    in_property: bool = False
    dead: bool = False

    def bind(self, name: str, value: int) -> Context:
        return Context({**self.binders, name: value}, self.in_property, self.dead)

    def dead_if(self, dead: bool) -> Context:
        return Context(self.binders, self.in_property, True) if dead and not self.dead else self

    def where(self) -> str:
        """The binders' values, for messages about one instance of many."""
        values = ", ".join(f"{name} = {value}" for name, value in self.binders.items())
        return f" (where {values})" if values else ""


def is_truth(formula: Formula, value: bool) -> bool:
    return isinstance(formula, Truth) and formula.value is value


def describe(value: Value) -> str:
    if isinstance(value, _EXPRESSIONS):
        return "an integer"
    if isinstance(value, Enumerated):
        return " or ".join(f"a value of {type_text(type_)}" for type_, _ in value.readings)
    return "a Boolean"


def type_text(type_: FiniteType) -> str:
    if type_.is_bool:
        return "bool"
    if type_.names is None:
        return f"{type_.low}..{type_.high}"
    shown = type_.names if len(type_.names) <= 8 else (*type_.names[:7], "...")
    return "{" + ", ".join(shown) + "}"


@dataclass
class Elaborator:
    """Reads expressions of one source in one scope."""

    source: SourceText
    scope: GuardedScope
    _instances: int = 0
    _reads: dict[str, Value] = field(default_factory=dict)

    def value(self, node: Tree, context: Context) -> Value:
        match node:
            case syntax.NameRead():
                return self._name(node, context)
            case syntax.Infix():
                return self._infix(node, context)
            case syntax.Numeral():
                return Number(int(node.digits))
            case syntax.ElementRead():
                return self._read(self.element(node, context))
            case syntax.Chain():
                return self._chain(node, context)
            case syntax.Prefix("!"):
                return folding.negation(self.formula(node.operand, context))
            case syntax.Prefix():
                return folding.negate(self.integer(node.operand, context))
            case syntax.Boolean():
                return Truth(node.value)
            case syntax.IfThenElse():
                return self._if_then_else(node, context)
            case syntax.Quantified():
                return self._quantified(node, context)
            case syntax.DeadlockWord():
                if not context.in_property:
                    raise self.source.error(node.at, "`deadlock` can only be used in a safety property")
                return Deadlock()

    def integer(self, node: Tree, context: Context) -> Expression:
        value = self.value(node, context)
        number = value if isinstance(value, _EXPRESSIONS) else self._as_number(node, value)
        if number is None:
            raise self.source.error(node.at, f"wrong type: this is {describe(value)} where an integer is needed")
        return number

    def formula(self, node: Tree, context: Context) -> Formula:
        value = self.value(node, context)
        if isinstance(value, _FORMULAS):
            return value
        raise self.source.error(node.at, f"wrong type: this is {describe(value)} where a Boolean is needed")

    def constant(self, node: Tree, context: Context, what: str) -> int:
        value = self.integer(node, context)
        if isinstance(value, Number):
            return value.value
        raise self.source.error(node.at, f"{what} must be constant, and this depends on a variable")

    def range(self, node: syntax.RangeTree, context: Context) -> tuple[int, int]:
        low = self.constant(node.low, context, "the bound of a range")
        high = self.constant(node.high, context, "the bound of a range")
        if low <= high:
            return low, high
        if context.dead:
            return low, low
        raise self.source.error(node.at, f"empty range: {low}..{high} has no values{context.where()}")

    def instances(
        self, binders: Sequence[syntax.Binder], context: Context
    ) -> Iterator[tuple[Context, tuple[int, ...]]]:
        """Every choice of values for the binders; the range of one may depend on those before it."""
        if not binders:
            yield context, ()
            return
        first, rest = binders[0], binders[1:]
        self._check_binder(first.name, context)
        low, high = self.range(first.range, context)
        for value in range(low, high + 1):
            if not rest:
                self.count_instances(1, first.name.at)
            for inner, indices in self.instances(rest, context.bind(first.name.text, value)):
                yield inner, (value, *indices)

    def count_instances(self, count: int, at: int) -> None:
        self._instances += count
        if self._instances > LIMITS.instances:
            raise self.source.error(
                at,
                f"the program expands to more than {LIMITS.instances:,} instances; make its ranges smaller",
                UnsupportedError,
            )

    def element(self, node: syntax.ElementRead, context: Context) -> GuardedVariable:
        array = self.scope.arrays.get(node.name)
        if array is None:
            if node.name in context.binders or node.name in self.scope.names():
                raise self.source.error(node.at, f"`{node.name}` is not an array and takes no index")
            raise self.unknown_name(node.name, node.at)
        index = self.constant(node.index, context, f"the index of `{node.name}`")
        if not array.low <= index <= array.high:
            if not context.dead:
                raise self.source.error(
                    node.at,
                    f"index out of range: `{node.name}[{index}]`, but the indices of `{node.name}` are "
                    f"{array.low}..{array.high}{context.where()}",
                )
            index = array.low
        return self.scope.variables[element_name(node.name, index)]

    def unknown_name(self, name: str, at: int) -> PincerError:
        if name in self.scope.later_constants:
            return self.source.error(at, f"the constant `{name}` is defined only later; move it up")
        close = get_close_matches(name, self.scope.names(), n=1)
        suggestion = f"; did you mean `{close[0]}`?" if close else ""
        return self.source.error(at, f"unknown name `{name}`{suggestion}")

    def array_without_index(self, name: str, at: int) -> PincerError:
        low = self.scope.arrays[name].low
        return self.source.error(at, f"`{name}` is an array; give it an index, as in `{name}[{low}]`")

    def _name(self, node: syntax.NameRead, context: Context) -> Value:
        name = node.text
        if name in context.binders:
            return Number(context.binders[name])
        variable = self.scope.variables.get(name)
        if variable is not None:
            return self._read(variable)
        if name in self.scope.constants:
            return Number(self.scope.constants[name])
        if name in self.scope.values:
            return Enumerated(self.scope.values[name])
        if name in self.scope.arrays:
            raise self.array_without_index(name, node.at)
        raise self.unknown_name(name, node.at)

    def _read(self, variable: GuardedVariable) -> Value:
        known = self._reads.get(variable.name)
        if known is None:
            known = self._reads[variable.name] = _value_of(variable)
        return known

    def _as_number(self, node: Tree, value: Value) -> Expression | None:
        """What a finite variable counts as where an integer is wanted; None where that is not allowed.

        A mere name never counts as its number: it could be that of another enumeration.
        """
        if not self.scope.lenient:
            return None
        if isinstance(value, Enumerated) and not isinstance(value.readings[0][1], Number):
            return value.readings[0][1] if len(value.readings) == 1 else None
        return _as_bit(node, value) if isinstance(value, Comparison) else None

    def _infix(self, node: syntax.Infix, context: Context) -> Value:
        operator = node.operator
        if operator in COMPARISONS:
            return self._comparison(node, context)
        if operator == "=>":
            left = self.formula(node.left, context)
            right = self.formula(node.right, context.dead_if(is_truth(left, False)))
            return folding.implication(left, right)
        if operator == "<=>":
            return folding.equivalence(self.formula(node.left, context), self.formula(node.right, context))
        return self._arithmetic(node, context)

    def _arithmetic(self, node: syntax.Infix, context: Context) -> Expression:
        operator = cast(folding.ArithmeticOperator, node.operator)
        left = self.integer(node.left, context)
        right = self.integer(node.right, context)
        if operator == "*" and not (isinstance(left, Number) or isinstance(right, Number)):
            raise self.source.error(node.at, "non-linear term: one side of `*` must be constant")
        if operator in ("div", "mod"):
            if not isinstance(right, Number):
                raise self.source.error(
                    node.right.at, f"non-linear term: the right side of `{operator}` must be constant"
                )
            if right.value <= 0:
                if not context.dead:
                    raise self.source.error(
                        node.right.at,
                        f"the right side of `{operator}` must be positive, and this is {right.value}{context.where()}",
                    )
                right = Number(1)
        return folding.arithmetic(operator, left, right)

    def _comparison(self, node: syntax.Infix, context: Context) -> Formula:
        operator = cast(folding.ComparisonOperator, node.operator)
        left = self.value(node.left, context)
        right = self.value(node.right, context)
        if isinstance(left, _EXPRESSIONS) and isinstance(right, _EXPRESSIONS):
            return folding.comparison(operator, left, right)
        if operator == "=" or operator == "!=":
            formula = _equality(operator, node, left, right)
            if formula is not None:
                return formula
        left_number, right_number = self._as_number(node.left, left), self._as_number(node.right, right)
        left = left if left_number is None else left_number
        right = right if right_number is None else right_number
        if isinstance(left, _EXPRESSIONS) and isinstance(right, _EXPRESSIONS):
            return folding.comparison(operator, left, right)
        raise self._incomparable(node, left, right)

    def _incomparable(self, node: syntax.Infix, left: Value, right: Value) -> PincerError:
        what = f"`{node.operator}` cannot compare {describe(left)} with {describe(right)}"
        if node.operator not in ("=", "!=") and describe(left) == describe(right):
            what += "; only `=` and `!=` can"
        return self.source.error(node.at, f"wrong type: {what}")

    def _chain(self, node: syntax.Chain, context: Context) -> Formula:
        conjunctive = node.operator == "&&"
        operands = []
        for operand in node.operands:
            formula = self.formula(operand, context)
            operands.append(formula)
            context = context.dead_if(is_truth(formula, not conjunctive))
        return folding.conjunction(operands) if conjunctive else folding.disjunction(operands)

    def _if_then_else(self, node: syntax.IfThenElse, context: Context) -> Value:
        condition = self.formula(node.condition, context)
        then = self.value(node.then, context.dead_if(is_truth(condition, False)))
        otherwise = self.value(node.otherwise, context.dead_if(is_truth(condition, True)))
        if isinstance(then, _FORMULAS) and isinstance(otherwise, _FORMULAS):
            return folding.choice(condition, then, otherwise)
        if isinstance(then, Enumerated) and isinstance(otherwise, Enumerated):
            readings = _common_readings(then, otherwise)
            if readings:
                return Enumerated(tuple((t, folding.conditional(condition, a, b)) for t, a, b in readings))
        first = then if isinstance(then, _EXPRESSIONS) else self._as_number(node.then, then)
        second = otherwise if isinstance(otherwise, _EXPRESSIONS) else self._as_number(node.otherwise, otherwise)
        if first is None or second is None:
            raise self.source.error(
                node.otherwise.at,
                f"wrong type: `then` gives {describe(then)} and `else` gives {describe(otherwise)}",
            )
        return folding.conditional(condition, first, second)

    def _quantified(self, node: syntax.Quantified, context: Context) -> Formula:
        operands = []
        for inner, _ in self.instances(node.binders, context):
            operands.append(self.formula(node.body, inner))
        return folding.conjunction(operands) if node.quantifier == "forall" else folding.disjunction(operands)

    def _check_binder(self, name: syntax.Identifier, context: Context) -> None:
        scope, text = self.scope, name.text
        kind = (
            "a name bound around it"
            if text in context.binders
            else "a constant"
            if text in scope.constants
            else "a variable"
            if text in scope.variables or text in scope.arrays
            else "a value of an enumeration"
            if text in scope.values
            else None
        )
        if kind is not None:
            raise self.source.error(name.at, f"redefinition: `{text}` is already {kind}; choose another name")


def _value_of(variable: GuardedVariable) -> Value:
    reference = VariableRef(variable.name)
    if not isinstance(variable.type, FiniteType) or variable.type.names is None:
        return reference
    if variable.type.is_bool:
        return Comparison("=", reference, Number(1))
    return Enumerated(((variable.type, reference),))


def _equality(operator: Literal["=", "!="], node: syntax.Infix, left: Value, right: Value) -> Formula | None:
    """`=` or `!=` between two Booleans or two values of one enumeration; None for anything else."""
    if isinstance(left, _FORMULAS) and isinstance(right, _FORMULAS):
        left_bit, right_bit = _as_bit(node.left, left), _as_bit(node.right, right)
        if left_bit is not None and right_bit is not None:
            return folding.comparison(operator, left_bit, right_bit)
        equal = folding.equivalence(left, right)
        return equal if operator == "=" else folding.negation(equal)
    if isinstance(left, Enumerated) and isinstance(right, Enumerated):
        # With several common enumerations there are only names on both sides: every reading says the same.
        for _, a, b in _common_readings(left, right):
            return folding.comparison(operator, a, b)
    return None


def _as_bit(node: Tree, formula: Formula) -> Expression | None:
    """The value of a constant or a bare Boolean variable as a number; None for formulas that have none."""
    if isinstance(formula, Truth):
        return Number(int(formula.value))
    if isinstance(formula, Comparison) and isinstance(node, syntax.NameRead | syntax.ElementRead):
        return formula.left
    return None


def _common_readings(left: Enumerated, right: Enumerated) -> list[tuple[FiniteType, Expression, Expression]]:
    found = []
    for type_, a in left.readings:
        b = right.reading(type_)
        if b is not None:
            found.append((type_, a, b))
    return found
