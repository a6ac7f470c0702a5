"""C arithmetic in MSVL: every result brought back into the range of its C type, where it could have left it.

There are two ways. A program that needs nothing wider than `int` is written for an interpreter with 32-bit integers,
which wrap by themselves. Any other is written for mathematical integers, with a remainder wherever a result might not
fit. Remainders rather than masks, because linear arithmetic understands them; their left operand is never negative,
because `%` rounds as in C.
"""

from __future__ import annotations

from msgspec import Struct

from pincer.frontends.c.semantics.conversions import common_type, promoted_type
from pincer.frontends.c.semantics.types import (
    BOOL,
    DOUBLE,
    INT,
    CType,
    Floating,
    Integer,
    Pointer,
    Record,
    Target,
    Void,
)
from pincer.frontends.msvl import syntax
from pincer.frontends.msvl.checks import NULL
from pincer.frontends.msvl.syntax import Expression

COMPARISONS = {"==": "=", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
_LEAST_INT = -(1 << 31)
_GREATEST_INT = (1 << 31) - 1


class WiderIntegers(Exception):
    """The program needs integers beyond those of 32 bits with a sign: translate it for mathematical ones."""


class NotExact(Exception):
    """There is no exact counterpart; the sentence says of what."""


class Operand(Struct, frozen=True):
    """An expression with its C type; an integer moreover lies between `low` and `high`."""

    expression: Expression
    type: CType
    low: int = 0
    high: int = 0

    @property
    def number(self) -> int | None:
        """The value of an integer constant."""
        found = self.expression
        return found.value if isinstance(found, syntax.Number) and isinstance(found.value, int) else None


def limits(type: Integer) -> tuple[int, int]:
    if type.boolean:
        return 0, 1
    return (-(1 << type.bits - 1), (1 << type.bits - 1) - 1) if type.signed else (0, (1 << type.bits) - 1)


def literal(value: int, type: CType) -> Operand:
    return Operand(syntax.Number(value), type, value, value)


def truth_value(condition: Expression) -> Operand:
    """The int that a comparison yields."""
    return Operand(condition, INT, 0, 1)


class IntegerArithmetic(Struct, frozen=True):
    """`int32` says for which integers the program is written."""

    target: Target
    int32: bool

    def require(self, type: CType) -> None:
        """Give up the translation for 32-bit integers when a type does not fit into them."""
        if isinstance(type, Integer) and type.bits > 64:
            raise NotExact("128-bit integers")
        if isinstance(type, Floating) and type != DOUBLE:
            raise NotExact(f"arithmetic on `{type.name}`; the interpreter computes with `double` only")
        if (
            self.int32
            and isinstance(type, Integer)
            and not _LEAST_INT <= min(limits(type)) <= max(limits(type)) < 1 << 31
        ):
            raise WiderIntegers

    def any_of(self, expression: Expression, type: CType) -> Operand:
        """An operand about which only its type is known."""
        self.require(type)
        return Operand(expression, type, *(limits(type) if isinstance(type, Integer) else (0, 0)))

    def fitted(self, expression: Expression, low: int, high: int, type: Integer) -> Operand:
        """A mathematical result as a value of the type."""
        self.require(type)
        least, greatest = limits(type)
        if isinstance(expression, syntax.Number) and isinstance(expression.value, int):
            return literal((expression.value - least) % (1 << type.bits) + least, type)
        if self.int32 and (low < _LEAST_INT or high > _GREATEST_INT):
            low, high = _LEAST_INT, _GREATEST_INT
        if least <= low and high <= greatest:
            return Operand(expression, type, low, high)
        modulus = 1 << type.bits
        if self.int32 and (high - least + modulus > _GREATEST_INT or low - least < 0):
            expression, low = syntax.Binary("%", expression, syntax.Number(modulus)), 1 - modulus
        shift = -least + max(0, -((low - least) // modulus)) * modulus
        moved = _plus(expression, shift)
        return Operand(_plus(syntax.Binary("%", moved, syntax.Number(modulus)), least), type, least, greatest)

    def converted(self, value: Operand, type: CType) -> Operand:
        """The value as the given type, as by assignment or cast."""
        self.require(type)
        source = value.type
        match type:
            case Integer():
                if type == BOOL or type.boolean:
                    return Operand(self.truth(value).expression, type, 0, 1)
                if isinstance(source, Integer):
                    return self.fitted(value.expression, value.low, value.high, type)
                if isinstance(source, Floating):
                    return self.any_of(syntax.Cast(syntax.TypeName(("int",)), value.expression), type)
            case Floating():
                if isinstance(source, Floating):
                    return Operand(value.expression, type)
                if isinstance(source, Integer):
                    known = value.number
                    if known is not None:
                        return Operand(syntax.Number(float(known)), type)
                    return Operand(syntax.Cast(syntax.TypeName(("double",)), value.expression), type)
            case Pointer():
                return _as_pointer(value, type)
            case Record():
                if source is type:
                    return value
            case Void():
                return Operand(value.expression, type)
        raise NotExact("a conversion between a number and a pointer, or of a structure")

    def truth(self, value: Operand) -> Operand:
        """1 or 0: whether the value is not zero."""
        if isinstance(value.type, Integer) and (value.low, value.high) in ((0, 1), (0, 0), (1, 1)):
            return Operand(value.expression, INT, value.low, value.high)
        if value.number is not None:
            return literal(int(value.number != 0), INT)
        if isinstance(value.type, Pointer):
            return truth_value(syntax.Binary("!=", value.expression, syntax.Name(NULL)))
        if isinstance(value.type, Integer | Floating):
            return truth_value(syntax.Binary("!=", value.expression, syntax.Number(0)))
        raise NotExact("a condition that is neither a number nor a pointer")

    def common(self, left: Operand, right: Operand) -> tuple[Operand, Operand, CType]:
        """Both operands as their common type."""
        if not all(isinstance(side.type, Integer | Floating) for side in (left, right)):
            raise NotExact("arithmetic on these types")
        type = common_type(left.type, right.type, self.target)
        return self.converted(left, type), self.converted(right, type), type

    def compared(self, op: str, left: Operand, right: Operand) -> Operand:
        if isinstance(left.type, Pointer) or isinstance(right.type, Pointer):
            pointer = left.type if isinstance(left.type, Pointer) else right.type
            left, right = (
                side if isinstance(side.type, Pointer) else self.converted(side, pointer) for side in (left, right)
            )
        else:
            left, right, _ = self.common(left, right)
        return truth_value(syntax.Binary(COMPARISONS[op], left.expression, right.expression))

    def binary(self, op: str, left: Operand, right: Operand) -> Operand:
        """Any operator on numbers but comparisons and the logical ones."""
        if op in ("<<", ">>"):
            return self._shifted(op, left, right)
        a, b, type = self.common(left, right)
        if isinstance(type, Floating):
            if op not in ("+", "-", "*", "/"):
                raise NotExact(f"`{op}` on floating-point numbers")
            return Operand(syntax.Binary(op, a.expression, b.expression), type)
        assert isinstance(type, Integer)
        known = _folded(op, a.number, b.number)
        if known is not None:
            return self.fitted(syntax.Number(known), known, known, type)
        low, high = _range(op, a, b, limits(type))
        return self.fitted(syntax.Binary(op, a.expression, b.expression), low, high, type)

    def _shifted(self, op: str, left: Operand, right: Operand) -> Operand:
        """The result has the promoted type of the left operand; larger amounts than its width are undefined."""
        if not isinstance(left.type, Integer) or not isinstance(right.type, Integer):
            raise NotExact(f"`{op}` on these types")
        type = promoted_type(left.type)
        assert isinstance(type, Integer)
        a, amount = self.converted(left, type), self.converted(right, promoted_type(right.type))
        known = _folded(op, a.number, amount.number)
        if known is not None:
            return self.fitted(syntax.Number(known), known, known, type)
        expression = syntax.Binary(op, a.expression, amount.expression)
        if op == ">>":
            return Operand(expression, type, min(a.low, 0), max(a.high, 0))
        most = min(max(amount.high, 0), type.bits - 1)
        return self.fitted(expression, min(a.low << most, a.low), max(a.high << most, a.high), type)

    def unary(self, op: str, value: Operand) -> Operand:
        """`+`, `-` and `~`."""
        if isinstance(value.type, Floating) and op != "~":
            self.require(value.type)
            return value if op == "+" else Operand(syntax.Unary("-", value.expression), value.type)
        type = promoted_type(value.type)
        if not isinstance(type, Integer):
            raise NotExact(f"`{op}` on this type")
        a = self.converted(value, type)
        if op == "+":
            return a
        known = a.number
        if known is not None:
            result = -known if op == "-" else ~known
            return self.fitted(syntax.Number(result), result, result, type)
        if op == "-":
            return self.fitted(syntax.Unary("-", a.expression), -a.high, -a.low, type)
        if type.signed:
            return Operand(syntax.Unary("~", a.expression), type, ~a.high, ~a.low)
        greatest = limits(type)[1]
        difference = syntax.Binary("-", syntax.Number(greatest), a.expression)
        return Operand(difference, type, greatest - a.high, greatest - a.low)


def _plus(expression: Expression, amount: int) -> Expression:
    if amount == 0:
        return expression
    return syntax.Binary("+" if amount > 0 else "-", expression, syntax.Number(abs(amount)))


def _as_pointer(value: Operand, type: Pointer) -> Operand:
    if value.number == 0 and isinstance(value.type, Integer):
        return Operand(syntax.Name(NULL), type)
    if isinstance(value.type, Pointer):
        forgets = isinstance(type.target, Void)
        if forgets or type.target == value.type.target or value.expression == syntax.Name(NULL):
            return Operand(value.expression, type)
        raise NotExact("a pointer used as a pointer to another type")
    raise NotExact("a number used as a pointer")


def _folded(op: str, a: int | None, b: int | None) -> int | None:
    if a is None or b is None:
        return None
    match op:
        case "+":
            return a + b
        case "-":
            return a - b
        case "*":
            return a * b
        case "/" | "%" if b != 0:
            quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
            return quotient if op == "/" else a - b * quotient
        case "&":
            return a & b
        case "|":
            return a | b
        case "^":
            return a ^ b
        case "<<" | ">>" if 0 <= b < 64:
            return a << b if op == "<<" else a >> b
    return None


def _range(op: str, a: Operand, b: Operand, whole: tuple[int, int]) -> tuple[int, int]:
    """Bounds of a result before it is fitted into its type, which ranges over `whole`."""
    natural = a.low >= 0 and b.low >= 0
    match op:
        case "+":
            return a.low + b.low, a.high + b.high
        case "-":
            return a.low - b.high, a.high - b.low
        case "*":
            corners = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
            return min(corners), max(corners)
        case "/":
            most = max(-a.low, a.high)
            return (0, a.high) if natural else (-most, most)
        case "%":
            most = min(max(-b.low, b.high) - 1, max(-a.low, a.high))
            return (-most if a.low < 0 else 0), (most if a.high > 0 else 0)
        case "&" if a.low >= 0 or b.low >= 0:
            return 0, min(side.high for side in (a, b) if side.low >= 0)
        case "|" | "^" if natural:
            return 0, (1 << max(a.high.bit_length(), b.high.bit_length())) - 1
    return whole
