"""Values that stand for many numbers: linear forms over symbols, and the ways that conditions on them can go.

A condition on forms is decided by the path that is being followed; `Ways.paths` follows all of them, one after the
other. Whatever is no linear arithmetic raises `BeyondForms`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from math import gcd
from typing import Literal, NamedTuple, TypeAlias, TypeVar

from msgspec import Struct

T = TypeVar("T")
MOST_DECISIONS = 64
MOST_PATHS = 256


class BeyondForms(Exception):
    """A value or a condition that is not linear, or too many cases."""


class Quotient(Struct, frozen=True):
    """A form divided by a positive number, rounded down."""

    terms: Terms
    constant: int
    divisor: int


Symbol: TypeAlias = "str | Quotient"
Terms: TypeAlias = "tuple[tuple[Symbol, int], ...]"
"""Symbols with their coefficients, none of them zero, in one order."""


class LinearCondition(NamedTuple):
    """A linear form compared with zero."""

    terms: Terms
    constant: int
    comparison: Literal["=", "!=", ">="]


@dataclass(frozen=True, eq=False, slots=True)
class LinearForm:
    """A sum of symbols and a number. Whether it is equal to something, or zero, is decided by the path."""

    terms: Terms
    constant: int
    ways: Ways

    def __bool__(self) -> bool:
        return not self.ways.is_zero(self)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, LinearForm | int):
            return self.ways.is_zero(self.plus(other, -1))
        return NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __str__(self) -> str:
        return _in_words(self.terms, self.constant)

    @property
    def key(self) -> tuple[Terms, int]:
        """What it is, comparable without a decision."""
        return self.terms, self.constant

    def plus(self, other: LinearForm | int, factor: int = 1) -> LinearForm | int:
        """The sum with a multiple of another value."""
        if isinstance(other, int):
            return LinearForm(self.terms, self.constant + factor * other, self.ways)
        sums = dict(self.terms)
        for symbol, coefficient in other.terms:
            sums[symbol] = sums.get(symbol, 0) + factor * coefficient
        return form_of(sums, self.constant + factor * other.constant, self.ways)

    def times(self, factor: int) -> LinearForm | int:
        return form_of(
            {symbol: factor * coefficient for symbol, coefficient in self.terms}, factor * self.constant, self.ways
        )

    def divided(self, divisor: int) -> LinearForm | int:
        """The quotient rounded towards zero, by a number that is not zero."""
        if divisor < 0:
            return negated(self.divided(-divisor))
        if divisor == 1:
            return self
        if not self.ways.is_negative(self):
            return form_of({Quotient(self.terms, self.constant, divisor): 1}, 0, self.ways)
        opposite = tuple((symbol, -factor) for symbol, factor in self.terms)
        return form_of({Quotient(opposite, -self.constant, divisor): -1}, 0, self.ways)


def _in_words(terms: Terms, constant: int) -> str:
    """A form as a user would write it: names without the numbers that tell variables of one name apart."""
    parts = [(factor, _called(symbol)) for symbol, factor in terms]
    written = [f"{factor:+}*{name}".replace("1*", "", factor in (1, -1)) for factor, name in parts]
    text = " ".join(f"{part[0]} {part[1:]}" for part in [*written, *([f"{constant:+}"] if constant else [])])
    return text.removeprefix("+ ")


def _called(symbol: Symbol) -> str:
    if isinstance(symbol, Quotient):
        return f"(({_in_words(symbol.terms, symbol.constant)}) / {symbol.divisor})"
    kind = symbol.partition(" ")[0]
    return {"input": "an input", "next": "a value"}.get(kind, kind)


def form_of(sums: Mapping[Symbol, int], constant: int, ways: Ways) -> LinearForm | int:
    terms = tuple(sorted(((symbol, factor) for symbol, factor in sums.items() if factor), key=str))
    return LinearForm(terms, constant, ways) if terms else constant


def symbol_form(symbol: Symbol, ways: Ways) -> LinearForm:
    return LinearForm(((symbol, 1),), 0, ways)


def negated(value: LinearForm | int) -> LinearForm | int:
    return -value if isinstance(value, int) else value.times(-1)


def added(a: LinearForm | int, b: LinearForm | int, factor: int = 1) -> LinearForm | int:
    """`a + factor * b`."""
    if isinstance(a, LinearForm):
        return a.plus(b, factor)
    if isinstance(b, int):
        return a + factor * b
    return added(b.times(factor), a)


def computed(sign: str, a: LinearForm | int, b: LinearForm | int) -> LinearForm | int:
    """An operator on forms and numbers."""
    match sign:
        case "+" | "-":
            return added(a, b, 1 if sign == "+" else -1)
        case "*" if isinstance(b, int) and isinstance(a, LinearForm):
            return a.times(b)
        case "*" if isinstance(a, int) and isinstance(b, LinearForm):
            return b.times(a)
        case "/" | "%" if isinstance(b, int) and isinstance(a, LinearForm):
            quotient = a.divided(b)
            return quotient if sign == "/" else added(a, added(0, quotient, b), -1)
        case "=" | "!=" | "<" | "<=" | ">" | ">=":
            return int(_compared(sign, a, b))
    raise BeyondForms(f"`{sign}` is not linear here")


def _compared(sign: str, a: LinearForm | int, b: LinearForm | int) -> bool:
    if sign in ("=", "!="):
        return (a == b) == (sign == "=")
    if sign in (">", "<="):
        return _is_less(b, a) == (sign == ">")
    return _is_less(a, b) == (sign == "<")


def _is_less(a: LinearForm | int, b: LinearForm | int) -> bool:
    difference = added(a, b, -1)
    return difference < 0 if isinstance(difference, int) else difference.ways.is_negative(difference)


@dataclass(slots=True)
class _Bounds:
    """What is known on a path about a sum of symbols."""

    low: int | None = None
    high: int | None = None
    never: set[int] = field(default_factory=set)

    def at_least(self, value: int) -> bool | None:
        """Whether the sum is at least a value, None where it may or may not be."""
        if self.low is not None and self.low >= value:
            return True
        return False if self.high is not None and self.high < value else None

    def raise_to(self, value: int) -> None:
        self.low = value if self.low is None else max(self.low, value)
        while self.low in self.never:
            self.low += 1

    def lower_to(self, value: int) -> None:
        self.high = value if self.high is None else min(self.high, value)
        while self.high in self.never:
            self.high -= 1

    def avoid(self, value: int) -> None:
        self.never.add(value)
        if self.low is not None:
            self.raise_to(self.low)
        if self.high is not None:
            self.lower_to(self.high)


@dataclass(slots=True)
class Ways:
    """The path that is being followed: what was decided on it, and what is known by that."""

    taken: list[bool] = field(default_factory=list)
    literals: list[LinearCondition] = field(default_factory=list)
    _prefix: tuple[bool, ...] = ()
    _known: dict[Terms, _Bounds] = field(default_factory=dict)

    def paths(self, follow: Callable[[], T]) -> Iterator[tuple[tuple[LinearCondition, ...], T]]:
        """What following each of the paths gives, with the conditions under which it is followed."""
        waiting: list[tuple[bool, ...]] = [()]
        for _ in range(MOST_PATHS):
            if not waiting:
                return
            prefix = waiting.pop()
            self._begin(prefix)
            outcome = follow()
            new = range(len(prefix), len(self.taken))
            waiting += [(*self.taken[:place], not self.taken[place]) for place in new]
            yield tuple(self.literals), outcome
        if waiting:
            raise BeyondForms("a state can come about in too many ways")

    def _begin(self, prefix: tuple[bool, ...]) -> None:
        self._prefix = prefix
        self.taken, self.literals, self._known = [], [], {}

    def suppose(self, symbol: Symbol, low: int | None, high: int | None) -> None:
        """Bounds of a symbol that hold on all paths."""
        bounds = self._known.setdefault(((symbol, 1),), _Bounds())
        if low is not None:
            bounds.raise_to(low)
        if high is not None:
            bounds.lower_to(high)

    def is_zero(self, form: LinearForm | int) -> bool:
        if isinstance(form, int):
            return form == 0
        factor, bounds = self._of(form)
        value, rest = divmod(-form.constant, factor)
        if rest or value in bounds.never or bounds.at_least(value) is False or bounds.at_least(value + 1):
            return False
        if bounds.low == bounds.high == value:
            return True
        if self._decide():
            self.literals.append(LinearCondition(form.terms, form.constant, "="))
            bounds.low = bounds.high = value
            return True
        self.literals.append(LinearCondition(form.terms, form.constant, "!="))
        bounds.avoid(value)
        return False

    def is_negative(self, form: LinearForm) -> bool:
        """Whether a form is below zero."""
        factor, bounds = self._of(form)
        # factor * sum + constant >= 0, where the factor may be negative.
        if factor > 0:
            least = -(form.constant // factor)
            known = bounds.at_least(least)
        else:
            least = form.constant // -factor + 1
            known = None if (found := bounds.at_least(least)) is None else not found
        if known is not None:
            return not known
        if not self._decide():
            self.literals.append(LinearCondition(*_opposite(form), ">="))
            (bounds.lower_to if factor > 0 else bounds.raise_to)(least - 1 if factor > 0 else least)
            return True
        self.literals.append(LinearCondition(form.terms, form.constant, ">="))
        (bounds.raise_to if factor > 0 else bounds.lower_to)(least if factor > 0 else least - 1)
        return False

    def _of(self, form: LinearForm) -> tuple[int, _Bounds]:
        """What a form is times a sum of symbols, but for its constant, and what is known about that sum."""
        factor = gcd(*(coefficient for _, coefficient in form.terms))
        factor = factor if form.terms[0][1] > 0 else -factor
        direction = tuple((symbol, coefficient // factor) for symbol, coefficient in form.terms)
        return factor, self._known.setdefault(direction, _Bounds())

    def _decide(self) -> bool:
        place = len(self.taken)
        if place >= MOST_DECISIONS:
            raise BeyondForms("a state depends on too many conditions")
        self.taken.append(self._prefix[place] if place < len(self._prefix) else True)
        return self.taken[place]


def _opposite(form: LinearForm) -> tuple[Terms, int]:
    """What is at least zero where the form is below zero."""
    return tuple((symbol, -factor) for symbol, factor in form.terms), -form.constant - 1
