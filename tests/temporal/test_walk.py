"""The walk that a product takes along an interval."""

from __future__ import annotations

from pincer.temporal.derivative import holds_in_state
from pincer.temporal.formula import FALSE, Formula, not_
from pincer.temporal.parser import parse_formula
from pincer.temporal.walk import Walk

P, NONE = frozenset("p"), frozenset[str]()


def _formula(text: str) -> Formula:
    return parse_formula(text).formula


def test_a_walk_has_cases_for_every_letter() -> None:
    walk = Walk(_formula("()[](p -> q) && r")).step(frozenset("r"))
    assert [rest for guard, rest in walk.cases if holds_in_state(guard, P)] == [FALSE]


def test_a_walk_knows_when_nothing_more_can_change() -> None:
    violation = Walk(not_(_formula("[]p")))
    assert not violation.is_true and not violation.is_false
    assert violation.step(NONE).is_true
    assert violation.step(P) == violation
    assert violation.ends(NONE) and not violation.ends(P)
    assert Walk(_formula("skip")).step(P).step(P).is_false


def test_a_walk_proves_that_every_continuation_satisfies_it() -> None:
    assert Walk(_formula("(p;skip) || !(p;skip)")).proved_valid()
    assert Walk(_formula("[]p -> p")).proved_valid()
    assert not Walk(_formula("<>empty")).proved_valid()
    assert not Walk(_formula("[]more")).proved_valid()
