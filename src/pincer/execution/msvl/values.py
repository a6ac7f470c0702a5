"""Values: what a cell holds concretely, and the term over the inputs that it stands for.

A run gives up on a symbolic value whose term would grow without end: terms share their parts, but solvers and
comparisons may have to take them apart.
"""

from __future__ import annotations

from math import prod
from typing import Final, NamedTuple, TypeAlias

from pincer.frontends.msvl.types import Type
from pincer.logic import terms
from pincer.logic.terms import Term, children, unknown_first


class Nil:
    """No value yet."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "NIL"


NIL: Final = Nil()


class PointerValue(NamedTuple):
    """Where a pointer points: an offset into an object, within the array from `low` to `high`.

    `generation` tells the object from later ones that get its number. `target` is None for memory whose type is
    still open, as `malloc` gives it; NULL is object 0.
    """

    object: int
    offset: int
    target: Type | None
    low: int
    high: int
    generation: int

    def __repr__(self) -> str:
        return f"&{self.object}[{self.offset}]" if self.object else "NULL"


NULL_POINTER: Final = PointerValue(0, 0, None, 0, 0, 0)


class Aggregate(NamedTuple):
    """A struct as a value: its slots in order."""

    tag: str
    slots: tuple[Value, ...]


class FunctionValue(NamedTuple):
    """A function as a value; it can be passed on."""

    name: str

    def __repr__(self) -> str:
        return self.name


Concrete: TypeAlias = int | float | str | PointerValue | Aggregate | FunctionValue | Nil


class Value(NamedTuple):
    """A concrete value, and a term of sort Int or Bool when it depends on inputs."""

    concrete: Concrete
    symbolic: Term | None = None


NIL_VALUE: Final = Value(NIL)
TRUE_VALUE: Final = Value(1)
FALSE_VALUE: Final = Value(0)


def symbolic_value(concrete: Concrete, term: Term) -> Value:
    """A value whose term is dropped when it folds to a constant."""
    if term is terms.TRUE or term is terms.FALSE or terms.constant_value(term) is not None:
        return Value(concrete)
    return Value(concrete, term)


def integer_term(value: Value) -> Term:
    """The value as a term of sort Int."""
    if value.symbolic is None:
        assert isinstance(value.concrete, int)
        return terms.integer(value.concrete)
    if value.symbolic.sort is terms.BOOL:
        return terms.conditional(value.symbolic, terms.integer(1), terms.integer(0))
    return value.symbolic


def condition_term(value: Value) -> Term:
    """Whether the value is not zero, as a formula; the value is symbolic."""
    assert value.symbolic is not None
    return value.symbolic if value.symbolic.sort is terms.BOOL else terms.negate(terms.is_zero(value.symbolic))


def stored(value: Value) -> Value:
    """The value as cells hold it: with a term of sort Int or none."""
    if value.symbolic is not None and value.symbolic.sort is terms.BOOL:
        return symbolic_value(value.concrete, integer_term(value))
    return value


def is_true(concrete: Concrete) -> bool:
    if isinstance(concrete, PointerValue):
        return concrete.object != 0
    return bool(concrete)


_LARGEST = 400
_MOST_CASES = 16


class TermSize(NamedTuple):
    """`written` counts symbols, `cases` the ways through the conditionals."""

    written: int
    cases: int


_sizes: dict[Term, TermSize] = {}


def too_large(term: Term) -> bool:
    if term.op == "var":
        return False
    for part in unknown_first(term, _sizes):
        _sizes[part] = _measured(part)
    size = _sizes[term]
    return size.written > _LARGEST or size.cases > _MOST_CASES


def _measured(term: Term) -> TermSize:
    parts = [_sizes[child] for child in children(term)]
    written = min(1 + sum(part.written for part in parts), _LARGEST + 1)
    if term.op == "ite":
        cases = parts[1].cases + parts[2].cases
    elif term.op in ("linear", "div"):
        cases = prod(part.cases for part in parts)
    else:
        cases = 1
    return TermSize(written, min(cases, _MOST_CASES + 1))
