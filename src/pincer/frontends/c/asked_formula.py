"""Temporal formulas about C programs as values. Reading them needs a parser, which most checks do without."""

from __future__ import annotations

import re

from msgspec import Struct

_FORMULA = re.compile(r"ltl:|[{}();]|\[\]|<>")


class CFormula(Struct, frozen=True):
    """A formula over names, and the predicate in C that each of them stands for; `shown` is what the user wrote, and
    `defines` what was defined before it."""

    shown: str
    text: str
    predicates: tuple[tuple[str, str], ...]
    defines: tuple[tuple[str, str], ...] = ()
    warnings: tuple[str, ...] = ()


def is_formula(text: str) -> bool:
    """Whether a text can only be meant as a formula."""
    return _FORMULA.search(text) is not None
