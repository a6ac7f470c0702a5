"""Following finite intervals by derivatives."""

from __future__ import annotations

from random import Random

import pytest

from pincer.temporal.derivative import cases, derivative, propositions, reads, satisfies, some_letter
from pincer.temporal.formula import FALSE, TRUE, Formula, and_, diagram_size, or_
from pincer.temporal.parser import parse_formula

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


@pytest.mark.parametrize(
    "text",
    [
        *("[](p -> <>q)", "(p || skip)* && <>[](q -> r)", "((p && len(2)) || (q && len(3)))+ ; [](r -> <>p)"),
        *("!(<>(p && ()q) ; [](r U p))", "(len(3)+, <>q) prj <>(p && len(2))", "[](p -> ((len(2))+ ; q))"),
    ],
)
def test_following_a_long_interval_makes_few_formulas(text: str) -> None:
    random = Random(1)
    word = [frozenset(name for name in "pqr" if random.random() < 0.5) for _ in range(10_000)]
    before = diagram_size()
    satisfies(_formula(text), word)
    assert diagram_size() - before < 2_000


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


def test_a_formula_reads_only_what_matters_now() -> None:
    formula = _formula("()[](p -> q) && r")
    assert reads(formula) == {"r"}
    assert propositions(formula) == {"p", "q", "r"}
    assert reads(derivative(formula, frozenset("r"))) == {"p", "q"}
