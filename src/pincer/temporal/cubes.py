"""Formulas as disjunctions of conjunctions of literals: short covers of their decision diagrams.

The cover is irredundant and made of prime implicants (the method of Minato: split on the top atom, cover what needs
it positively, what needs it negatively, and the rest without it). It is used to print formulas and guards, and to
split a formula into the nodes of its normal form graph.
"""

from __future__ import annotations

from typing import TypeAlias

from pincer.temporal.formula import FALSE, TRUE, Atom, Formula, and_, choice, conjunction, literal, not_, or_

Literal: TypeAlias = tuple[Atom, bool]
Cube: TypeAlias = frozenset[Literal]

_covers: dict[Formula, tuple[Cube, ...]] = {}
_formulas: dict[Cube, Formula] = {}
_NO_LITERALS: Cube = frozenset()


def cubes(formula: Formula) -> tuple[Cube, ...]:
    """Sets of literals whose disjunction is the formula; none for `false`, the empty set for `true`."""
    found = _covers.get(formula)
    if found is None:
        found = _covers[formula] = _cover(formula, formula, {})[0]
    return found


def disjuncts(formula: Formula) -> tuple[Formula, ...]:
    return tuple(map(cube_formula, cubes(formula)))


def cube_formula(cube: Cube) -> Formula:
    found = _formulas.get(cube)
    if found is None:
        found = _formulas[cube] = conjunction(literal(atom, positive) for atom, positive in cube)
    return found


_Covered: TypeAlias = tuple[tuple[Cube, ...], Formula]


def _cover(lower: Formula, upper: Formula, known: dict[tuple[Formula, Formula], _Covered]) -> _Covered:
    """A cover between the two bounds, as cubes and as a formula."""
    if lower is FALSE:
        return (), FALSE
    if upper is TRUE:
        return (_NO_LITERALS,), TRUE
    asked = (lower, upper)
    if asked in known:
        return known[asked]
    atom = min((part.atom for part in asked if part.atom is not None), key=lambda atom: atom.key)
    lower_high, lower_low = _cofactors(lower, atom)
    upper_high, upper_low = _cofactors(upper, atom)
    high_cubes, high = _cover(and_(lower_high, not_(upper_low)), upper_high, known)
    low_cubes, low = _cover(and_(lower_low, not_(upper_high)), upper_low, known)
    rest = or_(and_(lower_high, not_(high)), and_(lower_low, not_(low)))
    both_cubes, both = _cover(rest, and_(upper_high, upper_low), known)
    found = (
        (
            *(cube | {(atom, True)} for cube in high_cubes),
            *(cube | {(atom, False)} for cube in low_cubes),
            *both_cubes,
        ),
        or_(choice(literal(atom), high, low), both),
    )
    known[asked] = found
    return found


def _cofactors(formula: Formula, atom: Atom) -> tuple[Formula, Formula]:
    return (formula.high, formula.low) if formula.atom is atom else (formula, formula)
