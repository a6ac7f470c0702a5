"""Formulas about words whose last state is repeated for ever, as formulas about words that end.

Other tools have no words that end: what a program does last, it does for ever. A formula of LTL means the same on such
a word as its translation on the one that ends: only what speaks of the next state is changed, for that is the last
state again where there is none.
"""

from __future__ import annotations

from pincer.errors import PincerError
from pincer.temporal.formula import EMPTY, FALSE, TRUE, Atom, Formula, and_, choice, literal, or_
from pincer.temporal.operators import next_, sometimes, until

REPEATED = "(last state repeated)"
"""What stands behind the name of a property that is translated."""


def repeating_the_last(formula: Formula) -> Formula:
    """The formula that is true of a word that ends if the given one is when the last state is repeated for ever. Raises
    `PincerError` for what is no LTL."""
    if formula.atom is None:
        return formula
    return choice(_atom(formula.atom), repeating_the_last(formula.high), repeating_the_last(formula.low))


def _atom(atom: Atom) -> Formula:
    parts = [repeating_the_last(part) for part in atom.parts]
    match atom.kind:
        case "prop":
            return literal(atom)
        case "empty":
            return FALSE
        case "next":
            return or_(next_(parts[0]), and_(EMPTY, parts[0]))
        case "until":
            return until(parts[0], parts[1])
        case "chop" if atom.parts[0] is TRUE:
            return sometimes(parts[1])
    raise PincerError(
        "--stutter-end is for formulas of LTL: `()`, `(.)`, `<>`, `[]`, `U`, and what `ltl:` understands; lengths, "
        "chop, iteration and projection speak of words that end"
    )
