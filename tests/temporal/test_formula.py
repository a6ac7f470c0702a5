"""Interned formulas: equal ones are one object, whatever way they were made."""

from __future__ import annotations

from itertools import pairwise

import pytest

from pincer.temporal.formula import (
    EMPTY,
    FALSE,
    MORE,
    TRUE,
    Formula,
    and_,
    at_end,
    choice,
    iff,
    implies,
    is_state_formula,
    not_,
    or_,
    single_atom,
    watched,
)
from pincer.temporal.parser import parse_formula


def _formula(text: str) -> Formula:
    return parse_formula(text).formula


P, Q = _formula("p"), _formula("q")


def test_the_laws_of_boolean_algebra_are_identities() -> None:
    assert and_(P, not_(P)) is FALSE and or_(P, not_(P)) is TRUE
    assert not_(not_(P)) is P and and_(P, Q) is and_(Q, P)
    assert implies(P, Q) is or_(not_(P), Q) and iff(P, P) is TRUE
    assert choice(P, Q, Q) is Q and choice(P, TRUE, FALSE) is P
    assert not_(EMPTY) is MORE


def test_at_the_end_of_an_interval_only_the_state_counts() -> None:
    assert at_end(_formula("()p")) is FALSE
    assert at_end(_formula("[]p")) is P
    assert at_end(_formula("p;q")) is and_(P, Q)


def test_state_formulas_and_single_atoms_are_recognised() -> None:
    assert is_state_formula(and_(P, not_(Q))) and not is_state_formula(_formula("()p"))
    assert single_atom(_formula("p;()q")) is not None and single_atom(and_(P, Q)) is None


def test_a_watcher_may_stop_the_growth_of_formulas() -> None:
    class Enough(Exception):
        pass

    def stop() -> None:
        raise Enough

    propositions = [_formula(f"grown{number}") for number in range(1_000)]
    with pytest.raises(Enough), watched(stop):
        for one, next_one in pairwise(propositions):
            and_(one, next_one)
