"""The two halves of a normal form: what holds if the interval ends here, and what must hold from the next state.

For a letter s (the set of true propositions), `ends(P, s)` says whether P holds on the one-state interval s, and
`derivative(P, s)` is what the rest of a longer interval must satisfy. Together they are the complete normal form of
P: its cases are disjoint and exhaustive, so negation is pointwise.

`cases` is the same with symbolic guards: one case for each derivative, not one for each letter.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from pincer.temporal.formula import FALSE, TRUE, Atom, Formula, and_, at_end, choice, literal, not_, or_
from pincer.temporal.limits import deep_recursion
from pincer.temporal.operators import chop, chop_chain, length, projection

Letter: TypeAlias = frozenset[str]
Cases: TypeAlias = tuple[tuple[Formula, Formula], ...]
"""Pairs of a guard (a state formula) and what must hold from the next state, the guards a partition."""

_NONE: frozenset[str] = frozenset()
_reads: dict[Formula, frozenset[str]] = {TRUE: _NONE, FALSE: _NONE}
_derivatives: dict[tuple[Formula, Letter], Formula] = {}
_cases: dict[Formula, Cases] = {TRUE: ((TRUE, TRUE),), FALSE: ((TRUE, FALSE),)}


def reads(formula: Formula) -> frozenset[str]:
    """The propositions whose value in the first state matters."""
    found = _reads.get(formula)
    if found is None:
        assert formula.atom is not None
        found = _atom_reads(formula.atom) | reads(formula.high) | reads(formula.low)
        _reads[formula] = found
    return found


def _atom_reads(atom: Atom) -> frozenset[str]:
    match atom.kind:
        case "prop":
            return frozenset((atom.name,))
        case "empty" | "len" | "next":
            return _NONE
        case "until" | "plus":
            return _NONE.union(*map(reads, atom.parts))
        case "chop":
            first, second = atom.parts
            return reads(first) if at_end(first) is FALSE else reads(first) | reads(second)
        case "prj":
            *parts, projected = atom.parts
            found = reads(projected)
            for part in parts:
                found |= reads(part)
                if at_end(part) is FALSE:
                    break
            return found


def propositions(formula: Formula) -> frozenset[str]:
    """All propositions of the formula, wherever they stand."""
    found: set[str] = set()
    seen: set[Formula] = set()
    stack = [formula]
    while stack:
        part = stack.pop()
        if part in seen or part.atom is None:
            continue
        seen.add(part)
        if part.atom.kind == "prop":
            found.add(part.atom.name)
        stack += (part.high, part.low, *part.atom.parts)
    return frozenset(found)


def ends(formula: Formula, letter: Letter) -> bool:
    """Whether the formula holds on the interval whose only state is the letter."""
    return holds_in_state(at_end(formula), letter)


def holds_in_state(state_formula: Formula, letter: Letter) -> bool:
    """The truth of a Boolean combination of propositions."""
    while state_formula.atom is not None:
        state_formula = state_formula.high if state_formula.atom.name in letter else state_formula.low
    return state_formula is TRUE


def derivative(formula: Formula, letter: Letter) -> Formula:
    """What must hold from the next state on, if there is one."""
    if formula.atom is None:
        return formula
    asked = (formula, letter & reads(formula))
    found = _derivatives.get(asked)
    if found is None:
        if formula.atom.kind == "empty":
            found = derivative(formula.low, letter)
        else:
            found = choice(
                _atom_derivative(formula.atom, letter),
                derivative(formula.high, letter),
                derivative(formula.low, letter),
            )
        _derivatives[asked] = found
    return found


def _atom_derivative(atom: Atom, letter: Letter) -> Formula:
    parts = atom.parts
    match atom.kind:
        case "prop":
            return TRUE if atom.name in letter else FALSE
        case "empty":
            return FALSE
        case "len":
            return length(atom.length - 1)
        case "next":
            return parts[0]
        case "chop":
            started = chop(derivative(parts[0], letter), parts[1])
            return or_(started, derivative(parts[1], letter)) if ends(parts[0], letter) else started
        case "plus":
            rest = derivative(parts[0], letter)
            return or_(rest, chop(rest, literal(atom)))
        case "until":
            waiting = and_(derivative(parts[0], letter), literal(atom))
            return or_(derivative(parts[1], letter), waiting)
        case "prj":
            return _projection_derivative(atom, letter)


def _projection_derivative(atom: Atom, letter: Letter) -> Formula:
    first, *others, projected = atom.parts
    rest = derivative(first, letter)
    result = chop(rest, projection(others, derivative(projected, letter)))
    if ends(projected, letter):
        result = or_(result, chop_chain((rest, *others)))
    if ends(first, letter):
        result = or_(result, derivative(projection(others, projected), letter))
    return result


def cases(formula: Formula) -> Cases:
    """The derivatives of the formula, each with the guard of the letters that lead to it."""
    found = _cases.get(formula)
    if found is None:
        assert formula.atom is not None
        if formula.atom.kind == "empty":
            found = cases(formula.low)
        else:
            by_atom = _atom_cases(formula.atom)
            found = _combine(choice, by_atom, cases(formula.high), cases(formula.low))
        _cases[formula] = found
    return found


def _atom_cases(atom: Atom) -> Cases:
    parts = atom.parts
    match atom.kind:
        case "prop":
            return ((literal(atom), TRUE), (literal(atom, False), FALSE))
        case "empty":
            return ((TRUE, FALSE),)
        case "len":
            return ((TRUE, length(atom.length - 1)),)
        case "next":
            return ((TRUE, parts[0]),)
        case "chop":
            started = _combine(lambda rest: chop(rest, parts[1]), cases(parts[0]))
            return _or_if(at_end(parts[0]), started, parts[1])
        case "plus":
            return _combine(lambda rest: or_(rest, chop(rest, literal(atom))), cases(parts[0]))
        case "until":
            return _combine(
                lambda before, then: or_(then, and_(before, literal(atom))), cases(parts[0]), cases(parts[1])
            )
        case "prj":
            return _projection_cases(atom)


def _projection_cases(atom: Atom) -> Cases:
    first, *others, projected = atom.parts
    met = _combine(
        lambda rest, then, ended: or_(
            chop(rest, projection(others, then)), chop_chain((rest, *others)) if ended is TRUE else FALSE
        ),
        cases(first),
        cases(projected),
        _as_cases(at_end(projected)),
    )
    return _or_if(at_end(first), met, projection(others, projected))


def _as_cases(state_formula: Formula) -> Cases:
    return tuple(
        (guard, value) for guard, value in ((state_formula, TRUE), (not_(state_formula), FALSE)) if guard is not FALSE
    )


def _or_if(guard: Formula, left: Cases, right: Formula) -> Cases:
    """The left cases, or those of the right formula too where the guard holds."""
    if guard is FALSE:
        return left
    return _combine(
        lambda one, other, allowed: or_(one, other) if allowed is TRUE else one, left, cases(right), _as_cases(guard)
    )


def _combine(operation: Callable[..., Formula], *operands: Cases) -> Cases:
    """The operation applied case by case; equal results share one guard."""
    rows: list[tuple[Formula, tuple[Formula, ...]]] = [(TRUE, ())]
    for operand in operands:
        rows = [
            (both, (*values, value))
            for before, values in rows
            for guard, value in operand
            if (both := and_(before, guard)) is not FALSE
        ]
    merged: dict[Formula, Formula] = {}
    for guard, values in rows:
        result = operation(*values)
        merged[result] = or_(merged.get(result, FALSE), guard)
    return tuple((guard, result) for result, guard in merged.items())


def some_letter(guard: Formula) -> Letter:
    """A letter that satisfies a state formula; propositions are false in it where the diagram allows."""
    letter: set[str] = set()
    while (atom := guard.atom) is not None:
        if guard.low is FALSE:
            letter.add(atom.name)
        guard = guard.high if guard.low is FALSE else guard.low
    return frozenset(letter)


@deep_recursion()
def satisfies(formula: Formula, word: list[Letter] | tuple[Letter, ...]) -> bool:
    """Whether the finite, non-empty interval satisfies the formula."""
    for letter in word[:-1]:
        formula = derivative(formula, letter)
        if formula.atom is None:
            return formula is TRUE
    return ends(formula, word[-1])
