"""The checker's language: literals, cubes and unions of cubes over the integer variables, each interned once.

A literal is a signed number of an atom, as in a SAT solver; an atom may be any formula that is not a
conjunction. A cube is a set of literals that hold together; a union holds where one of its cubes does.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct

from pincer.evidence.gcl.interpreter import State, Test, compile_formula
from pincer.evidence.gcl.residual import mentioned, negation
from pincer.evidence.gcl.smtlib import formula_text
from pincer.program.guarded import (
    Comparison,
    Connective,
    Formula,
    GuardedProgram,
    Not,
    Number,
    Truth,
    VariableRef,
)

Cube: TypeAlias = frozenset[int]
EMPTY_CUBE: Cube = frozenset()


class LiteralAtom(Struct, frozen=True):
    formula: Formula
    text: str
    names: frozenset[str]
    holds: Test
    pins: tuple[str, int] | None
    """The variable and the value it must have, where the atom says just that."""


class Union(Struct, frozen=True, eq=False):
    """`points` are the values of the cubes that pin every integer variable; `open` the other cubes."""

    number: int
    cubes: tuple[Cube, ...]
    members: frozenset[Cube]
    names: frozenset[str]
    points: frozenset[tuple[int, ...]]
    open: tuple[Cube, ...]


class Vocabulary:
    """All atoms and unions of one check."""

    def __init__(self, program: GuardedProgram) -> None:
        self.program = program
        self.integers = tuple(variable.name for variable in program.variables if not variable.finite)
        self.atoms: list[LiteralAtom] = []
        self._numbers: dict[str, int] = {}
        self._unions: dict[frozenset[Cube], Union] = {}
        self._cube_names: dict[Cube, frozenset[str]] = {}
        self._points: dict[Cube, tuple[int, ...] | None] = {}

    def literal(self, formula: Formula) -> int:
        """The literal that says the same; the formula is neither a constant nor a conjunction."""
        match formula:
            case Not(operand):
                return -self.literal(operand)
            case Comparison("!=", left, right):
                return -self.literal(Comparison("=", left, right))
            case Comparison(">=", left, right):
                return -self.literal(Comparison("<", left, right))
            case Comparison(">", left, right):
                return -self.literal(Comparison("<=", left, right))
        text = formula_text(formula, self.program)
        if text not in self._numbers:
            names = mentioned(formula, self.program)
            holds = compile_formula(formula, self.program)
            self.atoms.append(LiteralAtom(formula, text, names, holds, _pinned(formula)))
            self._numbers[text] = len(self.atoms)
        return self._numbers[text]

    def atom(self, literal: int) -> LiteralAtom:
        return self.atoms[abs(literal) - 1]

    def cube(self, formula: Formula) -> Cube | None:
        """The formula as one cube; None when it is plainly false."""
        match formula:
            case Truth(value):
                return EMPTY_CUBE if value else None
            case Connective("&&", operands):
                return join(self.cube(operand) for operand in operands)
            case _:
                return frozenset((self.literal(formula),))

    def disjuncts(self, formula: Formula) -> frozenset[Cube]:
        """The formula as cubes, split at its outermost disjunctions."""
        match formula:
            case Not(Connective("&&", operands)):
                return frozenset().union(*(self.disjuncts(negation(operand)) for operand in operands))
            case _:
                cube = self.cube(formula)
                return frozenset() if cube is None else frozenset((cube,))

    def union(self, cubes: frozenset[Cube]) -> Union:
        if EMPTY_CUBE in cubes:
            cubes = frozenset((EMPTY_CUBE,))
        if cubes not in self._unions:
            ordered = tuple(sorted(cubes, key=sorted))
            points = {cube: point for cube in ordered if (point := self.point(cube)) is not None}
            self._unions[cubes] = Union(
                len(self._unions),
                ordered,
                cubes,
                frozenset().union(*map(self.names, ordered)),
                frozenset(points.values()),
                tuple(cube for cube in ordered if cube not in points),
            )
        return self._unions[cubes]

    def names(self, cube: Cube) -> frozenset[str]:
        """The variables that the cube mentions."""
        if cube not in self._cube_names:
            self._cube_names[cube] = frozenset().union(*(self.atom(literal).names for literal in cube))
        return self._cube_names[cube]

    def point(self, cube: Cube) -> tuple[int, ...] | None:
        """The single state that satisfies the cube, if it plainly pins every integer variable."""
        if cube not in self._points:
            self._points[cube] = self._find_point(cube)
        return self._points[cube]

    def _find_point(self, cube: Cube) -> tuple[int, ...] | None:
        pins = dict(pin for literal in cube if literal > 0 and (pin := self.atom(literal).pins) is not None)
        if len(pins) != len(self.integers) or not self.satisfies(pins, cube):
            return None
        return tuple(pins[name] for name in self.integers)

    def satisfies(self, state: State, cube: Iterable[int]) -> bool:
        return all(self.atom(literal).holds(state) == (literal > 0) for literal in cube)

    def inside(self, state: Mapping[str, int], union: Union) -> bool:
        """Whether a state, given by the values of the integer variables, lies in the union."""
        return tuple(state[name] for name in self.integers) in union.points or any(
            self.satisfies(state, cube) for cube in union.open
        )


def join(cubes: Iterable[Cube | None]) -> Cube | None:
    """The conjunction; None when it is plainly false."""
    literals: set[int] = set()
    for cube in cubes:
        if cube is None:
            return None
        literals |= cube
    return None if any(-literal in literals for literal in literals) else frozenset(literals)


def contradict(first: Cube, second: Cube) -> bool:
    return any(-literal in first for literal in second)


def ordered_names(names: frozenset[str], order: Sequence[str]) -> list[str]:
    return [name for name in order if name in names]


def _pinned(formula: Formula) -> tuple[str, int] | None:
    match formula:
        case Comparison("=", VariableRef(name), Number(value)) | Comparison("=", Number(value), VariableRef(name)):
            return name, value
    return None
