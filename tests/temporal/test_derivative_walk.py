"""Following finite intervals: derivatives, monitoring, and the walk a product takes."""

from __future__ import annotations

import time
from random import Random

import pytest

from pincer.temporal.derivative import cases, derivative, holds_in_state, propositions, reads, satisfies, some_letter
from pincer.temporal.formula import FALSE, TRUE, Formula, and_, not_, or_
from pincer.temporal.parser import parse_formula
from pincer.temporal.walk import Monitored, Walk, monitor

P, Q, NONE = frozenset("p"), frozenset("q"), frozenset[str]()


def _formula(text: str) -> Formula:
    return parse_formula(text).formula


@pytest.mark.parametrize(
    ("text", "word", "expected"),
    [
        ("(p && len(2))*", [P, NONE, P], True),
        ("p;len(1)", [P, NONE, P], True),
        ("[]p", [P, NONE, P], False),
        ("[]p", [P, P], True),
        ("skip", [P, P], True),
        ("()p", [P, P], True),
        ("()()true", [P, P], False),
        ("empty", [P], True),
        ("p U q", [P, P, Q], True),
        ("fin(q)", [P, Q], True),
        ("par(len(1);p, len(2))", [NONE, P, NONE], True),
        ("par(skip, len(2))", [NONE, NONE], False),
    ],
)
def test_truth_on_words(text: str, word: list[frozenset[str]], expected: bool) -> None:
    assert satisfies(_formula(text), word) == expected
    assert monitor(_formula(text), word).holds == expected


@pytest.mark.parametrize(
    ("text", "word", "expected"),
    [
        ("[]p", [P, P, NONE, P, P], Monitored(False, 2)),
        ("<>q", [P, Q, P], Monitored(True, 1)),
        ("[]p", [P, P, P], Monitored(True, 2)),
        ("len(1)", [P, P, P], Monitored(False, 1)),
        ("true", [P], Monitored(True, 0)),
    ],
)
def test_monitoring_names_the_state_that_settles_the_verdict(
    text: str, word: list[frozenset[str]], expected: Monitored
) -> None:
    assert monitor(_formula(text), word) == expected


def test_an_interval_without_states_cannot_be_monitored() -> None:
    with pytest.raises(ValueError, match="at least one state"):
        monitor(TRUE, [])


@pytest.mark.parametrize(
    "text",
    [
        *("[](p -> <>q)", "(p || skip)* && <>[](q -> r)", "((p && len(2)) || (q && len(3)))+ ; [](r -> <>p)"),
        *("!(<>(p && ()q) ; [](r U p))", "(len(3)+, <>q) prj <>(p && len(2))", "[](p -> ((len(2))+ ; q))"),
    ],
)
def test_ten_thousand_states_are_followed_in_seconds(text: str) -> None:
    random = Random(1)
    word = [frozenset(name for name in "pqr" if random.random() < 0.5) for _ in range(10_000)]
    started = time.monotonic()
    satisfies(_formula(text), word)
    assert time.monotonic() - started < 5


@pytest.mark.parametrize("text", ["p;q", "[](p -> <>q)", "!(p U q) || (q;r)+", "(p,q) prj r", "halt(p && q)"])
def test_cases_partition_the_letters(text: str) -> None:
    found = cases(_formula(text))
    covered = FALSE
    for guard, rest in found:
        assert and_(covered, guard) is FALSE
        covered = or_(covered, guard)
        assert derivative(_formula(text), some_letter(guard)) is rest
    assert covered is TRUE
    assert len({rest for _, rest in found}) == len(found)


def test_a_walk_reads_only_what_matters_now() -> None:
    formula = _formula("()[](p -> q) && r")
    assert reads(formula) == {"r"}
    assert propositions(formula) == {"p", "q", "r"}
    walk = Walk(formula).step(frozenset("r"))
    assert walk.reads == {"p", "q"}
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
