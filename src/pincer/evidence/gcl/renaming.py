"""Proof obligations that say the same about other variables.

Whether an obligation holds does not depend on how its variables are called. Where processes are copies of each other,
most obligations are others with other names, and one answer is enough for all of them. An obligation is written down
with places instead of names; which variable comes first is decided by where it occurs, as far as that tells them
apart. Two obligations with the same key differ in names only; two with different keys may do so, and are both asked.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct

from pincer.evidence.gcl.literals import Cube, Union, Vocabulary
from pincer.evidence.gcl.obligations import GuardedObligation, Step
from pincer.evidence.gcl.residual import TRUE, mentioned
from pincer.program.guarded import (
    Arithmetic,
    Comparison,
    Conditional,
    Connective,
    Deadlock,
    Expression,
    Formula,
    Negate,
    Not,
    Number,
    Truth,
    VariableRef,
)

Places: TypeAlias = Mapping[str, int]
Key: TypeAlias = Hashable
_Tree: TypeAlias = Hashable


class _Sum(Struct, frozen=True):
    """A linear expression: the coefficients of its variables, none of them zero, and a constant."""

    coefficients: Mapping[str, int]
    constant: int


class _LiteralShape(Struct, frozen=True):
    """What a literal says: `total` stands in the relation to zero, or else a formula that is not linear."""

    relation: str
    total: _Sum | None
    other: Formula | None

    def placed(self, places: Places) -> Key:
        """The literal with places for names."""
        if self.total is None:
            assert self.other is not None
            return self.relation, _tree(self.other, places)
        terms = tuple(sorted((places[name], factor) for name, factor in self.total.coefficients.items()))
        constant = self.total.constant
        if self.relation in ("=", "!=") and terms[0][1] < 0:
            terms, constant = tuple((place, -factor) for place, factor in terms), -constant
        return self.relation, terms, constant


class RenamingKeys:
    """Keys of the obligations of one check."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._program = vocabulary.program
        self._shapes: dict[int, _LiteralShape] = {}
        self._interned: dict[Key, int] = {}
        self._roles: dict[Cube, dict[str, int]] = {}
        self._literal_roles: dict[int, tuple[tuple[str, int], ...]] = {}
        self._union_roles: dict[int, Mapping[str, int]] = {}
        self._tables: dict[tuple[str, ...], _Placed] = {}
        self._unions: dict[tuple[int, tuple[str, ...]], frozenset[frozenset[int]]] = {}

    def key(self, obligation: GuardedObligation, cubes: Sequence[Cube]) -> Key:
        """Equal for two obligations only if one becomes the other, for these cubes of `before`, by renaming."""
        order = self._order(obligation, cubes)
        places = {name: place for place, name in enumerate(order)}
        table = self._tables.get(order)
        if table is None:
            table = self._tables[order] = _Placed(self, places)
        in_place = table.__getitem__

        def placed(cube: Cube) -> frozenset[int]:
            return frozenset(map(in_place, cube))

        step = obligation.step
        updates = frozenset((places[name], expression_key(value, places)) for name, value in step.updates.items())
        after = frozenset(
            (placed(condition), self._union(union, order, placed)) for condition, union in obligation.after
        )
        return frozenset(map(placed, cubes)), placed(step.guard), updates, after

    def placed(self, literal: int, places: Places) -> int:
        """The number of all literals that say this with places for names."""
        return self._number(self._shape(literal).placed(places))

    def _union(self, union: Union, order: tuple[str, ...], placed: Callable[[Cube], frozenset[int]]) -> Key:
        found = self._unions.get((union.number, order))
        if found is None:
            found = self._unions[union.number, order] = frozenset(map(placed, union.cubes))
        return found

    def _order(self, obligation: GuardedObligation, cubes: Sequence[Cube]) -> tuple[str, ...]:
        """The variables of the obligation, ordered by what is said of them and not by their names."""
        parts = [self._in_cubes(cubes), self._in_step(obligation.step)]
        for condition, union in obligation.after:
            parts += self._in_cube(condition), self._in_union(union)
        names = sorted(set().union(*parts))
        return tuple(sorted(names, key=lambda name: tuple(part.get(name, -1) for part in parts)))

    def _in_union(self, union: Union) -> Mapping[str, int]:
        if union.number not in self._union_roles:
            self._union_roles[union.number] = self._in_cubes(union.cubes)
        return self._union_roles[union.number]

    def _in_cubes(self, cubes: Sequence[Cube]) -> Mapping[str, int]:
        found: dict[str, int] = {}
        for cube in cubes:
            for name, role in self._in_cube(cube).items():
                found[name] = found.get(name, 0) + _mixed(role)
        return found

    def _in_cube(self, cube: Cube) -> Mapping[str, int]:
        known = self._roles.get(cube)
        if known is None:
            known = self._roles[cube] = {}
            for literal in cube:
                for name, role in self._in_literal(literal):
                    known[name] = known.get(name, 0) + role
        return known

    def _in_literal(self, literal: int) -> tuple[tuple[str, int], ...]:
        found = self._literal_roles.get(literal)
        if found is None:
            shape, names = self._shape(literal), self._vocabulary.atom(literal).names
            found = tuple((name, _mixed(self._role(name, shape))) for name in names)
            self._literal_roles[literal] = found
        return found

    def _in_step(self, step: Step) -> Mapping[str, int]:
        found = dict(self._in_cube(step.guard))
        for target, value in step.updates.items():
            names = mentioned(value, self._program) | {target}
            for name in names:
                places = dict.fromkeys(names, 0) | {target: 1} | {name: 2}
                role = self._number((name == target, expression_key(value, places)))
                found[name] = found.get(name, 0) + _mixed(role)
        return found

    def _role(self, name: str, shape: _LiteralShape) -> int:
        """How a literal speaks of a variable, all others being alike."""
        names = shape.total.coefficients if shape.total else mentioned(shape.other or TRUE, self._program)
        return self._number(shape.placed(dict.fromkeys(names, 0) | {name: 1}))

    def _shape(self, literal: int) -> _LiteralShape:
        found = self._shapes.get(literal)
        if found is None:
            found = self._shapes[literal] = _shape(self._vocabulary.atom(literal).formula, literal > 0)
        return found

    def _number(self, key: Key) -> int:
        return self._interned.setdefault(key, len(self._interned))


def formula_key(formula: Formula, places: Places) -> Key:
    """The formula with places for names: two with equal keys say the same of what stands there."""
    match formula:
        case Connective("&&" | "||" as sign, operands):
            return sign, frozenset(formula_key(operand, places) for operand in operands)
        case Connective(sign, operands):
            return sign, *(formula_key(operand, places) for operand in operands)
        case Not(operand):
            return "not", formula_key(operand, places)
        case Deadlock():
            return "deadlock"
        case Comparison() if (shape := _shape(formula, True)).total is not None:
            return shape.placed(places)
    return _tree(formula, places)


def expression_key(expression: Expression, places: Places) -> Key:
    """The same for an expression."""
    total = _linear(expression)
    if total is None:
        return _tree(expression, places)
    return frozenset((places[name], factor) for name, factor in total.coefficients.items()), total.constant


def _mixed(number: int) -> int:
    """A summand that stands for the number: sums of different ones are hardly ever equal."""
    return hash((number, number))


class _Placed(dict[int, int]):
    """Literals with places for names, by the numbers of the literals."""

    def __init__(self, keys: RenamingKeys, places: Places) -> None:
        super().__init__()
        self._keys = keys
        self._places = places

    def __missing__(self, literal: int) -> int:
        found = self[literal] = self._keys.placed(literal, self._places)
        return found


def _shape(formula: Formula, holds: bool) -> _LiteralShape:
    if isinstance(formula, Comparison):
        total = _combined(_linear(formula.left), _linear(formula.right), -1)
        if total is not None and total.coefficients:
            match formula.operator, holds:
                case ("=", True) | ("!=", False):
                    return _LiteralShape("=", total, None)
                case ("=", False) | ("!=", True):
                    return _LiteralShape("!=", total, None)
                case ("<=", True) | (">", False):
                    return _LiteralShape("<=", total, None)
                case ("<", True) | (">=", False):
                    return _LiteralShape("<=", _Sum(total.coefficients, total.constant + 1), None)
                case (">", True) | ("<=", False):
                    return _LiteralShape("<=", _scaled(_Sum(total.coefficients, total.constant - 1), -1), None)
                case (">=", True) | ("<", False):
                    return _LiteralShape("<=", _scaled(total, -1), None)
    return _LiteralShape("holds" if holds else "fails", None, formula)


def _linear(expression: Expression) -> _Sum | None:
    """The expression as a sum; None when it is not plainly one."""
    match expression:
        case Number(value):
            return _Sum({}, value)
        case VariableRef(name):
            return _Sum({name: 1}, 0)
        case Negate(operand):
            return None if (inner := _linear(operand)) is None else _scaled(inner, -1)
        case Arithmetic("+" | "-" as sign, left, right):
            return _combined(_linear(left), _linear(right), 1 if sign == "+" else -1)
        case Arithmetic("*", Number(factor), other) | Arithmetic("*", other, Number(factor)):
            return None if (inner := _linear(other)) is None else _scaled(inner, factor)
    return None


def _scaled(total: _Sum, factor: int) -> _Sum:
    kept = {name: factor * value for name, value in total.coefficients.items() if factor}
    return _Sum(kept, factor * total.constant)


def _combined(left: _Sum | None, right: _Sum | None, factor: int) -> _Sum | None:
    """Left, and right so many times."""
    if left is None or right is None:
        return None
    coefficients = dict(left.coefficients)
    for name, value in right.coefficients.items():
        coefficients[name] = coefficients.get(name, 0) + factor * value
    kept = {name: value for name, value in coefficients.items() if value}
    return _Sum(kept, left.constant + factor * right.constant)


def _tree(term: Expression | Formula, places: Places) -> _Tree:
    """The term as it is written, with places for names."""
    match term:
        case VariableRef(name):
            return places[name]
        case Negate(operand) | Not(operand):
            return type(term).__name__, _tree(operand, places)
        case Arithmetic(sign, left, right) | Comparison(sign, left, right):
            return sign, _tree(left, places), _tree(right, places)
        case Conditional(condition, then, otherwise):
            return "if", _tree(condition, places), _tree(then, places), _tree(otherwise, places)
        case Connective(sign, operands):
            return sign, *(_tree(operand, places) for operand in operands)
        case Number() | Truth():
            return "as it is", term
        case _:
            # What this says of which variable is not known: only the same with the same names is alike.
            return "with these names", term, tuple(sorted(places.items()))
